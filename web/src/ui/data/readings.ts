// What sensors of few numbers measure, in the panel of the selected vehicle: poses of motion capture, fixes, ranges, contacts.
import type { ReadingMessage } from "../../protocol/decode";
import { READINGS } from "../../protocol/topics";
import type { ValueView, VehicleView } from "../../protocol/types";
import type { Page } from "../panels/page";
import { h, say } from "../parts/dom";
import { icon } from "../parts/icons";
import { fixed } from "./format";

/** A topic whose numbers are shown. */
interface Entry {
  sensor: number;
  topic: number;
  /** As in ROS: the name of the sensor, with what its topic adds. */
  name: string;
}

/** The topics of a vehicle whose numbers the page shows. */
export function readingTopics(vehicle: VehicleView | undefined): Entry[] {
  const sensors = vehicle?.sensors ?? [];
  return sensors.flatMap(({ name, topics }, sensor) =>
    topics.flatMap(({ suffix, message }, topic) =>
      READINGS.includes(message) ? [{ sensor, topic, name: `${name}${suffix}` }] : [],
    ),
  );
}

/** A value as text: yes or no for what has neither unit nor decimals. */
export function textOf({ name, unit, value, digits }: ValueView): string {
  if (value === null) return "–";
  if (name === "pressed") return value > 0 ? "yes" : "no";
  return `${fixed(value, digits)}${unit === "" ? "" : unit === "°" ? "°" : ` ${unit}`}`;
}

/** Makes the part of the panel. `isOpen` tells whether somebody looks at it, `changed` is called when that changes. */
export function readingsPart(page: Page): {
  element: HTMLElement;
  isOpen(): boolean;
  onToggle: (() => void) | undefined;
} {
  const { store } = page;
  const list = h("dl", { class: "readings" });
  const element = h(
    "details",
    { class: "sensors unfolds", open: true, hidden: true, ontoggle: () => part.onToggle?.() },
    h("summary", {}, "Sensors", icon("down")),
    list,
  );
  const part = {
    element,
    isOpen: () => !element.hidden && element.open,
    onToggle: undefined as (() => void) | undefined,
  };
  let cells = new Map<string, HTMLElement>();

  function renew(): void {
    const topics = readingTopics(store.vehicle);
    element.hidden = topics.length === 0;
    cells = new Map(topics.map(({ sensor, topic }) => [`${sensor} ${topic}`, h("dd", { class: "value" }, "–")]));
    list.replaceChildren(
      ...topics.flatMap(({ sensor, topic, name }) => [h("dt", {}, name), cells.get(`${sensor} ${topic}`) ?? ""]),
    );
    part.onToggle?.();
  }
  function take({ vehicle, sensor, topic, values }: ReadingMessage): void {
    const cell = vehicle === store.selected ? cells.get(`${sensor} ${topic}`) : undefined;
    if (!cell) return;
    const texts = values.map((value) => (values.length > 1 ? `${value.name} ${textOf(value)}` : textOf(value)));
    say(cell, texts.join("   "));
  }
  store.on("selected", renew);
  store.on("scene", renew);
  store.on("reading", take);
  return part;
}
