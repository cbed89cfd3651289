// Lines on the ground: which ones, and what the camera sees of them.
import { PerspectiveCamera, Vector3 } from "three";
import { expect, test } from "vitest";
import { ThinLines } from "./gridlines";
import { finestInterval, lineInterval, lineLevels } from "./ground";

test("the lines fit the zoom, and none comes or goes at once", () => {
  expect([lineInterval(20), lineInterval(100), lineInterval(1000)]).toEqual([1, 10, 100]);
  const opacities = (distance: number) =>
    new Map(lineLevels(distance).map(({ interval, opacity }) => [Math.round(10 * interval), opacity]));
  const [before, after] = [opacities(40 - 1e-6), opacities(40 + 1e-6)];
  for (const interval of [10, 100, 1000, 10000]) {
    expect(before.get(interval) ?? 0).toBeCloseTo(after.get(interval) ?? 0, 4);
  }
});

test("lines of the world have finer ones between them where those fit", () => {
  expect(lineLevels(20, 5).map(({ interval }) => interval)).toEqual([1]);
  expect([finestInterval(20, 5), finestInterval(20, 0.75), finestInterval(100, 5), finestInterval(20)]).toEqual([
    1, 0.75, 5, 1,
  ]);
  expect(lineLevels(20, 0.75)).toEqual([]);
});

test("each thin line ends within the picture and lies on a multiple of its distance", () => {
  const camera = new PerspectiveCamera(60, 1.6, 0.1, 1000);
  camera.up.set(0, 0, 1);
  camera.position.set(3, -8, 2);
  const target = new Vector3(3.3, 1.7, 0);
  camera.lookAt(target);
  camera.updateMatrixWorld();
  const lines = new ThinLines();
  lines.frame([{ interval: 0.5, opacity: 1 }], target, 10, camera, 1);
  const { count } = lines.object.geometry.drawRange;
  expect(count).toBeGreaterThan(60);
  const places = lines.object.geometry.getAttribute("position");
  for (let i = 0; i < count; i += 2) {
    const [a, b] = [i, i + 1].map((n) => new Vector3().fromBufferAttribute(places, n).add(lines.object.position));
    if (!a || !b) throw new Error("no line");
    const fixed = Math.abs(a.x - b.x) < 1e-4 ? a.x : a.y;
    expect(Math.abs(fixed / 0.5 - Math.round(fixed / 0.5))).toBeLessThan(1e-4);
    for (const end of [a, b]) {
      const { x, y, z } = end.clone().project(camera);
      for (const value of [x, y, z]) expect(Math.abs(value)).toBeLessThan(1.001);
    }
  }
});
