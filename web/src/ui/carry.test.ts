// Bodies that can be carried, and their announcements.
import { expect, test } from "vitest";
import { block, car } from "../scene/fixture";
import { placeOf, portable } from "./carry";

test("vehicles and blocks can be carried that are movable and have a form", () => {
  const vehicles = [
    car({ id: 1, name: "car" }),
    car({ id: 4, name: "van" }),
    car({ id: 6, name: "lift", is_movable: false }),
  ];
  const blocks = [
    block({ id: 2, name: "wall", is_movable: false }),
    block({ id: 3, name: "crate" }),
    block({ id: 5, name: "point", outline: [] }),
  ];
  expect(portable({ vehicles, blocks })).toEqual([
    { id: 1, name: "car", vehicle: 0 },
    { id: 4, name: "van", vehicle: 1 },
    { id: 3, name: "crate", vehicle: undefined },
  ]);
});

test("places are told with true signs, and headings within half a turn", () => {
  expect(placeOf({ x: -1.234, y: 0, yaw: 1.5 * Math.PI })).toBe("x −1.23 m, y 0.00 m, heading −90°");
});
