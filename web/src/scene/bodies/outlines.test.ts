// Outlines of walls from cells of maps.
import { ShapeUtils, Vector2 } from "three";
import { expect, test } from "vitest";
import { areaGeometry, wallGeometry } from "../environment/mapwalls";
import { type Outline, outlinesOf, type Region } from "./outlines";

/** Cells of rows of text, the first at y = 0; # is occupied. */
function regions(...rows: string[]): Region[] {
  const columns = rows[0]?.length ?? 0;
  const cells = Uint8Array.from(rows.join(""), (cell) => (cell === "#" ? 1 : 0));
  const outlines = outlinesOf(cells, columns, rows.length, 1e5);
  if (!outlines) throw new Error("too many points");
  return outlines;
}

const area = (outline: Outline) => ShapeUtils.area(outline);
const sorted = (outline: Outline) =>
  outline.map(({ x, y }) => [x, y]).sort(([a = 0, b = 0], [c = 0, d = 0]) => a - c || b - d);

test("one cell is a square", () => {
  const [region, ...further] = regions("...", ".#.", "...");
  expect(further).toEqual([]);
  expect(region?.holes).toEqual([]);
  expect(sorted(region?.border ?? [])).toEqual([
    [1, 1],
    [1, 2],
    [2, 1],
    [2, 2],
  ]);
  expect(area(region?.border ?? [])).toBe(1);
});

test("a diagonal of cells is one straight wall", () => {
  const size = 40;
  const rows = Array.from({ length: size }, (_, y) => `${".".repeat(y)}#${".".repeat(size - 1 - y)}`);
  const outlined = regions(...rows);
  expect(outlined.length).toBe(1);
  const { border = [] } = outlined[0] ?? {};
  expect(border.length).toBeLessThanOrEqual(8);
  // Marching squares: half a side on either side of the line x = y.
  for (const { x, y } of border) expect(Math.abs(x - y)).toBeLessThan(1.01);
  expect(area(border)).toBeGreaterThan(0.8 * size);
});

test("a slanted edge is straight, within half a cell of where it is", () => {
  const [columns, rows, slope] = [120, 60, 0.31];
  const cells = new Uint8Array(columns * rows);
  for (let y = 0; y < rows; y += 1) {
    for (let x = 0; x < columns; x += 1) cells[y * columns + x] = y + 0.5 < 5 + slope * (x + 0.5) ? 1 : 0;
  }
  const [region] = outlinesOf(cells, columns, rows, 1e5) ?? [];
  const border = region?.border ?? [];
  expect(border.length).toBeLessThanOrEqual(8);
  const edge = border.filter(({ x, y }) => y > 1 && x > 1 && x < columns - 1);
  for (const { x, y } of edge) expect(Math.abs(y - 5 - slope * x)).toBeLessThan(0.6);
});

test("a ring has a border and a hole, and a room in it a region of its own", () => {
  const outlined = regions("#######", "#.....#", "#.###.#", "#.###.#", "#.....#", "#######");
  expect(outlined.length).toBe(2);
  const ring = outlined.find(({ holes }) => holes.length > 0);
  expect(area(ring?.border ?? [])).toBe(42);
  expect(ring?.holes.map(area)).toEqual([-20]);
  expect(area(outlined.find(({ holes }) => holes.length === 0)?.border ?? [])).toBe(6);
});

test("the ends of walls beside a door are where they are, with both corners", () => {
  const outlined = regions("............", "####...#####", "####...#####", "............");
  expect(outlined.length).toBe(2);
  const corners = outlined.flatMap(({ border }) => sorted(border));
  for (const corner of [
    [4, 1],
    [4, 3],
    [7, 1],
    [7, 3],
  ])
    expect(corners).toContainEqual(corner);
});

test("more points than are wanted are none", () => {
  const cells = Uint8Array.from({ length: 100 }, (_, i) => (i % 2 ? 1 : 0));
  expect(outlinesOf(cells, 100, 1, 50)).toBeUndefined();
});

test("walls are closed but for the ground, and look outwards", () => {
  const geometry = wallGeometry(regions("####", "#..#", "####"), 2, 3);
  const positions = geometry.getAttribute("position");
  const normals = geometry.getAttribute("normal");
  let [top, volume] = [0, 0];
  const at = (i: number) => [positions.getX(i), positions.getY(i), positions.getZ(i)] as const;
  for (let i = 0; i < positions.count; i += 3) {
    const [[ax, ay, az], [bx, by, bz], [cx, cy, cz]] = [at(i), at(i + 1), at(i + 2)];
    const flat = 0.5 * ((bx - ax) * (cy - ay) - (cx - ax) * (by - ay));
    if (normals.getZ(i) > 0.5) top += flat;
    volume += (ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)) / 6;
  }
  // Ten cells of 2 m by 2 m, 3 m high; the missing ground at z = 0 adds nothing.
  expect(top).toBeCloseTo(40, 9);
  expect(volume).toBeCloseTo(120, 9);
  expect(new Vector2(normals.getX(0), normals.getY(0)).length()).toBeCloseTo(1, 6);
});

test("areas lie flat on the ground, without their holes", () => {
  const positions = areaGeometry(regions("####", "#..#", "####"), 2).getAttribute("position");
  let area = 0;
  for (let i = 0; i < positions.count; i += 3) {
    const [a, b, c] = [i, i + 1, i + 2].map((n) => new Vector2(positions.getX(n), positions.getY(n)));
    if (a && b && c) area += 0.5 * b.sub(a).cross(c.sub(a));
    expect(positions.getZ(i)).toBe(0);
  }
  expect(area).toBeCloseTo(40, 9);
});
