// The grid of the editor: the distance of its lines, to which bodies and the points of walls go, suits what is edited.
import type { Point } from "./snap";

/** Distances that are chosen from [m]. */
export const STEPS = [0.05, 0.1, 0.25, 0.5, 1] as const;
/** The same where nobody chooses: those, and others for what is smaller or larger. */
const ALL = [0.01, 0.02, ...STEPS, 2, 5, 10, 20, 50, 100];
/** Lines are at least so far apart on the page [px]. */
const NEAREST = 7;
/** A body is at least so long, in distances of the lines. */
const SHARE = 4;
/** Most rings of places around a point that are tried. */
const MAX_RINGS = 12;

/**
 * The distance of lines [m] that suits a zoom and a body.
 * @param pixel size of a pixel [m]
 * @param smallest length of the smallest vehicle [m]; none: there is none
 */
export function fittingStep(pixel: number, smallest: number | undefined): number {
  const ofBody = ALL.filter((step) => step <= (smallest ?? 0) / SHARE + 1e-9).at(-1) ?? 0;
  const ofZoom = ALL.find((step) => step >= NEAREST * pixel) ?? 100;
  return Math.max(ofBody, ofZoom);
}

/** The nearest multiple of a step [m]; without one, to a millimetre. */
export function onGrid(value: number, step: number | undefined): number {
  const part = step ?? 0.001;
  // Division by a whole number gives the shortest decimals.
  const whole = Math.round(value / part);
  return (part < 1 ? whole / Math.round(1 / part) : whole * part) + 0;
}

/** Something that stands somewhere: the box around it, in its frame [m], and its pose [m], [rad]. */
export interface Standing {
  x: number;
  y: number;
  yaw: number;
  low: Point;
  high: Point;
}

/** Distance of a point from a box [m]; 0: it is inside. */
function distanceFrom({ x, y, yaw, low, high }: Standing, at: Point): number {
  const [dx, dy, cos, sin] = [at[0] - x, at[1] - y, Math.cos(yaw), Math.sin(yaw)];
  const [along, across] = [cos * dx + sin * dy, cos * dy - sin * dx];
  return Math.hypot(Math.max(low[0] - along, along - high[0], 0), Math.max(low[1] - across, across - high[1], 0));
}

/** A place on the grid near a point [m] where a body of this radius [m] touches nothing, as far as there is one. */
export function freePlace(
  [x, y]: Point,
  radius: number,
  standing: readonly Standing[],
  step: number | undefined,
): Point {
  const isFree = (at: Point) => standing.every((other) => distanceFrom(other, at) > radius);
  const wanted: Point = [onGrid(x, step), onGrid(y, step)];
  if (isFree(wanted)) return wanted;
  const ring = Math.max(radius, step ?? 0);
  for (let number = 1; number <= MAX_RINGS; number += 1) {
    for (let part = 0; part < 8 * number; part += 1) {
      const angle = (2 * Math.PI * part) / (8 * number);
      const distance = number * ring;
      const at: Point = [onGrid(x + distance * Math.cos(angle), step), onGrid(y + distance * Math.sin(angle), step)];
      if (isFree(at)) return at;
    }
  }
  return wanted;
}
