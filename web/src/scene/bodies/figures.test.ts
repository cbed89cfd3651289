// Figures are posed as sensors see them, and wheels roll.
import { readFileSync } from "node:fs";
import { Matrix4, SkinnedMesh, Vector3 } from "three";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Figure, RollingWheel } from "./figures";

beforeEach(() => vi.stubGlobal("self", globalThis));
afterEach(() => vi.unstubAllGlobals());

interface Posed {
  gait: number;
  time: number;
  /** Some of its vertices [m]. */
  vertices: [number, number, number][];
}

const file = (path: string) => readFileSync(new URL(path, import.meta.url));

test("a person walks on the page as sensors see it", async () => {
  const bytes = file("../../../../worlds/models/person.glb");
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const content = await new GLTFLoader().parseAsync(buffer as ArrayBuffer, "");
  const root = content.scene;
  const figure = new Figure(root, content.animations, ["idle", "walk", "run"]);
  const posed = JSON.parse(file("../../protocol/fixtures/person.json").toString()) as { every: number; poses: Posed[] };
  expect(posed.poses.length).toBeGreaterThan(8);
  let farthest = 0;
  for (const { gait, time, vertices } of posed.poses) {
    figure.pose(gait, time);
    root.updateMatrixWorld(true);
    const vertexPlaces: Vector3[] = [];
    root.traverse((object) => {
      if (!(object instanceof SkinnedMesh)) return;
      const places = object.geometry.getAttribute("position");
      for (let i = 0; i < places.count; i += 1) {
        const place = object.applyBoneTransform(i, new Vector3().fromBufferAttribute(places, i));
        vertexPlaces.push(place.applyMatrix4(object.matrixWorld));
      }
    });
    const sampled = vertexPlaces.filter((_, i) => i % posed.every === 0);
    expect(sampled.length).toBe(vertices.length);
    for (const [i, vertex] of vertices.entries()) {
      farthest = Math.max(farthest, sampled[i]?.distanceTo(new Vector3(...vertex)) ?? Number.POSITIVE_INFINITY);
    }
  }
  expect(farthest).toBeLessThan(1e-4);
});

test("a wheel has turned once after its circumference, about the actor's y through its own middle", () => {
  const wheel = new RollingWheel([1, 0.5, 0.3, Math.PI, 0, Math.PI / 2], 0.3);
  const actor = new Matrix4().makeTranslation(10, 0, 0);
  const at = (distance: number) => {
    wheel.place(actor, distance);
    // A point that was ahead of the axle.
    return new Vector3(0.3, 0, 0).applyMatrix4(wheel.body.matrix);
  };
  expect(at(0).distanceTo(new Vector3(11.3, 0.5, 0.3))).toBeLessThan(1e-9);
  expect(at(0.3 * 0.5 * Math.PI).distanceTo(new Vector3(11, 0.5, 0))).toBeLessThan(1e-9);
  expect(at(0.3 * 2 * Math.PI).distanceTo(new Vector3(11.3, 0.5, 0.3))).toBeLessThan(1e-9);
});
