// Which plots there are: their lines, units and scales.
import type { StateLayout } from "../../protocol/layout";
import type { VehicleView } from "../../protocol/types";
import { shortName } from "./format";

const DEGREE = 180 / Math.PI;

/** What a plot has of a ghost that is no channel: its distance [m]. */
export const GHOST_DISTANCE = "distance";

/** A line of a plot. */
export interface Line {
  name: string;
  /** Column in the rows of the history. */
  column: number;
  /** Index of its colour; wheels have the same one in every plot. */
  color: number;
  /** Set-points are dashed, actual values solid. */
  dashed: boolean;
  /** Whether it is of the ghost, which has a colour of its own. */
  isGhost?: boolean;
}

/** A plot. */
export interface PlotSpec {
  id: string;
  name: string;
  unit: string;
  /** Factor from SI to the plot's unit. */
  times: number;
  digits: number;
  /** Smallest span of the scale, in the plot's unit, so that noise does not look like motion. */
  span: number;
  /** Whether it is shown by default. */
  usual: boolean;
  /** Channels of the vehicle; `wanted` ones are dashed. */
  channels?: { name: string; channel: string; wanted?: boolean }[];
  /** Channel of the ghost beside the vehicle. */
  ghost?: string;
  /** Channel of every wheel. */
  wheel?: string;
  /** Only for vehicles with these commands, or a driver. */
  when?: (vehicle: VehicleView) => boolean;
}

/** All plots, in the order in which they stand. */
export const PLOTS: readonly PlotSpec[] = [
  {
    id: "speed",
    name: "Speed",
    unit: "m/s",
    times: 1,
    digits: 2,
    span: 0.5,
    usual: true,
    channels: [
      { name: "actual", channel: "vx" },
      { name: "wanted", channel: "wanted_vx", wanted: true },
    ],
    ghost: "vx",
  },
  { id: "ghost", name: "To the ghost", unit: "m", times: 1, digits: 2, span: 0.5, usual: true, ghost: GHOST_DISTANCE },
  {
    id: "sideways",
    name: "Speed left",
    unit: "m/s",
    times: 1,
    digits: 2,
    span: 0.5,
    usual: true,
    channels: [
      { name: "actual", channel: "vy" },
      { name: "wanted", channel: "wanted_vy", wanted: true },
    ],
    when: (vehicle) => vehicle.moves_sideways,
  },
  {
    id: "yaw_rate",
    name: "Yaw rate",
    unit: "°/s",
    times: DEGREE,
    digits: 1,
    span: 10,
    usual: true,
    channels: [
      { name: "actual", channel: "yaw_rate" },
      { name: "wanted", channel: "wanted_yaw_rate", wanted: true },
    ],
    ghost: "yaw_rate",
  },
  {
    id: "steer",
    name: "Steer",
    unit: "°",
    times: DEGREE,
    digits: 1,
    span: 5,
    usual: true,
    wheel: "steer",
    channels: [{ name: "wanted", channel: "wanted_steer", wanted: true }],
    // Who replays a car of somebody else knows its command, and not how far it steers.
    when: (vehicle) => vehicle.max_steer !== null || vehicle.not_recorded?.includes("wanted_steer") === false,
  },
  {
    id: "slip_angle",
    name: "Slip angle",
    unit: "°",
    times: DEGREE,
    digits: 1,
    span: 2,
    usual: false,
    wheel: "slip_angle",
  },
  {
    id: "slip_ratio",
    name: "Slip ratio",
    unit: "%",
    times: 100,
    digits: 1,
    span: 2,
    usual: false,
    wheel: "slip_ratio",
  },
  { id: "force_x", name: "Force ahead", unit: "N", times: 1, digits: 0, span: 1, usual: false, wheel: "force_x" },
  { id: "force_y", name: "Force left", unit: "N", times: 1, digits: 0, span: 1, usual: true, wheel: "force_y" },
  { id: "load", name: "Wheel load", unit: "N", times: 1, digits: 0, span: 1, usual: false, wheel: "load" },
  {
    id: "acceleration",
    name: "Acceleration",
    unit: "m/s²",
    times: 1,
    digits: 2,
    span: 1,
    usual: false,
    channels: [
      { name: "ahead", channel: "ax" },
      { name: "left", channel: "ay" },
    ],
  },
  {
    id: "height",
    name: "Height",
    unit: "m",
    times: 1,
    digits: 2,
    span: 0.2,
    usual: false,
    channels: [{ name: "height", channel: "z" }],
  },
  {
    id: "tilt",
    name: "Tilt",
    unit: "°",
    times: DEGREE,
    digits: 1,
    span: 2,
    usual: false,
    channels: [
      { name: "pitch", channel: "pitch" },
      { name: "roll", channel: "roll" },
    ],
  },
  {
    id: "tracking_error",
    name: "Tracking error",
    unit: "m",
    times: 1,
    digits: 3,
    span: 0.05,
    usual: false,
    channels: [{ name: "distance", channel: "tracking_error" }],
  },
  {
    id: "pedals",
    name: "Pedals",
    unit: "%",
    times: 100,
    digits: 0,
    span: 100,
    usual: false,
    channels: [
      { name: "throttle", channel: "throttle" },
      { name: "brake", channel: "brake" },
    ],
  },
  {
    id: "engine",
    name: "Engine speed",
    unit: "rpm",
    times: 30 / Math.PI,
    digits: 0,
    span: 500,
    usual: false,
    channels: [{ name: "engine", channel: "engine_speed" }],
  },
];

