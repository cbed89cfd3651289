// Pedals by keys.
import { expect, test } from "vitest";
import { Pedals } from "./pedals";
import { type Limits, REST } from "./ramp";

const LIMITS: Limits = { speed: 10, turn: 0.5, wheelbase: 2.6 };
const hold = (drive: number, brake = false) => ({ ...REST, drive, brake });

function run(pedals: Pedals, wish: ReturnType<typeof hold>, speed: number, seconds = 1): void {
  for (let i = 0; i < seconds * 20; i += 1) pedals.advance(wish, LIMITS, speed, 0.05);
}

test("back brakes while it rolls, and reverses once it stands", () => {
  const pedals = new Pedals();
  run(pedals, hold(1), 5);
  expect([pedals.throttle, pedals.brake, pedals.reverse]).toEqual([1, 0, false]);
  run(pedals, hold(-1), 5);
  expect([pedals.throttle, pedals.brake, pedals.reverse]).toEqual([0, 1, false]);
  run(pedals, hold(-1), 0);
  expect([pedals.throttle, pedals.brake, pedals.reverse]).toEqual([1, 0, true]);
  run(pedals, hold(1), -3);
  expect([pedals.throttle, pedals.brake, pedals.reverse]).toEqual([0, 1, true]);
});

test("the throttle closes at the highest speed, and feet come off", () => {
  const pedals = new Pedals();
  run(pedals, hold(1), 10);
  expect(pedals.throttle).toBe(0);
  run(pedals, hold(1, true), 5);
  expect([pedals.throttle, pedals.brake]).toEqual([0, 1]);
  run(pedals, REST, 5);
  expect(pedals.isAtRest).toBe(true);
});

test("another vehicle does not start in reverse", () => {
  const pedals = new Pedals();
  run(pedals, hold(-1), 0);
  pedals.reset();
  expect([pedals.throttle, pedals.brake, pedals.reverse]).toEqual([0, 0, false]);
});
