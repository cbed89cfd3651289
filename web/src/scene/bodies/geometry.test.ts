// Shapes as triangles.
import type { BufferGeometry } from "three";
import { expect, test } from "vitest";
import { base64, rectangle } from "../fixture";
import {
  chevronGeometry,
  floatsOf,
  lowered,
  prismGeometry,
  simpleWheelGeometry,
  smoothNormals,
  triangleGeometry,
  wheelGeometry,
} from "./geometry";

/** Volume within a closed surface: right only where all faces look outwards. */
function volume(geometry: BufferGeometry): number {
  const plain = geometry.index ? geometry.toNonIndexed() : geometry;
  const p = plain.getAttribute("position").array;
  let sum = 0;
  for (let i = 0; i + 8 < p.length; i += 9) {
    const [ax = 0, ay = 0, az = 0, bx = 0, by = 0, bz = 0, cx = 0, cy = 0, cz = 0] = p.slice(i, i + 9);
    sum += (ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)) / 6;
  }
  return sum;
}

test("numbers of the document are read as they were written", () => {
  expect([...floatsOf(base64([1.5, -2, 0.25]))]).toEqual([1.5, -2, 0.25]);
});

test("a prism encloses its volume, whichever way its outline goes", () => {
  const outline = rectangle(4, 2);
  expect(volume(prismGeometry(outline, [0.5, 1.5]))).toBeCloseTo(8, 5);
  expect(volume(prismGeometry([...outline].reverse(), [0.5, 1.5]))).toBeCloseTo(8, 5);
  const corner: [number, number][] = [
    [0, 0],
    [2, 0],
    [2, 1],
    [1, 1],
    [1, 2],
    [0, 2],
  ];
  expect(volume(prismGeometry(corner, [0, 1]))).toBeCloseTo(3, 5);
});

test("a broken edge takes a little away", () => {
  const broken = volume(prismGeometry(rectangle(4, 2), [0, 1], 0.2));
  expect(broken).toBeLessThan(8);
  expect(broken).toBeGreaterThan(6.5);
});

test("wheels are closed cylinders about y, with a mark in another colour", () => {
  const full = Math.PI * 0.3 ** 2 * 0.2;
  expect(volume(wheelGeometry(0.3, 0.2, [40, 40, 40, 255])) / full).toBeCloseTo(1, 1);
  // Its two marks stand out a little and are open behind.
  expect(volume(simpleWheelGeometry(0.3, 0.2, [40, 40, 40, 255])) / full).toBeGreaterThan(0.9);
  for (const make of [wheelGeometry, simpleWheelGeometry]) {
    const colors = make(0.3, 0.2, [40, 40, 40, 255]).getAttribute("color");
    const shades = new Set(Array.from({ length: colors.count }, (_, i) => colors.getX(i).toFixed(2)));
    expect(shades.size).toBeGreaterThan(1);
  }
});

test("the chevron points forward and lies on the roof", () => {
  const p = chevronGeometry(rectangle(4, 2), 1.4).getAttribute("position");
  let front = 0;
  for (let i = 0; i < p.count; i += 1) if (p.getX(i) > p.getX(front)) front = i;
  expect(p.getY(front)).toBeCloseTo(0, 6);
  expect(p.getX(front)).toBeGreaterThan(0);
  expect(p.getZ(front)).toBeCloseTo(1.4, 6);
});

test("terrain has one normal in one place", () => {
  const roof = triangleGeometry(new Float32Array([0, 0, 1, -1, 0, 0, 0, 1, 1, 0, 0, 1, 0, 1, 1, 1, 0, 0]));
  smoothNormals(roof);
  const n = roof.getAttribute("normal");
  expect([n.getX(0), n.getY(0), n.getZ(0)]).toEqual([n.getX(3), n.getY(3), n.getZ(3)]);
  expect(Math.hypot(n.getX(0), n.getY(0), n.getZ(0))).toBeCloseTo(1, 6);
});

test("what has no end upwards or downwards stays low, in any frame", () => {
  const heights = (z: number) =>
    [...lowered(Float32Array.of(5, 5, -1000 - z, 5, 5, 1000 - z, 0, 0, 3 - z), z)].filter((_, i) => i % 3 === 2);
  expect(heights(0).map((value) => Number(value.toFixed(3)))).toEqual([0.005, 0.25, 3]);
  expect(heights(-1000).map((value) => Number((value - 1000).toFixed(3)))).toEqual([0.005, 0.25, 3]);
});
