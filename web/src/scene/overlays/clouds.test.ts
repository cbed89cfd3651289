// Clouds of sensors: their points, and the heights between which colours run.
import type { BufferGeometry, Points, ShaderMaterial } from "three";
import { expect, test } from "vitest";
import { Clouds, labelColor } from "./clouds";

/** Points [m] of a sensor that looks along y from 1 m above the ground. */
function cloud(metres: number[], changes: object = {}) {
  const extent = 10;
  return {
    time: 0,
    revision: 1,
    vehicle: 0,
    sensor: 0,
    topic: 0,
    pose: Float32Array.of(4, 5, 1, Math.PI / 2, 0, 0),
    extent,
    points: Int16Array.from(metres, (value) => Math.round((value / extent) * 32767)),
    tint: 1,
    tints: new Uint8Array((2 * metres.length) / 3),
    ...changes,
  };
}

const drawn = (clouds: Clouds) => clouds.object.children.map((child) => (child as Points).geometry.drawRange.count);

test("points lie where they were measured, and colours run from the lowest to the highest", () => {
  const clouds = new Clouds(2);
  clouds.push(cloud([2, 0, -1, 3, 0, 4]));
  const [points] = clouds.object.children as Points[];
  const corner = points?.geometry.getAttribute("position");
  const at = [0, 1].map((i) => {
    const e = points?.matrix.elements ?? [];
    const [x = 0, y = 0, z = 0] = [corner?.getX(i), corner?.getY(i), corner?.getZ(i)];
    return [0, 1, 2].map(
      (row) => (e[row] ?? 0) * x + (e[4 + row] ?? 0) * y + (e[8 + row] ?? 0) * z + (e[12 + row] ?? 0),
    );
  });
  for (const [i, wanted] of [
    [4, 7, 0],
    [4, 8, 5],
  ].entries()) {
    for (const [axis, value] of wanted.entries()) expect(at[i]?.[axis]).toBeCloseTo(value, 2);
  }
  const { points: count, reach } = clouds.stats;
  expect(count).toBe(2);
  expect(reach[0]).toBeCloseTo(0, 2);
  expect(reach[1]).toBeCloseTo(5, 2);
});

test("a cloud takes the place of the one before, larger or smaller, and of no other topic", () => {
  const clouds = new Clouds(2);
  clouds.push(cloud([1, 0, 0]));
  clouds.push(cloud([1, 0, 0, 2, 0, 0], { topic: 1 }));
  clouds.push(cloud(Array.from({ length: 30 }, () => 1)));
  expect([clouds.stats.points, drawn(clouds).sort()]).toEqual([12, [10, 2]]);
  clouds.push(cloud([1, 0, 0]));
  expect(clouds.stats.points).toBe(3);
  clouds.leap(0.5);
  expect(clouds.stats.points).toBe(3);
  clouds.leap(5);
  expect([clouds.stats.points, drawn(clouds)]).toEqual([0, [0, 0]]);
});

test("labels have the colours that the server gives them in pictures, and clouds without them the colours of heights", () => {
  expect([labelColor(0), labelColor(0x00020001), labelColor(0x02010004)]).toEqual([
    [0, 0, 0],
    [154, 178, 172],
    [236, 170, 127],
  ]);
  const clouds = new Clouds(2);
  const points = () => clouds.object.children[0] as Points<BufferGeometry, ShaderMaterial> | undefined;
  clouds.colorBy("label");
  clouds.push(cloud([1, 0, 0, 2, 0, 0], { labels: Uint32Array.of(0x00020001, 0x02010004) }));
  expect([...(points()?.geometry.getAttribute("label").array.slice(0, 6) ?? [])]).toEqual([
    154, 178, 172, 236, 170, 127,
  ]);
  expect(points()?.material.uniforms.labelled?.value).toBe(1);
  clouds.push(cloud([1, 0, 0]));
  expect(points()?.material.uniforms.labelled?.value).toBe(0);
});

test("the points of one vehicle can be drawn alone, also those that come later", () => {
  const clouds = new Clouds(2);
  clouds.push(cloud([1, 0, 0]));
  clouds.only(1);
  clouds.push(cloud([1, 0, 0], { vehicle: 1 }));
  clouds.push(cloud([1, 0, 0], { sensor: 1 }));
  expect(clouds.object.children.map((child) => child.visible)).toEqual([false, true, false]);
  clouds.only(undefined);
  expect(clouds.object.children.every((child) => child.visible)).toBe(true);
});
