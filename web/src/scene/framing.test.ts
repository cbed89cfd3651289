// Where the camera stands.
import { Box3, Vector3 } from "three";
import { expect, test } from "vitest";
import { block, car, scene } from "./fixture";
import { addOutline, clipOf, cornersOf, directionOf, fitted, homeView } from "./framing";

const box = (x0: number, y0: number, x1: number, y1: number) =>
  new Box3(new Vector3(x0, y0, 0), new Vector3(x1, y1, 1));

test("a box fills the picture, and no corner is outside", () => {
  const [fieldOfView, aspect, azimuth, elevation] = [1, 16 / 9, -2, 0.7];
  const shown = box(-10, -4, 10, 4);
  const { target, distance } = fitted(cornersOf(shown), fieldOfView, aspect, azimuth, elevation);
  const back = directionOf(azimuth, elevation);
  const right = new Vector3(-Math.sin(azimuth), Math.cos(azimuth), 0);
  const up = new Vector3().crossVectors(back, right);
  let most = 0;
  for (const x of [-10, 10]) {
    for (const y of [-4, 4]) {
      for (const z of [0, 1]) {
        const corner = new Vector3(x, y, z).sub(target);
        const depth = distance - corner.dot(back);
        const slope = Math.tan(0.5 * fieldOfView) * depth;
        most = Math.max(most, Math.abs(corner.dot(up)) / slope, Math.abs(corner.dot(right)) / (slope * aspect));
      }
    }
  }
  expect(most).toBeLessThan(1);
  expect(most).toBeGreaterThan(0.9);
});

test("a camera in the world file counts, in degrees of the ground plane", () => {
  const view = scene();
  Object.assign(view.gui, { has_camera: true, camera_distance: 12, camera_target: [2, 0, 0.3] });
  const home = homeView(view, box(-100, -100, 100, 100), box(0, 0, 1, 1), 1);
  expect(home.distance).toBe(12);
  expect(home.target.toArray()).toEqual([2, 0, 0.3]);
});

test("without one all is seen, but of a large world what is around the vehicles", () => {
  const view = scene({ vehicles: [car()] });
  const near = homeView(view, box(-20, -20, 20, 20), box(-2, -1, 2, 1), 1.6);
  expect(Math.abs(near.target.x)).toBeLessThan(6);
  expect(near.distance).toBeGreaterThan(20);
  const far = homeView(view, box(-5000, -5000, 5000, 5000), box(998, -1, 1002, 1), 1.6);
  expect(Math.abs(far.target.x - 1000)).toBeLessThan(110);
  expect(far.distance).toBeLessThan(700);
});

test("outlines count where they stand", () => {
  const around = new Box3();
  addOutline(
    around,
    [10, 0, 0, Math.PI / 2, 0, 0],
    block({
      outline: [
        [0, 0],
        [4, 0],
        [4, 1],
      ],
    }).outline,
    [0, 2],
  );
  expect(around.min.x).toBeCloseTo(9, 9);
  expect(around.max.toArray().map((value) => Math.round(value))).toEqual([10, 4, 2]);
});

test("depths can be told apart from near and from far", () => {
  const { gui } = scene();
  const [near, far] = clipOf(gui, 500);
  expect(near).toBeGreaterThan(5);
  expect(far).toBeGreaterThanOrEqual(1e4);
  expect(clipOf(gui, 0.5)[0]).toBeLessThan(0.2);
});
