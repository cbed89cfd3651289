import { expect, test } from "vitest";
import { fittingStep, freePlace, onGrid } from "./grid";

test("the grid suits a robot of 0.4 m, unless the lines would be a blur", () => {
  expect(fittingStep(0.01, 0.4)).toBe(0.1);
  expect(fittingStep(0.001, 0.4)).toBe(0.1);
  expect(fittingStep(0.05, 0.4)).toBe(0.5);
  expect(fittingStep(0.01, 4.2)).toBe(1);
  expect(fittingStep(0.01, undefined)).toBe(0.1);
  expect(fittingStep(1e9, 0.4)).toBe(100);
});

test("numbers on the grid have no digits that nobody asked for", () => {
  expect([onGrid(0.31, 0.1), onGrid(-0.13, 0.25), onGrid(7.4, 5), onGrid(-0.01, 0.1)]).toEqual([0.3, -0.25, 5, 0]);
  expect(onGrid(1.23456, undefined)).toBe(1.235);
});

test("what is added does not stand in another one", () => {
  const wall = { x: 0, y: 0, yaw: Math.PI / 2, low: [-4, -0.05], high: [4, 0.05] } as const;
  expect(freePlace([0.52, 3], 0.3, [wall], 0.1)).toEqual([0.5, 3]);
  const [x, y] = freePlace([0.02, 3.1], 0.3, [wall], 0.1);
  expect(Math.abs(x)).toBeGreaterThan(0.35);
  expect(Math.hypot(x, y - 3.1)).toBeLessThan(0.7);
  expect([x, y]).toEqual([onGrid(x, 0.1), onGrid(y, 0.1)]);
  const everywhere = { ...wall, low: [-1e6, -1e6], high: [1e6, 1e6] } as const;
  expect(freePlace([0, 0], 0.3, [everywhere], 0.1)).toEqual([0, 0]);
});
