// The walls of a map as one surface, from the outlines of its occupied cells.
import { BufferAttribute, BufferGeometry, ShapeUtils, Vector2 } from "three";
import type { Outline, Region } from "../bodies/outlines";

/** Sides that turn by less than this look round: 35 degrees. */
const ROUND = Math.cos((35 * Math.PI) / 180);

/**
 * The sides and tops of walls, which have no floor.
 * @param cell side of a cell [m]
 * @param height of the walls [m]
 */
export function wallGeometry(regions: readonly Region[], cell: number, height: number): BufferGeometry {
  const corners: number[] = [];
  const normals: number[] = [];
  const side = (a: Vector2, b: Vector2, na: Vector2, nb: Vector2) => {
    for (const [point, z, normal] of [
      [a, 0, na],
      [b, 0, nb],
      [b, height, nb],
      [a, 0, na],
      [b, height, nb],
      [a, height, na],
    ] as const) {
      corners.push(cell * point.x, cell * point.y, z);
      normals.push(normal.x, normal.y, 0);
    }
  };
  for (const { border, holes } of regions) {
    for (const outline of [border, ...holes]) {
      const flat = outwards(outline);
      const n = outline.length;
      for (const [i, a] of outline.entries()) {
        const [b, own] = [outline[(i + 1) % n] ?? a, flat[i] ?? a];
        const shared = (other: Vector2 | undefined) =>
          other && own.dot(other) > ROUND ? own.clone().add(other).normalize() : own;
        side(a, b, shared(flat[(i + n - 1) % n]), shared(flat[(i + 1) % n]));
      }
    }
    top(border, holes, cell, height, corners, normals);
  }
  return geometryOf(corners, normals);
}

/** Flat areas on the ground. @param cell side of a cell [m] */
export function areaGeometry(regions: readonly Region[], cell: number): BufferGeometry {
  const [corners, normals]: [number[], number[]] = [[], []];
  for (const { border, holes } of regions) top(border, holes, cell, 0, corners, normals);
  return geometryOf(corners, normals);
}

function top(
  border: Outline,
  holes: Outline[],
  cell: number,
  height: number,
  corners: number[],
  normals: number[],
): void {
  const all = [border, ...holes].flat();
  for (const triangle of ShapeUtils.triangulateShape(border, holes)) {
    for (const i of triangle) {
      const point = all[i];
      if (!point) continue;
      corners.push(cell * point.x, cell * point.y, height);
      normals.push(0, 0, 1);
    }
  }
}

function geometryOf(corners: number[], normals: number[]): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(corners), 3));
  geometry.setAttribute("normal", new BufferAttribute(new Float32Array(normals), 3));
  return geometry;
}

/** The direction away from the occupied cells, on the left, of each side. */
function outwards(outline: Outline): Vector2[] {
  return outline.map((a, i) => {
    const b = outline[(i + 1) % outline.length] ?? a;
    return new Vector2(b.y - a.y, a.x - b.x).normalize();
  });
}
