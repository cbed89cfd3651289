// Where the camera stands.
import { Box3, Vector3 } from "three";
import { expect, test } from "vitest";
import { block, car, scene } from "../fixture";
import {
  addOutline,
  clipOf,
  cornersOf,
  directionOf,
  fitted,
  homeView,
  isScattered,
  lengthOf,
  raised,
  type View,
} from "./framing";

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

test("where a picture has room, its middle is that of the world, not above it", () => {
  const shown = cornersOf(box(-2, -2, 2, 2));
  const { min, max } = new Box3().setFromPoints(shown);
  const middle = min.clone().add(max).multiplyScalar(0.5);
  // It is as narrow as on a phone: its height is free.
  expect(fitted(shown, 1, 0.5, -Math.PI / 2, 0.7).target.distanceTo(middle)).toBeLessThan(1e-9);
  // Where the height counts, all of it is used.
  expect(fitted(shown, 1, 2, -Math.PI / 2, 0.7).target.distanceTo(middle)).toBeGreaterThan(0.2);
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

test("at first the vehicles are seen from near, with what is around them, and a small world as a whole", () => {
  const view = scene({ vehicles: [car()] });
  const length = lengthOf(car());
  const vehicle = box(38, -1, 38 + length, 1);
  const first = (size: number) => homeView(view, box(-size, -size, size, size), vehicle, 1.6, [], true);
  const { distance, target } = first(400);
  // The car is in the middle, wherever the world ends.
  expect(target.toArray()).toEqual(vehicle.getCenter(new Vector3()).toArray());
  // Half the field of view is half a radian: so many lengths of the car is the picture high.
  expect((2 * distance * Math.tan(0.5)) / length).toBeCloseTo(10, 6);
  expect(first(400).distance).toBeLessThan(0.3 * homeView(view, box(-400, -400, 400, 400), vehicle, 1.6).distance);
  // Cars as far apart as their room is wide: there is little more to see, and it is shown.
  const [hall, row] = [box(-60, -60, 60, 60), box(-50, -50, 50, 50)];
  expect(homeView(view, hall, row, 1.6, [], true)).toEqual(homeView(view, hall, row, 1.6));
  const small = homeView(view, box(30, -8, 46, 8), vehicle, 1.6);
  expect(homeView(view, box(30, -8, 46, 8), vehicle, 1.6, [], true)).toEqual(small);
});

test("vehicles far apart are not all shown at first, a fleet on a yard is", () => {
  const two = scene({ vehicles: [car(), car()] });
  expect(isScattered(two, box(0, 0, 400, 2))).toBe(true);
  expect(isScattered(two, box(0, 0, 100, 100))).toBe(false);
  expect(isScattered(scene({ vehicles: [car()] }), box(0, 0, 400, 2))).toBe(false);
  expect(isScattered(scene({ vehicles: Array.from({ length: 100 }, () => car()) }), box(0, 0, 400, 400))).toBe(false);
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

test("from above all is seen that was, and no more is changed for that than has to be", () => {
  const [slope, aspect] = [0.5, 2];
  const view: View = { target: new Vector3(1, 2, 0.3), distance: 20, azimuth: -2, elevation: 0.7 };
  const inside = [new Vector3(-10, 0, 0), new Vector3(15, 9, 1)];
  expect(raised(view, inside, slope, aspect)).toEqual(view);
  expect(raised(view, [], slope, aspect)).toEqual(view);
  const shows = ({ target, distance }: View, { x, y }: Vector3) =>
    Math.abs(x - target.x) < slope * aspect * distance && Math.abs(y - target.y) < slope * distance;
  // Beside the picture: the camera moves over.
  const beside = [new Vector3(-10, 0, 0), new Vector3(25, 9, 1)];
  const framed = raised(view, beside, slope, aspect);
  expect(framed.distance).toBe(20);
  expect(framed.target.x).toBeGreaterThan(5);
  expect(framed.target.y).toBe(2);
  expect(beside.every((point) => shows(framed, point))).toBe(true);
  // Too large for it: the camera goes up.
  const large = [new Vector3(-30, -14, 0), new Vector3(25, 22, 1)];
  const up = raised(view, large, slope, aspect);
  expect(up.distance).toBeCloseTo(36 * 1.06, 9);
  expect(large.every((point) => shows(up, point))).toBe(true);
});

test("the whole world is in the middle from above, however it was looked at", () => {
  const view: View = { target: new Vector3(3, -2, 0), distance: 80, azimuth: -2, elevation: 0.7 };
  const world = cornersOf(box(-10, -4, 30, 6));
  const { target, distance } = raised(view, world, 0.5, 1.6, true);
  expect([target.x, target.y]).toEqual([10, 1]);
  expect(distance).toBeLessThan(80);
  expect(0.5 * distance * 1.6).toBeGreaterThan(20);
});
