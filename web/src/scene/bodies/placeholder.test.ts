// The sign for a missing mesh.
import { Vector3 } from "three";
import { expect, test } from "vitest";
import { rectangle } from "../fixture";
import { crossedBox } from "./placeholder";

test("it has the size of the body, 12 edges and 12 diagonals, and faces that look outwards", () => {
  const geometry = crossedBox(rectangle(4, 2), [0.2, 1.4]);
  geometry.computeBoundingBox();
  const size = geometry.boundingBox?.getSize(new Vector3());
  expect(size?.x).toBeCloseTo(4, 0);
  expect(size?.z).toBeCloseTo(1.2, 0);
  const positions = geometry.getAttribute("position");
  expect(positions.count).toBe(24 * 4 * 2 * 3);
  // Of the bar along the first edge, each face looks away from the middle of the bar.
  const middle = new Vector3(0, -1, 0.2);
  const normals = geometry.getAttribute("normal");
  for (let i = 0; i < 24; i += 1) {
    const point = new Vector3().fromBufferAttribute(positions, i).sub(middle).setX(0);
    expect(point.dot(new Vector3().fromBufferAttribute(normals, i))).toBeGreaterThan(0);
  }
});
