// Cells of maps as rectangles.
import { expect, test } from "vitest";
import { mergedRectangles } from "./rectangles";

function cellsOf(...rows: string[]): [Uint8Array, number, number] {
  const columns = rows[0]?.length ?? 0;
  return [Uint8Array.from([...rows.join("")].map((c) => (c === "#" ? 1 : 0))), columns, rows.length];
}

test("a wall is one rectangle, a corner two", () => {
  expect(mergedRectangles(...cellsOf("....", ".###", ".###"), 9)).toEqual([[1, 1, 3, 2]]);
  expect(mergedRectangles(...cellsOf("###", "#..", "#.."), 9)).toEqual([
    [0, 0, 3, 1],
    [0, 1, 1, 2],
  ]);
});

test("every occupied cell is covered once, and no other", () => {
  let seed = 7;
  const cells = Uint8Array.from({ length: 40 * 30 }, () => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % 3 === 0 ? 0 : 1;
  });
  const covered = new Uint8Array(cells.length);
  for (const [x, y, w, h] of mergedRectangles(cells, 40, 30, 2000) ?? []) {
    for (let row = y; row < y + h; row += 1)
      for (let i = x; i < x + w; i += 1) covered[row * 40 + i] = (covered[row * 40 + i] ?? 0) + 1;
  }
  expect(covered).toEqual(cells);
});

test("where there would be too many, there are none", () => {
  expect(mergedRectangles(...cellsOf("#.#.#"), 2)).toBeUndefined();
  expect(mergedRectangles(...cellsOf("#.#.#"), 3)).toHaveLength(3);
});
