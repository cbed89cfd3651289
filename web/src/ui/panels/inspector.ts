// The selected vehicle: its values as numbers, its wheels as a table, its plots below.
import type { VehicleView } from "../../protocol/types";
import { vehicleColor } from "../../scene/bodies/palette";
import { portable } from "../carry";
import { degrees, fixed, shortName } from "../data/format";
import { readingsPart } from "../data/readings";
import { button } from "../parts/button";
import { byId, h, say } from "../parts/dom";
import { icon } from "../parts/icons";
import { meanSteer } from "../steering";
import { isDark } from "../theme";
import type { Page } from "./page";
import { plotPanel } from "./plots";

/** A value that the panel shows. */
interface Reading {
  name: string;
  /** Tooltip, where the name alone may be misread. */
  about?: string;
  unit: string;
  /** Undefined: it does not apply to this vehicle. */
  read(page: Page): string | undefined;
}

const number = (value: number | undefined, digits: number, times = 1) =>
  value === undefined ? "–" : fixed(value * times, digits);
const angle = (value: number | undefined, digits = 1) => (value === undefined ? "–" : fixed(degrees(value), digits));
const DEGREE = 180 / Math.PI;

/** An acceleration, if known: recordings may lack it. */
const known = (store: Page["store"], channel: string) =>
  store.isKnown(channel) ? number(store.value(channel), 2) : undefined;

/** A number of the ghost, if there is one. */
const beside = (store: Page["store"], value: number | undefined) =>
  store.ghost === undefined ? undefined : number(value, 2);

const LARGE: Reading[] = [
  { name: "Speed", unit: "m/s", read: ({ store }) => number(store.value("vx"), 2) },
  { name: "Yaw rate", unit: "°/s", read: ({ store }) => number(store.value("yaw_rate"), 1, DEGREE) },
  {
    name: "Steer, mean",
    about: "Mean of the steered wheels of the front axle",
    unit: "°",
    read: (page) => (steers(page) ? steering(page) : undefined),
  },
  { name: "Heading", unit: "°", read: (page) => (steers(page) ? undefined : heading(page)) },
];

const SMALL: Reading[] = [
  { name: "x", unit: "m", read: ({ store }) => number(store.value("x"), 2) },
  { name: "y", unit: "m", read: ({ store }) => number(store.value("y"), 2) },
  { name: "Heading", unit: "°", read: (page) => (steers(page) ? heading(page) : undefined) },
  { name: "Height", unit: "m", read: ({ store }) => (isUneven(store) ? number(store.value("z"), 2) : undefined) },
  { name: "Pitch", unit: "°", read: ({ store }) => (isUneven(store) ? angle(store.value("pitch")) : undefined) },
  { name: "Roll", unit: "°", read: ({ store }) => (isUneven(store) ? angle(store.value("roll")) : undefined) },
  { name: "Accel. ahead", unit: "m/s²", read: ({ store }) => known(store, "ax") },
  { name: "Accel. left", unit: "m/s²", read: ({ store }) => known(store, "ay") },
  { name: "Speed left", unit: "m/s", read: ({ store }) => number(store.value("vy"), 2) },
  { name: "Gear", unit: "", read: (page) => (hasEngine(page) ? gear(page.store.value("gear")) : undefined) },
  {
    name: "Engine",
    unit: "rpm",
    read: (page) => (hasEngine(page) ? number(page.store.value("engine_speed"), 0, 30 / Math.PI) : undefined),
  },
  {
    name: "Pedals",
    unit: "%",
    read: (page) =>
      takesPedals(page)
        ? `${number(page.store.value("throttle"), 0, 100)} / ${number(page.store.value("brake"), 0, 100)}`
        : undefined,
  },
  { name: "Ghost's speed", unit: "m/s", read: ({ store }) => beside(store, store.ghostValue("vx")) },
  {
    name: "To the ghost",
    about: "Distance of the two reference points at the same time",
    unit: "m",
    read: ({ store }) => beside(store, store.ghostDistance),
  },
  {
    name: "Tracking error",
    unit: "m",
    read: ({ store }) => ((store.value("driver") ?? 0) > 0 ? number(store.value("tracking_error"), 3) : undefined),
  },
];

const WHEEL_COLUMNS = [
  { name: "load N", channel: "load", digits: 0, times: 1 },
  { name: "slip", channel: "slip_ratio", digits: 3, times: 1 },
  { name: "slip °", channel: "slip_angle", digits: 1, times: DEGREE },
  { name: "ahead N", channel: "force_x", digits: 0, times: 1 },
  { name: "left N", channel: "force_y", digits: 0, times: 1 },
] as const;

function steers({ store }: Page): boolean {
  return store.vehicle?.max_steer != null;
}

function heading({ store }: Page): string {
  return angle(store.value("yaw"));
}

function steering({ store }: Page): string {
  const wheels = store.vehicle?.wheels ?? [];
  return angle(meanSteer(wheels.map(({ position: [x] }, i) => ({ x, steer: store.wheelValue(i, "steer") ?? 0 }))));
}

/** Whether the vehicle was ever off the level ground at height 0. */
function isUneven(store: Page["store"]): boolean {
  return ["z", "pitch", "roll"].some((channel) => store.hasMoved(channel));
}

