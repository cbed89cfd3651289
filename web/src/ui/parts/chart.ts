// One plot, drawn by uPlot. This module is loaded when the first plot is wanted.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { brief, fixed } from "../data/format";
import { digitsFor, type Line, type PlotSpec, scaleFor, ticksFor } from "../data/plotspecs";
import { h, say } from "./dom";

const AXIS_WIDTH = 46;
/** Smallest distance of two ticks [px]. */
const TICK_SPACE = 24;
const SYNC = "plots";

/** A colour of the page in a form for canvases, which support neither variables nor `light-dark()`. */
function color(name: string): string {
  const probe = h("span", { hidden: true });
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const resolved = getComputedStyle(probe).color;
  probe.remove();
  return resolved;
}

/** A plot with its heading, which shows values: the newest ones, or those under the pointer. */
export class Chart {
  readonly element: HTMLElement;
  private readonly plot: uPlot;
  private readonly readouts: HTMLElement[];
  private readonly observer: ResizeObserver;
  private readonly place: HTMLElement;

  constructor(
    private readonly spec: PlotSpec,
    readonly lines: Line[],
    isLast: boolean,
  ) {
    this.readouts = lines.map(() => h("span", { class: "value" }, "–"));
    const isCrowded = lines.length > 2;
    const legend = lines.map((line, i) => {
      const key = { "data-color": line.isGhost ? "ghost" : line.dashed ? "wanted" : line.color % 8 };
      // With many lines the names are coloured, which saves the space of swatches.
      if (isCrowded) return h("span", { class: "entry" }, h("b", key, line.name), this.readouts[i]);
      const swatch = h("span", {
        class: line.dashed ? "line dashed" : "line",
        ...key,
      });
      return h("span", { class: "entry" }, swatch, line.name, this.readouts[i]);
    });
    this.place = h("div", { class: "chart" });
    this.element = h(
      "figure",
      { class: isLast ? "plot last" : "plot", "data-plot": spec.id, "aria-label": `${spec.name} over time` },
      h(
        "figcaption",
        {},
        h("span", { class: "plot-name" }, spec.name, h("span", { class: "unit" }, spec.unit)),
        h("span", { class: isCrowded ? "legend crowded" : "legend" }, ...legend),
      ),
      this.place,
    );
    const axis: uPlot.Axis = {
      stroke: color("--muted"),
      font: "10.5px system-ui, sans-serif",
      grid: { stroke: color("--grid"), width: 1 },
      ticks: { show: false },
      border: { show: false },
    };
    this.plot = new uPlot(
      {
        width: 300,
        height: 80,
        legend: { show: false },
        padding: [6, 14, isLast ? 0 : 6, 0],
        cursor: { y: false, drag: { x: false, y: false }, sync: { key: SYNC }, points: { size: 6 } },
        scales: {
          x: { time: false },
          y: { range: (_, low, high) => scaleFor(low, high, spec.span) },
        },
        axes: [
          {
            ...axis,
            show: isLast,
            size: 22,
            gap: 3,
            values: (_, splits) => splits.map((value) => `${brief(value)} s`),
            space: 56,
          },
          {
            ...axis,
            size: AXIS_WIDTH,
            gap: 5,
            splits: (plot, _, low, high) =>
              ticksFor(low, high, Math.floor(plot.bbox.height / devicePixelRatio / TICK_SPACE)),
            values: (_, splits) => splits.map(brief),
          },
        ],
        series: [
          {},
          ...lines.map((line): uPlot.Series => {
            return {
              label: line.name,
              stroke: color(line.isGhost ? "--ghost" : line.dashed ? "--wanted" : `--line-${line.color % 8}`),
              width: 1.5,
              points: { show: false },
              ...(line.dashed ? { dash: [5, 4] } : {}),
            };
          }),
        ],
        hooks: { setCursor: [() => this.read()] },
      },
      [[], ...lines.map(() => [])],
      this.place,
    );
    this.observer = new ResizeObserver(() => this.fit());
    this.observer.observe(this.place);
  }

  /** From SI to the unit of the plot. */
  get times(): number {
    return this.spec.times;
  }

  /** Draws data from `start` to `end` [s]. */
  draw(times: number[], columns: number[][], start: number, end: number): void {
    this.plot.batch(() => {
      this.plot.setData([times, ...columns], false);
      this.plot.setScale("x", { min: start, max: end });
    });
    this.read();
  }

  /** Removes it. */
  remove(): void {
    this.observer.disconnect();
    this.plot.destroy();
    this.element.remove();
  }

  private read(): void {
    const times = this.plot.data[0];
    const index = this.plot.cursor.idx ?? times.length - 1;
    const { min = 0, max = 0 } = this.plot.scales.y ?? {};
    const digits = digitsFor((max ?? 0) - (min ?? 0), this.spec.digits);
    this.readouts.forEach((readout, i) => {
      const value = this.plot.data[i + 1]?.[index];
      say(readout, fixed(value ?? undefined, digits));
    });
  }

  private fit(): void {
    const { clientWidth: width, clientHeight: height } = this.place;
    if (width > 0 && height > 0 && (width !== this.plot.width || height !== this.plot.height)) {
      this.plot.setSize({ width, height });
    }
  }
}
