// Lines and scales of plots.
import { expect, test } from "vitest";
import { StateLayout } from "../protocol/layout";
import type { Channel, SceneView, VehicleView } from "../protocol/types";
import { linesOf, PLOTS, scaleFor } from "./plotspecs";

test("lines find their numbers in the rows of any vehicle", () => {
  const names = (list: string[]): Channel[] => list.map((name) => ({ name, unit: "", resolution: 1 }));
  const vehicle = { wheels: [{ name: "l_wheel" }, { name: "r_wheel" }] } as VehicleView;
  const scene = { vehicles: [vehicle, vehicle], blocks: [], planes: [], actors: [] } as unknown as SceneView;
  const tables = { vehicle: names(["x", "wanted_steer"]), wheel: names(["load", "steer"]), pose: [], actor: [] };
  const steer = PLOTS.find(({ id }) => id === "steer");
  if (steer === undefined) throw new Error("no plot of steering");
  expect(linesOf(steer, vehicle, 1, new StateLayout(tables, scene))).toEqual([
    { name: "l", column: 3, color: 0, dashed: false },
    { name: "r", column: 5, color: 1, dashed: false },
    { name: "wanted", column: 1, color: 0, dashed: true },
  ]);
});

test("scales hold everything and do not magnify noise", () => {
  const [low, high] = scaleFor(-1, 3, 0.5);
  expect(low).toBeLessThan(-1);
  expect(high).toBeGreaterThan(3);
  const [from, to] = scaleFor(2, 2.001, 0.5);
  expect(to - from).toBeGreaterThan(0.5);
  expect(scaleFor(null, null, 1)).toEqual([-0.56, 0.56]);
});
