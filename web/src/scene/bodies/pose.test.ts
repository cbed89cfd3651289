// Poses as matrices.
import { Euler, Matrix4 } from "three";
import { expect, test } from "vitest";
import { matrixOf, multiplyInto, type Point, turnAbout, wrapped } from "./pose";

test("a pose turns by yaw, then pitch, then roll", () => {
  const [yaw, pitch, roll] = [0.7, -0.4, 1.1];
  const expected = new Matrix4().makeRotationFromEuler(new Euler(roll, pitch, yaw, "ZYX")).setPosition(1, 2, 3);
  const made = matrixOf([1, 2, 3, yaw, pitch, roll]);
  for (const [i, value] of expected.elements.entries()) expect(made.elements[i]).toBeCloseTo(value, 12);
});

test("products are those of matrices", () => {
  const a = matrixOf([1, 2, 3, 0.7, -0.4, 1.1]);
  const b = matrixOf([-4, 0, 2, 2, 0.1, 0]).scale({ x: 2, y: 3, z: 4 } as never);
  const out = new Float32Array(32);
  multiplyInto(a, b, out, 16);
  const expected = new Matrix4().multiplyMatrices(a, b);
  for (const [i, value] of expected.elements.entries()) expect(out[16 + i]).toBeCloseTo(value, 5);
});

test("what has a pivot goes round it, and what has none stays", () => {
  const out: Point = [0, 0];
  turnAbout([1, 2], [3, 2], Math.PI / 2, out);
  expect(out[0]).toBeCloseTo(1, 12);
  expect(out[1]).toBeCloseTo(4, 12);
  turnAbout(null, [3, 2], 0.7, out);
  expect(out).toEqual([3, 2]);
});

test("angles are brought between -π and π", () => {
  expect(wrapped(7)).toBeCloseTo(7 - 2 * Math.PI, 12);
  expect(wrapped(-3)).toBe(-3);
});
