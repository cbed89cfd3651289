// The paint and the lamps of models.
import { Color } from "three";
import { expect, test } from "vitest";
import { isBacking, isBraking, Lamp, roleOf } from "./lamps";

test("materials of glTF files have roles by their names", () => {
  expect(["paint", "brake_light", "reverse_light", "Paint", ""].map((name) => roleOf({ name }, "glb"))).toEqual([
    "paint",
    "brake_light",
    "reverse_light",
    undefined,
    undefined,
  ]);
  expect(roleOf({ name: "paint" }, "gltf")).toBe("paint");
  expect(roleOf({ name: "paint" }, "dae")).toBeUndefined();
});

test("brake lights go on with the pedal or the deceleration, and off below a smaller one", () => {
  const at = (speed: number, change: number, pedal = 0) => ({ speed, change, pedal });
  expect(isBraking(at(0, 0, 0.01), false)).toBe(true);
  expect(isBraking(at(5, -1.4), false)).toBe(true);
  expect(isBraking(at(-5, 1.4), false)).toBe(true);
  expect(isBraking(at(5, 1.4), false)).toBe(false);
  expect(isBraking(at(5, -1), false)).toBe(false);
  expect(isBraking(at(5, -1), true)).toBe(true);
  expect(isBraking(at(5, -0.6), true)).toBe(false);
  expect(isBraking(at(0, -9), true)).toBe(false);
});

test("a vehicle goes backwards when it does not merely tremble", () => {
  expect([0.2, 0, -0.01, -0.2].map((speed) => isBacking({ speed }))).toEqual([false, false, false, true]);
});

test("a lamp has its own colour until it shines, and is dyed only when that changes", () => {
  const seen: string[] = [];
  const lamp = new Lamp("brake_light", new Color(0x400000), (color) => seen.push(color.getHexString()));
  for (const isOn of [false, true, true, false]) lamp.isOn = isOn;
  expect(seen).toEqual(["400000", "ff3322", "400000"]);
});
