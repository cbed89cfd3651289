// Where the points of walls go: to the ends of other walls, into line with the point before, and to the grid.
import { onGrid } from "./grid";

export type Point = readonly [number, number];

/** Walls within this angle of an axis are along it [rad]. */
const STRAIGHT = (6 * Math.PI) / 180;

/**
 * The place meant by a point on the ground.
 * @param before the point that the wall comes from
 * @param ends of other walls
 * @param reach distance within which an end is meant [m]
 * @param step distance of the lines of the grid [m]; none: there is no grid
 */
export function snapped(
  [x, y]: Point,
  before: Point | undefined,
  ends: readonly Point[],
  reach: number,
  step: number | undefined,
): Point {
  let best: Point | undefined;
  let least = reach;
  for (const end of ends) {
    const distance = Math.hypot(end[0] - x, end[1] - y);
    if (distance >= least) continue;
    least = distance;
    best = end;
  }
  if (best) return best;
  const whole = (value: number) => onGrid(value, step);
  if (before) {
    const [dx, dy] = [Math.abs(x - before[0]), Math.abs(y - before[1])];
    if (Math.atan2(dy, dx) < STRAIGHT) return [whole(x), before[1]];
    if (Math.atan2(dx, dy) < STRAIGHT) return [before[0], whole(y)];
  }
  return [whole(x), whole(y)];
}

/** The ends of a wall, by the pose and the outline of its block. */
export function endsOf(pose: readonly number[], outline: readonly (readonly number[])[]): Point[] {
  const [x = 0, y = 0, , yaw = 0] = pose;
  const xs = outline.map(([along = 0]) => along);
  const [cos, sin] = [Math.cos(yaw), Math.sin(yaw)];
  return [Math.min(...xs), Math.max(...xs)].map((along) => [x + along * cos, y + along * sin]);
}