function hasEngine({ store }: Page): boolean {
  return (store.value("engine_speed") ?? 0) !== 0 || (store.value("gear") ?? 0) !== 0;
}

function takesPedals(page: Page): boolean {
  return page.store.vehicle?.accepts.includes("pedals") === true || hasEngine(page);
}

/** The mass as text; empty where it is not known. */
function massOf({ mass }: VehicleView): string {
  return mass > 0 ? `${fixed(mass, mass < 10 ? 1 : 0)} kg` : "";
}

function gear(value: number | undefined): string {
  if (value === undefined) return "–";
  return value === 0 ? "N" : value < 0 ? "R" : String(value);
}

/** Fills the panel. Returns the part with the numbers of sensors. */
export function inspector(page: Page, pickUp: () => void): ReturnType<typeof readingsPart> {
  const { store } = page;
  const panel = byId("inspector");
  const swatch = h("span", { class: "swatch" });
  const name = h("h2", {}, "No vehicle");
  const kind = h("span", { class: "kind" });
  const state = h("span", { class: "chip state", hidden: true });
  const move = button({
    icon: "move",
    name: "Pick up and put elsewhere",
    key: "g",
    id: "pick-up",
    class: "small when-live",
    tip: "below-end",
    press: pickUp,
  });
  const cells = [...LARGE, ...SMALL].map((reading, i) => {
    const value = h("span", { class: "value" }, "–");
    const unit = h("span", { class: "unit" }, reading.unit);
    const cell = h(
      "div",
      { class: i < LARGE.length ? "cell large" : "cell", title: reading.about },
      h("dt", {}, reading.name),
      h("dd", {}, value, unit),
    );
    return { reading, value, cell };
  });
  const values = h("dl", { class: "values" }, ...cells.map(({ cell }) => cell));
  const rows = h("tbody");
  const wheels = h(
    "details",
    { class: "wheels unfolds", ontoggle: () => show() },
    h("summary", {}, "Wheels", icon("down")),
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, ""),
          ...WHEEL_COLUMNS.map((column) => h("th", { scope: "col" }, column.name)),
        ),
      ),
      rows,
    ),
  );
  const sensors = readingsPart(page);
  const empty = h("p", { class: "empty" }, "Choose a vehicle in the list, or click it.");
  const body = h("div", { class: "inspector-body", hidden: true }, values, sensors.element, wheels);
  panel.append(h("div", { class: "head" }, swatch, h("div", { class: "title" }, name, kind), state, move), empty, body);
  const plots = plotPanel(page);
  body.append(plots);

  let wheelCells: HTMLElement[][] = [];
  function renew(): void {
    const vehicle = store.vehicle;
    body.hidden = vehicle === undefined;
    empty.hidden = vehicle !== undefined;
    // Without a vehicle, blocks can be picked up here.
    const blocks = store.world === undefined ? [] : portable(store.world);
    move.hidden = vehicle === undefined ? blocks.length === 0 : !vehicle.is_movable;
    state.hidden = true;
    swatch.hidden = vehicle === undefined;
    say(name, vehicle?.name ?? "No vehicle");
    say(kind, vehicle === undefined ? "" : [vehicle.class, massOf(vehicle)].filter(Boolean).join("  ·  "));
    if (vehicle === undefined) {
      say(
        empty,
        (store.world?.vehicles.length ?? 0) === 0
          ? "Values and plots of a vehicle show up here."
          : "Choose a vehicle in the list, or click it.",
      );
      return;
    }
    paint();
    wheelCells = vehicle.wheels.map(() => WHEEL_COLUMNS.map(() => h("td", { class: "value" }, "–")));
    rows.replaceChildren(
      ...vehicle.wheels.map((wheel, i) =>
        h("tr", {}, h("th", { scope: "row" }, shortName(wheel.name)), ...(wheelCells[i] ?? [])),
      ),
    );
    show();
  }
  function paint(): void {
    swatch.style.backgroundColor = vehicleColor(isDark(), store.selected ?? 0);
  }
  function show(): void {
    if (store.vehicle === undefined) return;
    for (const { reading, value, cell } of cells) {
      const text = reading.read(page);
      cell.hidden = text === undefined;
      if (text !== undefined) say(value, text);
    }
    const colliding = (store.value("colliding") ?? 0) > 0;
    const driver = store.value("driver") ?? 0;
    const lies = (store.value("overturned") ?? 0) > 0;
    state.hidden = !colliding && !lies && driver === 0;
    state.classList.toggle("bad", colliding || lies);
    say(state, lies ? "Tipped over" : colliding ? "Collision" : driver > 1 ? "Tracking" : "Tracking waits");
    if (!wheels.open) return;
    wheelCells.forEach((cells, wheel) => {
      cells.forEach((cell, i) => {
        const column = WHEEL_COLUMNS[i];
        if (column !== undefined)
          say(cell, number(store.wheelValue(wheel, column.channel), column.digits, column.times));
      });
    });
  }
  store.on("selected", renew);
  store.on("scene", renew);
  store.on("shown", show);
  addEventListener("skidpad:theme", paint);
  return sensors;
}
