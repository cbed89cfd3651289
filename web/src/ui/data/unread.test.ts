// The message to those who open the page during a pause.
import { expect, test } from "vitest";
import type { Greeting, Status } from "../../protocol/types";
import { car, LAYOUT, layoutOf, scene } from "../../scene/fixture";
import { Store } from "../../store/store";
import { tellOfUnread, UNREAD } from "./unread";

const GREETING = { mode: "live", run: "a", layout: LAYOUT, warnings: [] as string[] } as Greeting;
const PAUSED = { paused: true, ended: false } as Status;

function opened(changes: { sensors?: []; mode?: "replay" } = {}) {
  const store = new Store();
  const reported: string[] = [];
  const page = { isAsking: true };
  tellOfUnread(
    store,
    () => page.isAsking,
    (text) => reported.push(text),
  );
  const shown = scene({ vehicles: [car(changes.sensors === undefined ? {} : { sensors: changes.sensors })] });
  store.greeting({ ...GREETING, mode: changes.mode ?? "live" }, true);
  store.scene(shown, layoutOf(shown));
  const statuses = (count: number, status = PAUSED) => {
    for (let i = 0; i < count; i += 1) store.status(status);
  };
  return { store, reported, page, statuses };
}

test("a page that is opened during a pause says once why it shows no points", () => {
  const { store, reported, page, statuses } = opened();
  page.isAsking = false;
  statuses(5);
  page.isAsking = true;
  statuses(1);
  expect(reported).toEqual([]);
  statuses(5);
  expect(reported).toEqual([UNREAD]);
  // A lost connection is no other run.
  store.greeting(GREETING, false);
  statuses(3);
  expect(reported).toEqual([UNREAD]);
  store.greeting({ ...GREETING, run: "b" }, true);
  statuses(3);
  expect(reported).toEqual([UNREAD, UNREAD]);
});

test("it says nothing where there are readings, time goes on, or nothing reads", () => {
  const read = opened();
  read.store.scan({} as Parameters<Store["scan"]>[0]);
  const running = opened();
  running.statuses(5, { ...PAUSED, paused: false });
  running.statuses(1);
  for (const page of [read, opened({ sensors: [] }), opened({ mode: "replay" })]) {
    page.statuses(5);
    expect(page.reported).toEqual([]);
  }
  expect(running.reported).toEqual([]);
});
