// Carrying by keys.
import { Color, type Ray, Scene, Vector3 } from "three";
import { expect, test } from "vitest";
import { rectangle } from "../fixture";
import type { Pickable } from "../input/picking";
import { alongAxis, Carrying, strideOf } from "./carrying";
import { matrixOf } from "./pose";

const crate = (x = 2, y = 3): Pickable => ({
  id: 9,
  vehicle: undefined,
  isMovable: true,
  outline: rectangle(1, 1),
  z: [0, 1],
  matrix: matrixOf([x, y, 0, 0.5, 0, 0]),
});

test("arrows go in round steps that are seen at any zoom", () => {
  expect(strideOf(0.02, false)).toBeCloseTo(0.2, 12);
  expect(strideOf(0.02, true)).toBeCloseTo(0.02, 12);
  expect(strideOf(0.004, false)).toBeCloseTo(0.05, 12);
  expect(strideOf(5, false)).toBeCloseTo(100, 9);
});

test("arrows go the way that they point on the page, along the axes", () => {
  const direction = (azimuth: number, right: number, up: number) =>
    alongAxis(azimuth, right, up).map((value) => value + 0);
  // Seen from the south, as from the top: right is east, up is north.
  expect(direction(-Math.PI / 2, 1, 0)).toEqual([1, 0]);
  expect(direction(-Math.PI / 2, 0, 1)).toEqual([0, 1]);
  expect(direction(-2, 1, 0)).toEqual([1, 0]);
  // Seen from the east, right is north and up is west.
  expect(direction(0.3, 1, 0)).toEqual([0, 1]);
  expect(direction(0.3, 0, 1)).toEqual([-1, 0]);
});

test("it moves over the ground on its own storey", () => {
  // A step to a floor of 0.3 m beyond x = 3, below another storey at 3 m.
  const ground = ({ origin }: Ray) => {
    const heights = origin.x > 3 ? [3, 0.3] : [3, 0];
    const z = heights.find((height) => height <= origin.z) ?? 0;
    return { point: new Vector3(origin.x, origin.y, z), isOn: z > 0 };
  };
  const hand = new Carrying(new Scene(), ground);
  hand.take(crate(), new Color());
  expect(hand.load).toMatchObject({ entity: 9, x: 2, y: 3, z: 0, isOn: false });
  hand.shift(1.5, 0);
  hand.turn(0.25);
  expect(hand.load).toMatchObject({ x: 3.5, y: 3, z: 0.3, isOn: true, yaw: 0.75 });
  expect(hand.leave()).toBe(true);
  expect([hand.load, hand.leave()]).toEqual([undefined, false]);
});

test("a pointer that passes by leaves what keys have moved, until it is pressed", () => {
  const hand = new Carrying(new Scene(), ({ origin }) => ({
    point: new Vector3(origin.x, origin.y, 0),
    isOn: false,
  }));
  const over = (x: number) => ({ origin: new Vector3(x, 0, 5), direction: new Vector3(0, 0, -1) }) as Ray;
  hand.take(crate(), new Color());
  hand.point(over(7), false);
  expect(hand.load?.x).toBe(7);
  hand.shift(1, 0);
  hand.point(over(20), false);
  expect(hand.load?.x).toBe(8);
  hand.point(over(20), true);
  expect(hand.load?.x).toBe(20);
});

test("in the next scene it is carried on from where it was", () => {
  const hand = new Carrying(new Scene(), () => undefined);
  hand.take(crate(), new Color());
  hand.shift(1, 1);
  const before = hand.load;
  hand.take(crate(0, 0), new Color(), before);
  expect(hand.load).toEqual(before);
});
