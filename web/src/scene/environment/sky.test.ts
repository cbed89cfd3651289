// The laws of the sky: both ends of the gradient, and the hue of its light.
import { expect, it } from "vitest";
import { lightOf, skyOf, zenithShare } from "./sky";

it("goes from the horizon to the zenith by the gradation of a clear sky", () => {
  expect([-1, 0, 1].map(zenithShare)).toEqual([0, 0, 1]);
  expect(zenithShare(0.5)).toBeCloseTo(Math.exp(-0.32), 12);
});

it("lights with the hue of what is above, and whiter the less sun there is", () => {
  const sky = skyOf([
    [0, 51, 255, 255],
    [255, 204, 153, 255],
    [51, 102, 153, 255],
  ]);
  const [above, below] = lightOf(sky, 0);
  const blue = 0.801 + 0.199 * 0.6;
  expect(above.b).toBeCloseTo(1, 12);
  expect(above.r).toBeCloseTo(0.199 / blue, 9);
  expect([below.r, below.g, below.b]).toEqual([0.2, 0.4, 0.6]);
  expect(lightOf(sky, 1).map((color) => color.getHex())).toEqual([0xffffff, 0xffffff]);
  const black = skyOf([
    [0, 0, 0, 255],
    [0, 0, 0, 255],
    [0, 0, 0, 255],
  ]);
  expect(lightOf(black, 0)[0].getHex()).toBe(0xffffff);
});
