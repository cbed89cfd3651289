// Relief of uneven ground.
import { Color } from "three";
import { expect, test } from "vitest";
import { triangleGeometry } from "../bodies/geometry";
import { contourInterval, contours, reliefGeometry } from "./relief";

/** A plane that rises by 1 m per metre along x, of two triangles. */
const slope = () => triangleGeometry(new Float32Array([0, 0, 0, 2, 0, 2, 2, 1, 2, 0, 0, 0, 2, 1, 2, 0, 1, 0]));

test("intervals are round, and contours many enough", () => {
  expect(contourInterval(-0.4, 2)).toBeCloseTo(0.2);
  expect(contourInterval(0, 130)).toBeCloseTo(10);
  expect(contourInterval(3, 3)).toBe(0);
});

test("contours lie on the ground at round heights", () => {
  const { interval, pieces } = contours(slope());
  expect(interval).toBeCloseTo(0.2);
  expect(pieces.length).toBeGreaterThan(0);
  let length = 0;
  for (let i = 0; i < pieces.length; i += 6) {
    const [x0 = 0, y0 = 0, z0 = 0, x1 = 0, y1 = 0, z1 = 0] = pieces.slice(i, i + 6);
    expect([x0, x1]).toEqual([expect.closeTo(z0), expect.closeTo(z1)]);
    expect(z0 / interval).toBeCloseTo(Math.round(z0 / interval));
    length += Math.abs(y1 - y0);
  }
  // Each level crosses the whole width of 1 m, but for the lowest, an edge.
  expect(length).toBeCloseTo(10, 5);
});

test("level ground has no contours and keeps its colour", () => {
  const level = triangleGeometry(new Float32Array([0, 0, 1, 1, 0, 1, 0, 1, 1]));
  expect(contours(level).pieces).toEqual([]);
  const color = new Color(0.4, 0.6, 0.3);
  const colors = reliefGeometry(level, color).getAttribute("color");
  expect(Math.abs(colors.getY(0) - color.g)).toBeLessThan(0.15);
});

test("high ground is lighter than low, and slopes towards the light than those away from it", () => {
  const colors = reliefGeometry(slope(), new Color(0.4, 0.6, 0.3)).getAttribute("color");
  const brightness = (i: number) => colors.getX(i) + colors.getY(i) + colors.getZ(i);
  expect(brightness(1)).toBeGreaterThan(1.1 * brightness(0));
  const away = triangleGeometry(new Float32Array([0, 0, 2, 2, 0, 0, 2, 1, 0]));
  const shaded = reliefGeometry(away, undefined).getAttribute("color");
  const lit = reliefGeometry(slope(), undefined).getAttribute("color");
  expect(lit.getX(0)).toBeGreaterThan(1.3 * shaded.getX(0));
});
