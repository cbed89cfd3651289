// What goes into the log.
import { expect, test } from "vitest";
import type { Greeting, Status } from "../protocol/types";
import { block, car, LAYOUT, layoutOf, sample, scene, wheel } from "../scene/fixture";
import { Log } from "../store/log";
import { Store } from "../store/store";
import { missingFiles, writeEvents } from "./events";

const STATUS: Status = {
  paused: false,
  rate: 1,
  real_time_factor: 1,
  time: 1,
  viewers: 1,
  resets: 0,
  span: null,
  ended: false,
};
const GREETING: Greeting = {
  version: "1",
  minor: 1,
  mode: "live",
  read_only: false,
  run: "a",
  can_edit: false,
  warnings: ["w.xml:3:5: unknown tag"],
  layout: LAYOUT,
};

function started() {
  const store = new Store();
  const log = new Log();
  writeEvents(store, log);
  const texts = () => log.entries.map(({ level, text }) => `${level}: ${text}`);
  return { store, log, texts };
}

test("warnings of the world are logged once for each run", () => {
  const { store, texts } = started();
  store.greeting(GREETING, true);
  store.greeting(GREETING, false);
  expect(texts()).toEqual(["warning: w.xml:3:5: unknown tag"]);
});

test("files that are not there, and things that come and go", () => {
  const { store, texts } = started();
  const lost = wheel(0, 0);
  const first = scene({
    vehicles: [car({ missing: ["car.dae"], wheels: [{ ...lost, missing: ["car.dae", "wheel.stl"] }] })],
  });
  expect(missingFiles(first)).toEqual(["car.dae", "wheel.stl"]);
  store.greeting({ ...GREETING, warnings: [] }, true);
  store.scene(first, layoutOf(first));
  expect(texts().length).toBe(2);
  const knowing = started();
  knowing.store.greeting({ ...GREETING, warnings: ['w.xml:3:5: no file "/a/car.dae"'] }, true);
  knowing.store.scene(first, layoutOf(first));
  expect(knowing.texts()).toEqual([
    'warning: w.xml:3:5: no file "/a/car.dae"',
    "warning: wheel.stl: not found, a plain shape stands for it",
  ]);
  const second = scene({ ...first, blocks: [block({ name: "crate" })], vehicles: [] });
  store.scene(second, layoutOf(second));
  expect(texts().slice(2)).toEqual(["info: crate was added", "info: car was removed"]);
});

test("a collision is one entry while its contacts follow each other", () => {
  const { store, texts } = started();
  const view = scene({ vehicles: [car()] });
  const layout = layoutOf(view);
  store.scene(view, layout);
  const hit = layout.vehicleChannel(0, "colliding");
  for (const [time, colliding] of [
    [1, 1],
    [1.1, 0],
    [1.5, 1],
    [4, 1],
  ] as const) {
    store.state(sample(layout, time, { [hit]: colliding }));
  }
  expect(texts()).toEqual(["warning: car: collision"]);
  expect(store.sample?.time).toBe(4);
});

test("a vehicle that tips over is one entry, and one more once it stands again", () => {
  const { store, texts } = started();
  const view = scene({ vehicles: [car()] });
  const layout = layoutOf(view);
  store.scene(view, layout);
  const lies = layout.vehicleChannel(0, "overturned");
  for (const [time, lying] of [
    [1, 0],
    [1.1, 1],
    [1.2, 1],
    [4, 0],
  ] as const) {
    store.state(sample(layout, time, { [lies]: lying }));
  }
  expect(texts()).toEqual(["warning: car: tipped over", "info: car: upright again"]);
});

test("pauses, resets, the speed of time and its lag", () => {
  const { store, texts } = started();
  store.status(STATUS);
  store.status({ ...STATUS, paused: true });
  store.status({ ...STATUS, resets: 1 });
  store.status({ ...STATUS, resets: 1, rate: null });
  for (let i = 0; i < 5; i += 1) store.status({ ...STATUS, resets: 1, real_time_factor: 0.4 });
  expect(texts()).toEqual([
    "info: Paused",
    "info: Time goes on",
    "info: Everything is back at its start",
    "info: Speed of time: max",
    "info: Speed of time: 1×",
    "warning: The simulation is behind: 0.40× instead of 1×",
  ]);
});

test("warnings of the run have their own times, and come once", () => {
  const { store, log, texts } = started();
  const warning = { level: "warning", text: "slow", time: 1.5, number: 7 };
  store.greeting({ ...GREETING, warnings: [] }, true);
  store.notice(warning);
  store.notice({ level: "info", text: "the server ends", time: null, number: 0 });
  // The connection was lost meanwhile.
  store.greeting({ ...GREETING, warnings: [] }, false);
  store.notice(warning);
  store.notice({ ...warning, level: "error", text: "failed", number: 8 });
  expect(texts()).toEqual(["warning: slow", "info: the server ends", "error: failed"]);
  expect(log.entries[0]?.time).toBe(1.5);
  // Another run counts anew.
  store.greeting({ ...GREETING, run: "b", warnings: [] }, true);
  store.notice({ ...warning, number: 1 });
  expect(texts().at(-1)).toBe("warning: slow");
});
