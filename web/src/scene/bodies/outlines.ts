// Outlines of the occupied cells of a map, as the walls that they stand for: straight where cells make the steps of a slanted line, with
// the corners of walls and doors where they are. This is for drawing only.
import { Vector2 } from "three";

/** A closed line around occupied cells, which lie on its left; coordinates in cells, from the corner of the first row and column. */
export type Outline = Vector2[];

/** Connected occupied cells: their border, and those of the rooms in it. */
export interface Region {
  border: Outline;
  holes: Outline[];
}

/** How far an outline may be from the middles of the cells' sides [cells]: half a cell is what a grid makes of a straight line. */
const TOLERANCE = 0.55;

/** Directions along sides of cells, counter-clockwise: with +x, +y, -x, -y. */
const STEPS = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;

/**
 * The regions of the cells that are not 0, which are connected over corners too. None where they would take more than `most` points.
 * @param cells row by row
 */
export function outlinesOf(cells: Uint8Array, columns: number, rows: number, most: number): Region[] | undefined {
  const isFull = (x: number, y: number) => x >= 0 && y >= 0 && x < columns && y < rows && cells[y * columns + x] !== 0;
  const labels = labelled(cells, columns, rows);
  /** Lower sides of cells below which it is free, that an outline has passed. */
  const passed = new Uint8Array(columns * rows);
  const regions = new Map<number, Region>();
  let count = 0;
  for (let y = 0; y < rows; y += 1) {
    for (let x = 0; x < columns; x += 1) {
      const cell = y * columns + x;
      // With the cell on the left, a lower side is passed along +x.
      if (!cells[cell] || isFull(x, y - 1) || passed[cell]) continue;
      const corners = traced(
        x,
        y,
        isFull,
        (along) => {
          passed[along] = 1;
        },
        columns,
      );
      const outline = straightened(corners);
      count += outline.length;
      if (count > most) return undefined;
      if (outline.length < 3) continue;
      const label = labels[cell] ?? 0;
      const region = regions.get(label) ?? { border: [], holes: [] };
      regions.set(label, region);
      if (areaOf(corners.map(({ at }) => at)) > 0) region.border = outline;
      else region.holes.push(outline);
    }
  }
  return [...regions.values()].filter(({ border }) => border.length > 2);
}

/** A corner of the cells, and whether the outline turns left there. */
interface Corner {
  at: Vector2;
  isLeft: boolean;
  /** Whether two cells touch there with their corners only. */
  isPinched: boolean;
}

/** Follows the sides of cells from the lower one of a cell on, around all that is connected. */
function traced(
  x0: number,
  y0: number,
  isFull: (x: number, y: number) => boolean,
  pass: (cell: number) => void,
  columns: number,
): Corner[] {
  const corners: Corner[] = [];
  let [x, y, direction] = [x0, y0, 0];
  do {
    const [dx, dy] = STEPS[direction] ?? [0, 0];
    if (direction === 0) pass(y * columns + x);
    x += dx;
    y += dy;
    // The cells ahead, on the left and on the right, of the corner reached.
    const ahead = (side: 1 | -1) => {
      const [ax, ay] = [x + 0.5 * dx - 0.5 * side * dy, y + 0.5 * dy + 0.5 * side * dx];
      return isFull(Math.floor(ax), Math.floor(ay));
    };
    const [left, right] = [ahead(1), ahead(-1)];
    // Cells that touch at a corner belong together.
    const turn = right ? -1 : left ? 0 : 1;
    if (turn !== 0) corners.push({ at: new Vector2(x, y), isLeft: turn > 0, isPinched: right && !left });
    direction = (direction + turn + 4) % 4;
  } while (x !== x0 || y !== y0 || direction !== 0);
  return corners;
}

/**
 * A wall's outline through the corners of its cells. A slanted line makes steps of one cell, which turn one way and the other: there it goes
 * through their middles, and is straight as far as these are no farther from it than the tolerance. All other corners stay.
 */
