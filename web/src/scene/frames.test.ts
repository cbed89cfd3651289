// Coordinate frames.
import { Group, Matrix4, Vector3 } from "three";
import { expect, test } from "vitest";
import { Blend } from "./bodies/blend";
import { Fleet } from "./bodies/fleet";
import { poseMatrix } from "./bodies/pose";
import { Drawer } from "./drawing/drawer";
import { car, layoutOf, sample, scene } from "./fixture";
import { Frames, odometryFrame } from "./frames";

test("the frame of right odometry is the start of the vehicle", () => {
  const start = poseMatrix(3, 1, 0, 0.7, 0, 0, new Matrix4());
  const world = start.clone().multiply(poseMatrix(2, 0.5, 0, 0.3, 0, 0, new Matrix4()));
  const frame = odometryFrame(world, 2, 0.5, 0.3);
  for (const [i, value] of start.elements.entries()) expect(frame.elements[i]).toBeCloseTo(value);
});

test("frames have the names that the server gives them, where the vehicle and its sensors are", () => {
  const view = scene({ vehicles: [car()] });
  const layout = layoutOf(view);
  const root = new Group();
  const fleet = new Fleet(
    view,
    layout,
    new Drawer(
      root,
      (path) => path,
      () => {},
    ),
  );
  const blend = new Blend();
  blend.push(sample(layout, 1, { 0: 5, 1: 2, 2: 0, 3: Math.PI / 2 }), 0);
  fleet.place(blend);
  const frames = new Frames(layout, root);
  frames.place(fleet.vehicles[0], blend, 1);
  expect(frames.labels()).toEqual([]);
  frames.isShown = true;
  frames.place(fleet.vehicles[0], blend, 1);
  expect(frames.labels().map(({ text }) => text)).toEqual(["map", "car/odom", "car/base_link", "car/scan"]);
  const [, , base, scan] = frames.labels();
  expect(new Vector3(base?.x, base?.y, base?.z).distanceTo(new Vector3(5, 2, 0))).toBeCloseTo(0);
  expect(scan?.z).toBeCloseTo(1.5);
  const { frames: named } = fleet.vehicles[0]?.view ?? car();
  named.odometry = null;
  frames.place(fleet.vehicles[0], blend, 1);
  expect(frames.labels().map(({ text }) => text)).toEqual(["map", "car/base_link", "car/scan"]);
  frames.place(undefined, blend, 1);
  expect(frames.labels().map(({ text }) => text)).toEqual(["map"]);
});
