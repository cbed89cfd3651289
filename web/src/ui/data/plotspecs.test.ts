// Lines and scales of plots.
import { expect, test } from "vitest";
import { StateLayout } from "../../protocol/layout";
import type { Channel, SceneView, VehicleView } from "../../protocol/types";
import { digitsFor, GHOST_DISTANCE, linesOf, PLOTS, scaleFor, ticksFor } from "./plotspecs";

test("lines find their numbers in the rows of any vehicle", () => {
  const names = (list: string[]): Channel[] => list.map((name) => ({ name, unit: "", resolution: 1 }));
  const vehicle = { wheels: [{ name: "l_wheel" }, { name: "r_wheel" }] } as VehicleView;
  const scene = { vehicles: [vehicle, vehicle], blocks: [], planes: [], actors: [] } as unknown as SceneView;
  const tables = {
    vehicle: names(["x", "wanted_steer"]),
    wheel: names(["load", "steer"]),
    pose: [],
    actor: [],
    seen: [],
  };
  const steer = PLOTS.find(({ id }) => id === "steer");
  if (steer === undefined) throw new Error("no plot of steering");
  expect(linesOf(steer, vehicle, 1, new StateLayout(tables, scene))).toEqual([
    { name: "l", column: 3, color: 0, dashed: false },
    { name: "r", column: 5, color: 1, dashed: false },
    { name: "wanted", column: 1, color: 0, dashed: true },
  ]);
});

test("the ghost's numbers follow those of the vehicle and its wheels", () => {
  const names = (list: string[]): Channel[] => list.map((name) => ({ name, unit: "", resolution: 1 }));
  const vehicle = { wheels: [{ name: "l_wheel" }, { name: "r_wheel" }] } as VehicleView;
  const scene = { vehicles: [vehicle, vehicle], blocks: [], planes: [], actors: [] } as unknown as SceneView;
  const tables = { vehicle: names(["x", "vx", "wanted_vx"]), wheel: names(["load"]), pose: [], actor: [], seen: [] };
  const layout = new StateLayout(tables, scene);
  const columns = (id: string, ghost?: VehicleView) => {
    const spec = PLOTS.find((plot) => plot.id === id);
    if (spec === undefined) throw new Error(`no plot ${id}`);
    return linesOf(spec, vehicle, 0, layout, ghost).map(({ name, column }) => [name, column]);
  };
  expect(columns("speed", vehicle)).toEqual([
    ["actual", 1],
    ["wanted", 2],
    ["ghost", 3 + 2 + 1],
  ]);
  expect(columns("ghost", vehicle)).toEqual([["ghost", 3 + 2 + 3]]);
  expect(columns("ghost")).toEqual([]);
  const silent = { ...vehicle, not_recorded: ["vx", GHOST_DISTANCE] } as VehicleView;
  expect(columns("speed", silent)).toHaveLength(2);
});

test("values on small scales have the decimals that tell them apart", () => {
  // Forces of a robot of 100 g, and of a truck.
  expect([3.4, 0.5, 12, 80_000].map((size) => digitsFor(size, 0))).toEqual([1, 2, 0, 0]);
  expect(digitsFor(100, 2)).toBe(2);
  expect([0, Number.NaN].map((size) => digitsFor(size, 1))).toEqual([1, 1]);
});

test("what a recording does not tell has no line", () => {
  const names = (list: string[]): Channel[] => list.map((name) => ({ name, unit: "", resolution: 1 }));
  const vehicle = { wheels: [], max_steer: null, not_recorded: ["wanted_steer", "vx"] } as unknown as VehicleView;
  const scene = { vehicles: [vehicle], blocks: [], planes: [], actors: [] } as unknown as SceneView;
  const tables = { vehicle: names(["vx", "wanted_vx", "wanted_steer"]), wheel: [], pose: [], actor: [], seen: [] };
  const lines = (id: string) => {
    const spec = PLOTS.find((plot) => plot.id === id);
    if (spec === undefined) throw new Error(`no plot ${id}`);
    return { shown: spec.when?.(vehicle), lines: linesOf(spec, vehicle, 0, new StateLayout(tables, scene)) };
  };
  expect(lines("speed").lines).toEqual([{ name: "wanted", column: 1, color: 1, dashed: true }]);
  expect(lines("steer")).toEqual({ shown: false, lines: [] });
  vehicle.not_recorded = ["vx"];
  expect(lines("steer").shown).toBe(true);
  // A vehicle of a running world tells everything, and one that does not steer has no plot of it.
  delete vehicle.not_recorded;
  expect(lines("steer").shown).toBe(false);
});

test("scales hold everything and do not magnify noise", () => {
  const [low, high] = scaleFor(-1, 3, 0.5);
  expect(low).toBeLessThan(-1);
  expect(high).toBeGreaterThan(3);
  const [from, to] = scaleFor(2, 2.001, 0.5);
  expect(to - from).toBeGreaterThan(0.5);
  expect(scaleFor(null, null, 1)).toEqual([-0.56, 0.56]);
});

test("a scale has two round ticks or more, whatever its place and height", () => {
  expect(ticksFor(-0.28, 0.28, 3)).toEqual([-0.2, 0, 0.2]);
  expect(ticksFor(0.72, 1.28, 3)).toEqual([0.8, 1, 1.2]);
  expect(ticksFor(-56, 56, 1)).toEqual([-50, 0, 50]);
  expect(ticksFor(100, 1300, 4)).toEqual([500, 1000]);
  expect(ticksFor(0, 0, 3)).toEqual([]);
  for (const most of [0, 1, 2, 3, 5]) {
    for (let i = 0; i < 200; i += 1) {
      const low = 7.3 * Math.sin(i) * 10 ** (i % 5);
      const ticks = ticksFor(low, low + 1.12 * 1.07 ** i, most);
      expect(ticks.length).toBeGreaterThanOrEqual(2);
      expect(ticks.every((tick) => tick >= low - 1e-6 && tick <= low + 1.12 * 1.07 ** i + 1e-6)).toBe(true);
    }
  }
});
