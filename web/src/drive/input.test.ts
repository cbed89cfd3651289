// Input of keys and sticks.
import { expect, test } from "vitest";
import { beyondDeadZone, Keys, together, wants, wishOfPad } from "./input";

test("opposite keys cancel, and either key of a pair holds", () => {
  const keys = new Keys();
  keys.press("KeyW");
  keys.press("ArrowUp");
  keys.press("KeyA");
  keys.release("KeyW");
  expect(keys.wish).toEqual({ drive: 1, turn: 1, brake: false });
  keys.press("KeyD");
  keys.press("Space");
  expect(keys.wish).toEqual({ drive: 1, turn: 0, brake: true });
  keys.press("KeyQ");
  keys.clear();
  expect([keys.any, wants(keys.wish)]).toEqual([false, false]);
});

test("the dead zone swallows drift and leaves no jump", () => {
  expect(beyondDeadZone(0.119)).toBe(0);
  expect(beyondDeadZone(0.13)).toBeLessThan(0.02);
  expect(beyondDeadZone(-1)).toBe(-1);
  expect(beyondDeadZone(Number.NaN)).toBe(0);
});

test("a pad turns by its stick and drives by its triggers", () => {
  const buttons = Array.from({ length: 17 }, () => ({ pressed: false, touched: false, value: 0 }));
  const rest = wishOfPad({ axes: [0.05, -0.1, 0, 0], buttons });
  expect(wants(rest)).toBe(false);
  buttons[7] = { pressed: true, touched: true, value: 1 };
  const wish = wishOfPad({ axes: [-1, 0, 0, 0], buttons });
  expect(wish).toEqual({ drive: 1, turn: 1, brake: false });
  expect(together({ drive: -1, turn: 0, brake: false }, wish)).toEqual({ drive: -1, turn: 1, brake: false });
});
