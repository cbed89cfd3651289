// Dashes of reference paths.
import { expect, test } from "vitest";
import { dashed } from "./links";

test("dashes are as long as the gaps, also around corners", () => {
  const path: [number, number][] = [
    [0, 0],
    [1, 0],
    [1, 3],
  ];
  const dashes = dashed(path, 0.5);
  const sum = dashes.reduce((all, [x0, y0, x1, y1]) => all + Math.hypot(x1 - x0, y1 - y0), 0);
  expect(sum).toBeCloseTo(2);
  expect(dashes[0]).toEqual([0, 0, 0.5, 0]);
  expect(dashes.at(-1)?.[1]).toBeCloseTo(2);
});

test("long paths have a bounded number of dashes, and empty ones none", () => {
  const path = Array.from({ length: 500 }, (_, i): [number, number] => [i * 100, 0]);
  expect(dashed(path, 0.01).length).toBeLessThan(6000);
  expect(dashed([], 1)).toEqual([]);
  expect(
    dashed(
      [
        [1, 1],
        [1, 1],
      ],
      1,
    ),
  ).toEqual([]);
});
