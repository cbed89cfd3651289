// The real-time factor of the last minutes, as a small graph behind a button beside the number.
import type { Status } from "../../protocol/types";
import type { Store } from "../../store/store";
import { factor } from "../data/format";
import { scaleFor, ticksFor } from "../data/plotspecs";
import { menu } from "../panels/menu";
import { h, say } from "./dom";

const SVG = "http://www.w3.org/2000/svg";
/** Statuses that are kept: one comes in a second. */
const MAX_STATUSES = 180;
/** Size of the picture, and of the room for the scale [px]. */
const [WIDTH, HEIGHT, LEFT] = [260, 90, 44];
/** Smallest span of the scale [-]. */
const SPAN = 0.2;

/** Factors while time went on, from the oldest on; pauses are left out. */
export class Paces {
  readonly values: number[] = [];

  add({ paused, ended, real_time_factor: now }: Status): void {
    if (paused || ended || !(now > 0)) return;
    this.values.push(now);
    if (this.values.length > MAX_STATUSES) this.values.shift();
  }

  /** The least and the mean factor. */
  get summary(): { least: number; mean: number } | undefined {
    const { values } = this;
    if (values.length === 0) return undefined;
    return { least: Math.min(...values), mean: values.reduce((sum, value) => sum + value, 0) / values.length };
  }
}

/** Makes the button with its graph. */
export function paceGraph(store: Store): HTMLElement {
  const paces = new Paces();
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("class", "pace-line");
  const scale = document.createElementNS(SVG, "g");
  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", "Real-time factor over time");
  picture.append(scale, line);
  const words = h("p", { class: "value" });
  const shown = menu(
    {
      icon: "chart",
      name: "Real-time factor over time",
      class: "small",
      id: "pace",
      tip: "below",
      opens: () => draw(),
    },
    { class: "menu-below", role: "group", "aria-label": "Real-time factor" },
    h("h2", {}, "Real-time factor"),
    picture,
    words,
  );

  function draw(): void {
    const { values, summary } = paces;
    const [low, high] = scaleFor(Math.min(...values), Math.max(...values), SPAN);
    const height = (value: number) => (HEIGHT * (high - value)) / (high - low);
    const across = (i: number) => LEFT + ((WIDTH - LEFT) * (i + MAX_STATUSES - values.length)) / (MAX_STATUSES - 1);
    const points = values.map((value, i) => `${across(i).toFixed(1)} ${height(value).toFixed(1)}`);
    line.setAttribute("d", points.length === 0 ? "" : `M${points.join("L")}`);
    const ticks = values.length === 0 ? [] : ticksFor(low, high, 4);
    scale.replaceChildren(
      ...ticks.flatMap((tick) => {
        const rule = document.createElementNS(SVG, "path");
        rule.setAttribute("d", `M${LEFT} ${height(tick)}H${WIDTH}`);
        const text = document.createElementNS(SVG, "text");
        text.setAttribute("x", String(LEFT - 5));
        text.setAttribute("y", String(height(tick)));
        text.textContent = factor(tick);
        return [rule, text];
      }),
    );
    const minutes = Math.round(MAX_STATUSES / 60);
    say(
      words,
      summary === undefined
        ? "Time has not gone on yet."
        : `mean ${factor(summary.mean)}, least ${factor(summary.least)} in the last ${minutes} min`,
    );
  }

  store.on("greeting", () => {
    if (store.running === undefined) paces.values.length = 0;
  });
  store.on("status", (status) => {
    paces.add(status);
    if (!shown.panel.hidden) draw();
  });
  return shown.element;
}