function straightened(corners: readonly Corner[]): Outline {
  const n = corners.length;
  const points: { at: Vector2; isFixed: boolean }[] = [];
  const corner = (i: number) => corners[(i + n) % n] as Corner;
  const lengthOf = (i: number) => corner(i).at.distanceTo(corner(i + 1).at);
  const isStep = (i: number) => corner(i).isLeft !== corner(i + 1).isLeft && lengthOf(i) < 1.5;
  const isLoose = (i: number) => isStep(i - 1) || isStep(i);
  const along = (i: number, distance: number) =>
    corner(i)
      .at.clone()
      .lerp(corner(i + 1).at, distance / lengthOf(i));
  for (let i = 0; i < n; i += 1) {
    const { at, isPinched } = corner(i);
    const stays = !isLoose(i);
    if (stays && isPinched) {
      // Two cells in which walls meet corner to corner are joined by as much as steps are.
      points.push({ at: along(i - 1, lengthOf(i - 1) - 0.5), isFixed: true }, { at: along(i, 0.5), isFixed: true });
    } else if (stays) points.push({ at, isFixed: true });
    // At the end of a wall of one cell: it would have no width if the corner were all that stays.
    const isEnd = lengthOf(i) < 1.5 && stays !== !isLoose(i + 1);
    if (isStep(i) || isEnd) points.push({ at: along(i, 0.5), isFixed: isEnd });
  }
  const fixed = points.findIndex(({ isFixed }) => isFixed);
  // Without a corner, from one of two points that are far apart.
  const start = Math.max(fixed, 0);
  const ring = [...points.slice(start), ...points.slice(0, start)];
  const first = ring[0];
  if (!first) return [];
  const line = [...ring, first];
  const anchors = line.flatMap(({ isFixed }, i) => (isFixed ? [i] : []));
  if (fixed < 0)
    anchors.push(
      0,
      farthest(
        line.map(({ at }) => at),
        first.at,
      ),
      line.length - 1,
    );
  const places = line.map(({ at }) => at);
  const outline: Outline = [];
  for (const [i, from] of anchors.entries()) {
    const to = anchors[i + 1];
    if (to !== undefined) outline.push(...simplified(places, from, to));
  }
  return outline;
}

/** The points from one index to before another, without those that are near the straight line (Douglas and Peucker, 1973). */
function simplified(points: readonly Vector2[], from: number, to: number): Vector2[] {
  const kept: Vector2[] = [];
  const todo: [number, number][] = [[from, to]];
  for (let piece = todo.pop(); piece; piece = todo.pop()) {
    const [first, last] = piece;
    const [a, b] = [points[first], points[last]];
    if (!a || !b) continue;
    let [most, split] = [TOLERANCE, -1];
    for (let i = first + 1; i < last; i += 1) {
      const point = points[i];
      const off = point ? distanceTo(point, a, b) : 0;
      if (off > most) [most, split] = [off, i];
    }
    if (split < 0) kept.push(a);
    // The nearer piece comes next.
    else todo.push([split, last], [first, split]);
  }
  return kept;
}

function distanceTo(point: Vector2, a: Vector2, b: Vector2): number {
  const [ux, uy, px, py] = [b.x - a.x, b.y - a.y, point.x - a.x, point.y - a.y];
  const square = ux * ux + uy * uy;
  const share = square > 0 ? Math.min(Math.max((px * ux + py * uy) / square, 0), 1) : 0;
  return Math.hypot(px - share * ux, py - share * uy);
}

function farthest(points: readonly Vector2[], from: Vector2): number {
  let [most, index] = [-1, 0];
  for (const [i, point] of points.entries()) {
    const off = point.distanceToSquared(from);
    if (off > most) [most, index] = [off, i];
  }
  return index;
}

/** Twice the area within a closed line, negative where it goes clockwise. */
function areaOf(points: readonly Vector2[]): number {
  return points.reduce((sum, a, i) => sum + a.cross(points[(i + 1) % points.length] ?? a), 0);
}

/** A number for each cell: that of the cells that it is connected with. */
function labelled(cells: Uint8Array, columns: number, rows: number): Int32Array {
  const labels = new Int32Array(columns * rows);
  const todo: number[] = [];
  let label = 0;
  for (let seed = 0; seed < labels.length; seed += 1) {
    if (!cells[seed] || labels[seed]) continue;
    label += 1;
    labels[seed] = label;
    todo.push(seed);
    for (let cell = todo.pop(); cell !== undefined; cell = todo.pop()) {
      const [x, y] = [cell % columns, Math.floor(cell / columns)];
      for (let ny = Math.max(y - 1, 0); ny <= Math.min(y + 1, rows - 1); ny += 1) {
        for (let nx = Math.max(x - 1, 0); nx <= Math.min(x + 1, columns - 1); nx += 1) {
          const near = ny * columns + nx;
          if (!cells[near] || labels[near]) continue;
          labels[near] = label;
          todo.push(near);
        }
      }
    }
  }
  return labels;
}
