// The stack of plots: which are shown, their time window, freezing, and export of the data.
import type { History } from "../../store/history";
import { MAX_WINDOW } from "../../store/store";
import { csv } from "../data/csv";
import { fileName, worldName } from "../data/format";
import { linesOf, PLOTS, type PlotSpec } from "../data/plotspecs";
import { button, press } from "../parts/button";
import type { Chart } from "../parts/chart";
import { h, save } from "../parts/dom";
import { swapIcon } from "../parts/icons";
import { menu, tick } from "./menu";
import type { Page } from "./page";
import { keep, recall } from "./settings";

const WINDOWS = [10, 30, MAX_WINDOW] as const;

/** Makes the part of the panel that holds plots. */
export function plotPanel(page: Page): HTMLElement {
  const { store } = page;
  let seconds = Number(recall("window") ?? 10);
  if (!WINDOWS.some((length) => length === seconds)) seconds = 10;
  const chosen = new Set(recall("plots")?.split(",") ?? PLOTS.filter((spec) => spec.usual).map((spec) => spec.id));
  let charts: Chart[] = [];
  let frozen: { rows: History; end: number } | undefined;
  let makeChart: ((spec: PlotSpec, lines: ReturnType<typeof linesOf>, isLast: boolean) => Chart) | undefined;

  const stack = h("div", { class: "plots", role: "group", "aria-label": "Plots", tabindex: 0 });
  const windows = WINDOWS.map((length) =>
    h(
      "button",
      {
        type: "button",
        class: "button small segment",
        "aria-pressed": String(length === seconds),
        onclick: () => {
          seconds = length;
          keep("window", String(length));
          windows.forEach((element, i) => {
            press(element, WINDOWS[i] === length);
          });
          draw();
        },
      },
      `${length} s`,
    ),
  );
  const freeze = button({
    icon: "pause",
    name: "Hold the plots still",
    key: "k",
    id: "freeze",
    class: "small",
    pressed: false,
    tip: "above-end",
    press: () => setFrozen(frozen === undefined),
  });
  const exporter = button({
    icon: "save",
    name: "Save this window as CSV",
    id: "csv",
    class: "small",
    tip: "above-end",
    press: () => {
      const { vehicle, layout, world } = store;
      const rows = shown();
      if (vehicle === undefined || layout === undefined || rows.rows.length === 0) return;
      const part = rows.rows.slice(rows.end - seconds, rows.end);
      const name = fileName(`${worldName(world?.name ?? "")}_${vehicle.name}`, rows.end, "csv");
      save(new Blob([csv(part, layout.layout, vehicle, ghostOf())], { type: "text/csv" }), name);
    },
  });
  const chooser = menu(
    { icon: "chart", name: "Choose plots", text: "Plots", class: "small", tip: "above-start" },
    { class: "menu-start", role: "group", "aria-label": "Plots" },
    ...PLOTS.map((spec) =>
      tick(spec.name, chosen.has(spec.id), (ticked) => {
        if (ticked) chosen.add(spec.id);
        else chosen.delete(spec.id);
        keep("plots", [...chosen].join(","));
        build();
      }),
    ),
  );
  const head = h(
    "div",
    { class: "plots-head" },
    chooser.element,
    h("div", { class: "segments", role: "group", "aria-label": "Time window" }, ...windows),
    freeze,
    exporter,
  );

  function setFrozen(hold: boolean): void {
    if (hold) {
      const end = store.history.end ?? 0;
      frozen = { rows: store.history.slice(end - MAX_WINDOW, end), end };
    } else frozen = undefined;
    press(freeze, hold);
    swapIcon(freeze, hold ? "play" : "pause");
    draw();
  }

  function shown(): { rows: History; end: number } {
    return frozen ?? { rows: store.history, end: store.history.end ?? 0 };
  }

  const ghostOf = () => (store.ghost === undefined ? undefined : store.world?.vehicles[store.ghost]);

  function build(): void {
    for (const chart of charts) chart.remove();
    charts = [];
    stack.replaceChildren();
    const { vehicle, layout, selected } = store;
    if (vehicle === undefined || layout === undefined || selected === undefined) return;
    const ghost = ghostOf();
    if (makeChart === undefined) {
      import("../parts/chart").then(
        ({ Chart }) => {
          makeChart = (spec, lines, isLast) => new Chart(spec, lines, isLast);
          build();
        },
        () => page.say("plots: their part of the page could not be loaded\nhint: reload the page", "error"),
      );
      return;
    }
    const hasLines = (spec: PlotSpec) => linesOf(spec, vehicle, selected, layout, ghost).length > 0;
    const specs = PLOTS.filter((spec) => chosen.has(spec.id) && spec.when?.(vehicle) !== false && hasLines(spec));
    if (specs.length === 0) stack.append(h("p", { class: "empty" }, "No plots chosen."));
    for (const [i, spec] of specs.entries()) {
      const chart = makeChart(spec, linesOf(spec, vehicle, selected, layout, ghost), i === specs.length - 1);
      charts.push(chart);
      stack.append(chart.element);
    }
    draw();
  }

  function draw(): void {
    if (charts.length === 0 || stack.offsetParent === null) return;
    const { rows, end } = shown();
    const start = end - seconds;
    // One row before the window, so that lines begin at its edge.
    const first = Math.max(0, rows.rowAt(start) - 1);
    const times: number[] = [];
    for (let row = first; row < rows.length; row += 1) times.push(rows.time(row));
    for (const chart of charts) {
      const columns = chart.lines.map((line) => {
        const column: number[] = [];
        for (let row = first; row < rows.length; row += 1) column.push(rows.value(row, line.column) * chart.times);
        return column;
      });
      chart.draw(times, columns, start, end);
    }
  }

  const renew = () => {
    setFrozen(false);
    build();
  };
  store.on("selected", renew);
  store.on("shown", () => {
    if (frozen === undefined && !document.hidden) draw();
  });
  addEventListener("skidpad:theme", build);
  addEventListener("skidpad:freeze", () => setFrozen(frozen === undefined));
  new ResizeObserver(draw).observe(stack);
  return h("section", { class: "plots-part", "aria-label": "Plots" }, head, stack);
}
