import { expect, test } from "vitest";
import { endsOf, snapped } from "./snap";

test("points go to the nearest end within reach", () => {
  const ends = [
    [1, 1],
    [1.2, 1],
  ] as const;
  expect(snapped([1.15, 1.02], undefined, ends, 0.2, 0.05)).toEqual([1.2, 1]);
  expect(snapped([1.5, 1.02], undefined, ends, 0.2, 0.05)).toEqual([1.5, 1]);
});

test("walls that are nearly along an axis are along it", () => {
  expect(snapped([3.02, 0.1], [0, 0.013], [], 0.1, 0.05)).toEqual([3, 0.013]);
  expect(snapped([0.1, -3.02], [0.013, 0], [], 0.1, 0.05)).toEqual([0.013, -3]);
  expect(snapped([3.02, 1.01], [0, 0], [], 0.1, 0.05)).toEqual([3, 1]);
  expect(snapped([3.3, 1.1], [0, 0], [], 0.1, 0.5)).toEqual([3.5, 1]);
  expect(snapped([3.3003, 1.1], [0, 0], [], 0.1, undefined)).toEqual([3.3, 1.1]);
});

test("a wall ends where its outline does", () => {
  const outline = [
    [-2, -0.05],
    [-2, 0.05],
    [2, 0.05],
    [2, -0.05],
  ];
  const ends = endsOf([1, 1, 0, Math.PI / 2, 0, 0], outline);
  expect(ends.flat().map((value) => Math.round(value * 1e9) / 1e9)).toEqual([1, -1, 1, 3]);
});
