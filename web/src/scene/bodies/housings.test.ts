// Housings of sensors.
import { expect, test } from "vitest";
import { car } from "../fixture";
import { housingOf, seatOf } from "./housings";

test("lidars and cameras have housings, and nothing else", () => {
  const kinds = ["laser", "lidar3d", "depth_camera", "camera", "imu", "gnss", ""].map((kind) =>
    housingOf({ class: kind }),
  );
  expect(kinds).toEqual(["lidar", "lidar", "camera", "camera", undefined, undefined, undefined]);
});

test("a housing sits where its sensor is, and on the roof of a body that it would be hidden in", () => {
  const view = car();
  expect(seatOf(view, { pose: [1, 0.5, 1.9, 0.3, 0, 0] }, 0.1)).toEqual([1, 0.5, 1.9, 0.3, 0, 0]);
  expect(seatOf(view, { pose: [2.2, 0, 0.5, 0, 0, 0] }, 0.1)).toEqual([2.2, 0, 0.5, 0, 0, 0]);
  expect(seatOf(view, { pose: [1, 0.5, 0.6, 0.3, 0, 0] }, 0.1)).toEqual([1, 0.5, 1.5, 0.3, 0, 0]);
});
