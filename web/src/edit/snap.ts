// Where the points of walls go: to the ends of other walls, into line with the point before, and to whole steps.

export type Point = readonly [number, number];

/** Walls within this angle of an axis are along it [rad]. */
const STRAIGHT = (6 * Math.PI) / 180;
/** Places of points are multiples of this [m]. */
const STEP = 0.05;

/**
 * The place meant by a point on the ground.
 * @param before the point that the wall comes from
 * @param ends of other walls
 * @param reach distance within which an end is meant [m]
 */
export function snapped([x, y]: Point, before: Point | undefined, ends: readonly Point[], reach: number): Point {
  let best: Point | undefined;
  let least = reach;
  for (const end of ends) {
    const distance = Math.hypot(end[0] - x, end[1] - y);
    if (distance >= least) continue;
    least = distance;
    best = end;
  }
  if (best) return best;
  const step = (value: number) => Math.round(value / STEP) / Math.round(1 / STEP);
  if (before) {
    const [dx, dy] = [Math.abs(x - before[0]), Math.abs(y - before[1])];
    if (Math.atan2(dy, dx) < STRAIGHT) return [step(x), before[1]];
    if (Math.atan2(dx, dy) < STRAIGHT) return [before[0], step(y)];
  }
  return [step(x), step(y)];
}

/** The ends of a wall, by the pose and the outline of its block. */
export function endsOf(pose: readonly number[], outline: readonly (readonly number[])[]): Point[] {
  const [x = 0, y = 0, , yaw = 0] = pose;
  const xs = outline.map(([along = 0]) => along);
  const [cos, sin] = [Math.cos(yaw), Math.sin(yaw)];
  return [Math.min(...xs), Math.max(...xs)].map((along) => [x + along * cos, y + along * sin]);
}
