// Reference paths and the borders of their tracks.

import type { Mesh } from "three";
import { Group } from "three";
import { expect, test } from "vitest";
import type { StateLayout } from "../../protocol/layout";
import type { Fleet } from "../bodies/fleet";
import { themeOf } from "../drawing/theme";
import { car } from "../fixture";
import { dashed, References } from "./links";

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

test("the borders of a track are drawn as unbroken lines, and hidden with the path", () => {
  const view = car({
    reference_path: [
      [0, 0],
      [8, 0],
    ],
    track_borders: [
      [
        [0, -1],
        [4, -1.5],
        [8, -1],
      ],
      [
        [0, 2],
        [8, 2],
      ],
    ],
  });
  const root = new Group();
  const fleet = { vehicles: [{ view, length: 4 }] } as unknown as Fleet;
  const references = new References(fleet, {} as StateLayout, root, themeOf(true));
  const ends = () =>
    root.children
      .filter(({ visible }) => visible)
      .map((lines) => {
        const { attributes, drawRange } = (lines as Mesh).geometry;
        const { lineStart: from, lineEnd: to } = attributes;
        const at = (line: typeof from, i: number) => [line?.getX(4 * i), line?.getY(4 * i)];
        return Array.from({ length: drawRange.count / 6 }, (_, i) => [...at(from, i), ...at(to, i)]).flat();
      });
  const borders = [0, -1, 4, -1.5, 4, -1.5, 8, -1, 0, 2, 8, 2];
  expect(ends()).toContainEqual(borders);
  references.isShown = false;
  expect(ends()).toEqual([]);
});
