// Ramps of driving by keys.
import { expect, test } from "vitest";
import { type Limits, Ramp, REST, turnAt, type Wish } from "./ramp";

const LIMITS: Limits = { speed: 4, turn: 0.5, wheelbase: 0.33 };
const AHEAD: Wish = { drive: 1, turn: 0, sideways: 0, brake: false };

function run(ramp: Ramp, wish: Wish, seconds: number, limits = LIMITS): void {
  for (let i = 0; i < seconds * 20; i += 1) ramp.advance(wish, limits, 0.05);
}

test("speed grows while the key is held and stays at the limit", () => {
  const ramp = new Ramp();
  run(ramp, AHEAD, 0.3);
  expect(ramp.speed).toBeGreaterThan(0.8);
  expect(ramp.speed).toBeLessThan(1.2);
  run(ramp, AHEAD, 2);
  expect(ramp.speed).toBe(4);
});

test("everything returns to rest when keys are released", () => {
  const ramp = new Ramp();
  run(ramp, { drive: 1, turn: 1, sideways: 0, brake: false }, 2);
  expect(ramp.turn).toBeGreaterThan(0);
  run(ramp, REST, 0.4);
  expect(ramp.turn).toBe(0);
  expect(ramp.speed).toBeGreaterThan(2);
  run(ramp, REST, 1.2);
  expect(ramp.isAtRest).toBe(true);
});

test("the brake is faster than coasting, and reverse passes rest", () => {
  const braked = new Ramp();
  const reversed = new Ramp();
  for (const ramp of [braked, reversed]) run(ramp, AHEAD, 2);
  run(braked, { drive: 1, turn: 0, sideways: 0, brake: true }, 0.55);
  expect(braked.speed).toBe(0);
  const speeds: number[] = [];
  for (let i = 0; i < 20; i += 1) {
    reversed.advance({ drive: -1, turn: 0, sideways: 0, brake: false }, LIMITS, 0.05);
    speeds.push(reversed.speed);
  }
  expect(speeds).toContain(0);
  expect(reversed.speed).toBeLessThan(-1);
});

test("a lowered limit is come down to", () => {
  const ramp = new Ramp();
  run(ramp, AHEAD, 2);
  run(ramp, AHEAD, 2, { ...LIMITS, speed: 1 });
  expect(ramp.speed).toBe(1);
});

test("steering gets gentler with speed, yaw rates do not", () => {
  expect(turnAt(0, LIMITS)).toBe(0.5);
  expect(turnAt(10, LIMITS)).toBeCloseTo(Math.atan((0.33 * 8) / 100));
  expect(turnAt(10, { speed: 4, turn: 1.5, wheelbase: undefined })).toBe(1.5);
  const ramp = new Ramp();
  run(ramp, { drive: 1, turn: -1, sideways: 0, brake: false }, 3, { ...LIMITS, speed: 10 });
  expect(ramp.turn).toBeCloseTo(-turnAt(10, LIMITS));
});

test("who drives by pedals steers as the speed allows, not as the ramp does", () => {
  const ramp = new Ramp();
  for (let i = 0; i < 40; i += 1) ramp.advance({ drive: 0, turn: 1, sideways: 0, brake: false }, LIMITS, 0.05, 10);
  expect(ramp.speed).toBe(0);
  expect(ramp.turn).toBe(turnAt(10, LIMITS));
  expect(ramp.turn).toBeLessThan(0.1 * LIMITS.turn);
});

test("sideways speed has the ramp and the limit of the speed ahead, and a turn of its own", () => {
  const ramp = new Ramp();
  run(ramp, { drive: 1, turn: 0, sideways: -1, brake: false }, 0.5);
  expect(ramp.sideways).toBe(-ramp.speed);
  run(ramp, { drive: 1, turn: 0, sideways: -1, brake: false }, 2);
  expect([ramp.speed, ramp.sideways, ramp.turn]).toEqual([LIMITS.speed, -LIMITS.speed, 0]);
  run(ramp, { drive: 0, turn: 0, sideways: -1, brake: true }, 1);
  expect(ramp.isAtRest).toBe(true);
});
