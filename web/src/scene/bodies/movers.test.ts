// How blocks and planes look.
import { expect, test } from "vitest";
import { standing } from "../environment/contact";
import { block } from "../fixture";
import { bodyColor, heightOf } from "./movers";

test("a floor above another is translucent, one on the ground and a block are not", () => {
  const at = (z: number) => block({ pose: [0, 0, z, 0, 0, 0], z: [0, 0] });
  expect(heightOf(at(3))).toBe(3);
  expect(bodyColor([192, 192, 224, 255], at(3), true)).toEqual([192, 192, 224, 140]);
  expect(bodyColor([192, 192, 224, 255], at(0.02), true)).toEqual([192, 192, 224, 255]);
  expect(bodyColor([192, 192, 224, 255], at(3), false)).toEqual([192, 192, 224, 255]);
});

test("blocks on the ground have a patch of shade, unless they hang above it, are flat, are no boxes, or are very many", () => {
  const angle: [number, number][] = [
    [0, 0],
    [2, 0],
    [2, 0.3],
    [0.3, 0.3],
    [0.3, 2],
    [0, 2],
  ];
  const bodies = [
    block({ z: [0, 0.6] }),
    block({ z: [1, 2] }),
    block({ z: [0, 0.1] }),
    block({ z: [0, 1], outline: angle }),
  ].map((view) => ({ view }));
  expect(standing(bodies)).toEqual([bodies[0]]);
  expect(standing(Array.from({ length: 65 }, () => ({ view: block({ z: [0, 1] }) })))).toEqual([]);
});