/**
 * The lines of a plot for a vehicle, and for the ghost beside it, none of what a recording does not tell. Columns count from the vehicle's
 * first number; the ghost's follow those of the vehicle and its wheels.
 */
export function linesOf(
  spec: PlotSpec,
  vehicle: VehicleView,
  index: number,
  layout: StateLayout,
  ghost?: VehicleView,
): Line[] {
  const start = layout.vehicle(index);
  const lines: Line[] = [];
  const isTold = (channel: string) => vehicle.not_recorded?.includes(channel) !== true;
  if (spec.wheel !== undefined && isTold(spec.wheel)) {
    for (const [i, wheel] of vehicle.wheels.entries()) {
      const column = layout.wheelChannel(index, i, spec.wheel) - start;
      lines.push({ name: shortName(wheel.name), column, color: i, dashed: false });
    }
  }
  for (const [i, channel] of (spec.channels ?? []).entries()) {
    if (!isTold(channel.channel)) continue;
    const column = layout.vehicleChannel(index, channel.channel) - start;
    lines.push({ name: channel.name, column, color: i, dashed: channel.wanted === true });
  }
  if (ghost !== undefined && spec.ghost !== undefined && ghost.not_recorded?.includes(spec.ghost) !== true) {
    const { vehicle: channels, wheel } = layout.layout;
    const first = channels.length + vehicle.wheels.length * wheel.length;
    // The distance stands behind all channels.
    const place = channels.findIndex(({ name }) => name === spec.ghost);
    const column = first + (spec.ghost === GHOST_DISTANCE ? channels.length : place);
    lines.push({ name: "ghost", column, color: 0, dashed: false, isGhost: true });
  }
  return lines;
}

/** Steps of a scale, times a power of ten. */
const STEPS = [5, 2, 1];

/** Round values on a scale from `low` to `high` [its unit]: at most `most`, but never fewer than two. */
export function ticksFor(low: number, high: number, most: number): number[] {
  const size = high - low;
  if (!(size > 0) || !Number.isFinite(size)) return [];
  let coarser: number[] = [];
  // From steps longer than the scale down to the first with too many ticks; the one before it is the best, unless that has fewer than two.
  for (let power = Math.ceil(Math.log10(size)); ; power -= 1) {
    for (const times of STEPS) {
      const step = times * 10 ** power;
      const first = Math.ceil(low / step - 1e-9);
      const last = Math.floor(high / step + 1e-9);
      // Divided where the step is a fraction: 3 · 0.1 is not 0.3.
      const value = (i: number) => (power < 0 ? ((first + i) * times) / 10 ** -power : (first + i) * step);
      const ticks = Array.from({ length: Math.max(last - first + 1, 0) }, (_, i) => value(i));
      if (ticks.length > Math.max(most, 2)) return coarser.length >= 2 ? coarser : ticks;
      coarser = ticks;
    }
  }
}

/** Decimals of values on a scale of this size [its unit]: those of the plot, and more where whole steps of them would be too coarse. */
export function digitsFor(size: number, digits: number): number {
  if (!(size > 0) || !Number.isFinite(size)) return digits;
  return Math.max(digits, Math.min(3, 1 - Math.floor(Math.log10(size))));
}

/** A scale that holds all values with some margin, and spans at least `span`. */
export function scaleFor(low: number | null, high: number | null, span: number): [number, number] {
  const from = low ?? 0;
  const to = high ?? 0;
  const size = Math.max(to - from, span);
  const middle = (from + to) / 2;
  const half = size * 0.56;
  return [middle - half, middle + half];
}
