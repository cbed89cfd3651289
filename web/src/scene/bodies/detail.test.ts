// How many corners are drawn at which size on the page.
import { Group, Matrix4, MeshBasicMaterial, OrthographicCamera, PerspectiveCamera, SphereGeometry } from "three";
import { expect, test, vi } from "vitest";
import { Batch } from "./batch";
import { formFor, Grain } from "./detail";

/** At a distance of 1 m, a pixel is 1 mm. */
const HEIGHT = 2000;

function ball() {
  const shape = new SphereGeometry(1, 48, 24);
  shape.deleteAttribute("uv");
  const batch = new Batch(new Group(), shape, new MeshBasicMaterial(), true);
  const camera = new PerspectiveCamera(90, 1, 0.1, 1e4);
  const at = (...places: number[]) => {
    while (batch.mesh.count < places.length) batch.add();
    for (const [slot, z] of places.entries()) batch.place(slot, new Matrix4().setPosition(0, 0, -z), new Matrix4());
    batch.fit(new Grain(camera, HEIGHT));
    return batch.mesh.geometry.index?.count ?? 0;
  };
  return { shape, batch, at, all: shape.index?.count ?? 0 };
}

test("what is far away has fewer corners than what is near, which has all", () => {
  const { shape, batch, at, all } = ball();
  const counts = [10, 30, 100, 300].map((distance) => at(distance));
  expect(counts[0]).toBe(all);
  for (const [i, count] of counts.slice(1).entries()) expect(count).toBeLessThan(counts[i] ?? 0);
  batch.fit(undefined);
  expect(batch.mesh.geometry).toBe(shape);
});

test("the nearest of many counts, but not what is hidden", () => {
  const { batch, at, all } = ball();
  expect(at(100, 10)).toBe(all);
  batch.hide(1);
  expect(at(100)).toBeLessThan(all);
});

test("a form stays while the camera trembles, and is made once", () => {
  const { shape, batch, at } = ball();
  at(103);
  const form = batch.mesh.geometry;
  const forms = [0.97, 1.03, 0.97, 1.03].map((share) => {
    at(100 * share);
    return batch.mesh.geometry;
  });
  expect(new Set([form, ...forms]).size).toBe(1);
  at(1000);
  expect(batch.mesh.geometry).not.toBe(form);
  at(103);
  expect(batch.mesh.geometry).toBe(form);
  const freed = vi.fn();
  batch.mesh.geometry.addEventListener("dispose", freed);
  shape.dispose();
  expect(freed).toHaveBeenCalledOnce();
});

test("from above, all have pixels of one size", () => {
  const { shape } = ball();
  const camera = new OrthographicCamera(-10, 10, 10, -10);
  const matrices = new Matrix4().makeScale(2, 2, 2).setPosition(0, 0, -50).elements;
  expect(new Grain(camera, HEIGHT).at(shape, matrices, 1)).toBeCloseTo(0.005, 9);
  expect(formFor(shape, Number.POSITIVE_INFINITY, shape)).toBe(shape);
});
