// Input of keys and sticks.
import { expect, test } from "vitest";
import { beyondDeadZone, Keys, together, wants, wishOfPad } from "./input";
import { REST } from "./ramp";

test("opposite keys cancel, and either key of a pair holds", () => {
  const keys = new Keys();
  keys.press("KeyW");
  keys.press("ArrowUp");
  keys.press("KeyA");
  keys.release("KeyW");
  expect(keys.wish).toEqual({ ...REST, drive: 1, turn: 1 });
  keys.press("KeyD");
  keys.press("Space");
  expect(keys.wish).toEqual({ ...REST, drive: 1, brake: true });
  keys.press("KeyZ");
  keys.clear();
  expect([keys.any, wants(keys.wish)]).toEqual([false, false]);
});

test("with Shift, left and right move sideways", () => {
  const keys = new Keys();
  keys.press("KeyW", true);
  keys.press("KeyA", true);
  expect(keys.wish).toEqual({ ...REST, drive: 1, sideways: 1 });
  expect([keys.holds("Shift KeyA"), keys.holds("Shift KeyD"), keys.holds("KeyA")]).toEqual([true, false, false]);
  keys.press("ArrowRight", true);
  expect(keys.wish).toEqual({ ...REST, drive: 1 });
  // Shift may come up first.
  keys.release("KeyA");
  keys.release("ArrowRight");
  keys.release("KeyW");
  expect(keys.any).toBe(false);
});

test("the dead zone swallows drift and leaves no jump", () => {
  expect(beyondDeadZone(0.119)).toBe(0);
  expect(beyondDeadZone(0.13)).toBeLessThan(0.02);
  expect(beyondDeadZone(-1)).toBe(-1);
  expect(beyondDeadZone(Number.NaN)).toBe(0);
});

test("a pad turns by its stick and drives by its triggers", () => {
  const buttons = Array.from({ length: 17 }, () => ({ pressed: false, touched: false, value: 0 }));
  const idle = wishOfPad({ axes: [0.05, -0.1, 0, 0], buttons }, false);
  expect(wants(idle)).toBe(false);
  buttons[7] = { pressed: true, touched: true, value: 1 };
  const wish = wishOfPad({ axes: [-1, 0, 0, 0], buttons }, false);
  expect(wish).toEqual({ ...REST, drive: 1, turn: 1 });
  expect(together({ ...REST, drive: -1 }, wish)).toEqual({ ...REST, drive: -1, turn: 1 });
  const sideways = wishOfPad({ axes: [-1, 0, 1, 0], buttons }, true);
  expect(sideways).toEqual({ ...REST, drive: 1, turn: -1, sideways: 1 });
  expect(together({ ...REST, sideways: -1 }, sideways)).toEqual({ ...sideways, sideways: -1 });
});
