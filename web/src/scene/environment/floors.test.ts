// The ground under a pointer.
import { Matrix4, Ray, Vector3 } from "three";
import { expect, test } from "vitest";
import { triangleGeometry } from "../bodies/geometry";
import { Floors } from "./floors";

/** A square of 2 m whose upper side is its front. */
const square = () => triangleGeometry(Float32Array.from([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, -1, 0, 1, 1, 0, -1, 1, 0]));
const down = (x: number, z = 10) => new Ray(new Vector3(x, 0, z), new Vector3(0, 0, -1));
const at = (x: number, z: number) => new Matrix4().makeTranslation(x, 0, z);
const nowhere = { matrix: new Matrix4() };

test("planes and terrain bear, and beside them it is the height 0", () => {
  const floors = new Floors();
  floors.add(square(), nowhere, at(0, 0.5), "none");
  floors.add(square(), nowhere, at(5, -2), "none");
  expect(floors.under(down(0))).toMatchObject({ point: { z: 0.5 }, isOn: true });
  expect(floors.under(down(5))).toMatchObject({ point: { z: -2 }, isOn: true });
  expect(floors.under(down(3))).toMatchObject({ point: { z: 0 }, isOn: false });
  expect(floors.under(new Ray(new Vector3(0, 0, 1), new Vector3(1, 0, 0)))).toBeUndefined();
});

test("ceilings that are not drawn from above let through, and storeys bear what is over them", () => {
  const floors = new Floors();
  floors.add(square(), nowhere, at(0, 6), "front");
  floors.add(square(), nowhere, at(0, 3), "back");
  floors.add(square(), nowhere, at(0, 0), "none");
  expect(floors.under(down(0))?.point.z).toBe(3);
  expect(floors.under(down(0, 1))?.point.z).toBe(0);
});

test("an elevator bears where it is", () => {
  const floors = new Floors();
  const elevator = { matrix: at(0, 1) };
  floors.add(square(), elevator, new Matrix4(), "none");
  expect(floors.under(down(0))?.point.z).toBe(1);
  elevator.matrix.copy(at(0, 4));
  expect(floors.under(down(0))?.point.z).toBe(4);
});
