// Hits of rays on bodies.
import { Ray, Vector3 } from "three";
import { expect, test } from "vitest";
import { matrixOf } from "../bodies/pose";
import { rectangle } from "../fixture";
import { distanceAlong, type Pickable, pickAlong } from "./picking";

function body(id: number, x: number, y: number, yaw: number): Pickable {
  return {
    id,
    vehicle: undefined,
    isMovable: true,
    outline: rectangle(4, 1),
    z: [0, 1],
    matrix: matrixOf([x, y, 0, yaw, 0, 0]),
  };
}

const down = (x: number, y: number) => new Ray(new Vector3(x, y, 10), new Vector3(0, 0, -1));

test("a ray from above hits what is below, with its heading", () => {
  expect(distanceAlong(down(1.8, 0), body(1, 0, 0, 0), 0)).toBeCloseTo(9, 9);
  expect(distanceAlong(down(1.8, 0), body(1, 0, 0, Math.PI / 2), 0)).toBeUndefined();
  expect(distanceAlong(down(0, 1.8), body(1, 0, 0, Math.PI / 2), 0)).toBeCloseTo(9, 9);
});

test("nothing behind the camera is hit", () => {
  const away = new Ray(new Vector3(0, 0, 10), new Vector3(0, 0, 1));
  expect(distanceAlong(away, body(1, 0, 0, 0), 0)).toBeUndefined();
});

test("the nearest is picked, and what is hit before what is nearly hit", () => {
  const bodies = [body(1, 10, 0, 0), body(2, 5, 0, 0)];
  const along = new Ray(new Vector3(0, 0, 0.5), new Vector3(1, 0, 0));
  expect(pickAlong(along, bodies, () => 0)?.id).toBe(2);
  const beside = [body(1, 0, 0.7, 0), body(2, 0, -1, 0)];
  expect(pickAlong(down(0, 0.3), beside, () => 5)?.id).toBe(1);
  expect(pickAlong(down(0, 2), beside, () => 1)?.id).toBe(1);
  expect(pickAlong(down(0, 9), beside, () => 1)).toBeUndefined();
});
