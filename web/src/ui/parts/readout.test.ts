// Texts in the corner of the view.
import { expect, test } from "vitest";
import { distanceOf, lengthOf } from "./readout";

test("lengths have a fitting unit", () => {
  expect([0.01, 0.1, 1, 250, 10_000].map(lengthOf)).toEqual(["1 cm", "10 cm", "1 m", "250 m", "10 km"]);
});

test("a measurement has its length and its direction", () => {
  expect(distanceOf({ distance: 3.25, dx: 3, dy: 1.25, dz: 0, heading: Math.PI / 6 })).toBe("3.250 m, 30.0°");
  expect(distanceOf({ distance: 120, dx: 0, dy: -120, dz: 0, heading: -Math.PI / 2 })).toBe("120.00 m, −90.0°");
});
