// One steering angle of several wheels.
import { expect, test } from "vitest";
import { meanSteer } from "./steering";

test("the angle is the mean of the inner and the outer wheel", () => {
  const wheels = [
    { x: -1.3, steer: 0 },
    { x: -1.3, steer: 0 },
    { x: 1.3, steer: 0.5 },
    { x: 1.3, steer: 0.4 },
  ];
  expect(meanSteer(wheels)).toBeCloseTo(0.45);
});

test("with steered rear wheels it is that of the front axle", () => {
  expect(
    meanSteer([
      { x: -1, steer: -0.2 },
      { x: 1, steer: 0.3 },
    ]),
  ).toBeCloseTo(0.3);
  expect(
    meanSteer([
      { x: -1, steer: -0.2 },
      { x: 1, steer: 0 },
    ]),
  ).toBeCloseTo(-0.2);
});

test("straight wheels, and none, have the angle 0", () => {
  expect(meanSteer([{ x: 1, steer: 0 }])).toBe(0);
  expect(meanSteer([])).toBe(0);
});
