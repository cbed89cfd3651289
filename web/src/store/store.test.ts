// State kept across changes of the scene.
import { expect, test } from "vitest";
import { StateLayout } from "../protocol/layout";
import type { Channel, Greeting, Layout, SceneView } from "../protocol/types";
import { Store } from "./store";

const channel = (name: string): Channel => ({ name, unit: "m", resolution: 1 });
const LAYOUT: Layout = {
  vehicle: [channel("x"), channel("vx")],
  wheel: [channel("load")],
  pose: [],
  actor: [],
  seen: [],
};

function scene(revision: number, ids: number[], follow = ""): [SceneView, StateLayout] {
  const vehicles = ids.map((id) => ({ id, name: `car${id}`, wheels: [{}, {}] }));
  const view = { revision, vehicles, blocks: [], planes: [], actors: [], gui: { follow_vehicle: follow } };
  const document = view as unknown as SceneView;
  return [document, new StateLayout(LAYOUT, document)];
}

function state(store: Store, time: number): void {
  const size = store.layout?.size ?? 0;
  store.state({
    time,
    revision: store.world?.revision ?? 0,
    values: Float64Array.from({ length: size }, (_, i) => 10 * i + time),
  });
}

test("the vehicle that the world follows is selected at first, or else the first one", () => {
  const store = new Store();
  store.scene(...scene(1, [4, 5, 6], "car5"));
  expect(store.selected).toBe(1);
  const other = new Store();
  other.scene(...scene(1, [4, 5]));
  expect(other.selected).toBe(0);
  other.scene(...scene(2, []));
  expect([other.selected, other.vehicle]).toEqual([undefined, undefined]);
});

test("a selected vehicle stays selected, with its history, when others go", () => {
  const store = new Store();
  store.scene(...scene(1, [4, 5, 6]));
  store.select(2);
  state(store, 1);
  state(store, 2);
  expect([store.value("vx"), store.wheelValue(1, "load")]).toEqual([92, 112]);
  store.scene(...scene(2, [5, 6]));
  expect([store.selected, store.history.length]).toEqual([1, 2]);
  store.scene(...scene(3, [5]));
  expect([store.selected, store.history.length]).toEqual([0, 0]);
});

test("numbers of a vehicle are unknown until states have them", () => {
  const store = new Store();
  store.scene(...scene(1, [4, 5]));
  const some = (time: number, only: number) => {
    const values = Float64Array.from({ length: store.layout?.size ?? 0 }, (_, i) => 10 * i + time);
    store.state({ time, revision: 1, values, only });
  };
  some(1, 0);
  expect([store.value("vx"), store.wheelValue(0, "load"), store.history.length]).toEqual([11, 21, 1]);
  store.select(1);
  expect([store.value("vx"), store.wheelValue(0, "load"), store.history.length]).toEqual([undefined, undefined, 0]);
  some(2, 0);
  expect([store.value("vx"), store.history.length]).toEqual([undefined, 0]);
  some(3, 1);
  expect([store.value("vx"), store.wheelValue(0, "load"), store.history.length]).toEqual([53, 63, 1]);
});

test("another run forgets what was", () => {
  const store = new Store();
  store.scene(...scene(1, [4]));
  state(store, 1);
  store.greeting({ run: "b", mode: "replay", read_only: false } as Greeting, true);
  expect([store.sample, store.history.length, store.isReplay, store.isLocked]).toEqual([undefined, 0, true, true]);
});

test("selecting what is not there changes nothing", () => {
  const store = new Store();
  const seen: (number | undefined)[] = [];
  store.scene(...scene(1, [4, 5]));
  store.on("selected", (index) => seen.push(index));
  store.select(7);
  store.select(1);
  store.select(1);
  store.select(undefined);
  expect(seen).toEqual([1, undefined]);
});

test("only another vehicle counts as selected, not the same one at another place in a new scene", () => {
  const store = new Store();
  const seen: (number | undefined)[] = [];
  const inScenes: (number | undefined)[] = [];
  store.on("selected", (index) => seen.push(index));
  store.on("scene", () => inScenes.push(store.vehicle?.id));
  store.scene(...scene(1, [4, 5, 6]));
  store.select(2);
  store.scene(...scene(2, [5, 6]));
  store.scene(...scene(3, [5, 6, 7]));
  expect([store.selected, seen]).toEqual([1, [0, 2]]);
  store.scene(...scene(4, [5, 7]));
  expect([store.selected, seen]).toEqual([0, [0, 2, 0]]);
  expect(inScenes).toEqual([4, 6, 6, 5]);
  store.greeting({ run: "b", mode: "live", read_only: false } as Greeting, true);
  store.scene(...scene(1, [5]));
  expect(seen).toEqual([0, 2, 0, 0]);
});

test("in a recording, going ahead begins anew, and what it does not hold is not known", () => {
  const store = new Store();
  const at = (time: number, vx: number) => store.state({ time, revision: 1, values: Float64Array.from([1, vx, 0, 0]) });
  store.greeting({ run: "a", mode: "replay", read_only: false } as Greeting, true);
  store.scene(...scene(1, [4]));
  at(1, 0);
  at(1.1, 0);
  expect([store.isKnown("x"), store.isKnown("vx"), store.history.length]).toEqual([true, false, 2]);
  at(1.2, 3);
  at(9, 0);
  expect([store.isKnown("vx"), store.history.length]).toEqual([true, 1]);
  store.greeting({ run: "b", mode: "live", read_only: false } as Greeting, true);
  store.scene(...scene(1, [4]));
  at(1, 0);
  at(9, 0);
  expect([store.isKnown("vx"), store.history.length]).toEqual([true, 2]);
});

test("a ghost is not selected, and its numbers stand beside those of the vehicle that it goes along with", () => {
  const [view] = scene(1, [8, 4, 9, 10]);
  view.vehicles.forEach((vehicle, i) => {
    if (i === 0 || i > 1)
      vehicle.ghost = { file: "b.mcap", vehicle: `car${[0, 0, 7, 4][i]}`, span: [0, 1], other_span: [0, 1] };
  });
  const store = new Store();
  store.scene(view, new StateLayout({ ...LAYOUT, vehicle: [channel("x"), channel("y"), channel("vx")] }, view));
  expect([store.selected, store.ghost]).toEqual([1, 3]);
  store.select(2);
  expect(store.selected).toBe(1);
  state(store, 1);
  const start = store.layout?.vehicle(3) ?? 0;
  expect(store.ghostValue("vx")).toBe(10 * (start + 2) + 1);
  const apart = 10 * (start - (store.layout?.vehicle(1) ?? 0));
  expect(store.ghostDistance).toBeCloseTo(Math.hypot(apart, apart), 9);
  // Three numbers of the vehicle, one of each wheel, three of the ghost, and the distance.
  expect(store.history.width).toBe(3 + 2 + 3 + 1);
  expect(store.history.value(0, 7)).toBe(store.ghostValue("vx"));
  expect(store.history.value(0, 8)).toBe(store.ghostDistance);
});
