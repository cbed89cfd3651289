// Shapes with fewer corners, that look the same from afar: software takes its time for each corner and each triangle, however small. Points of the
// surface are moved onto neighbours one after the other (W. J. Schroeder, "Decimation of triangle meshes", SIGGRAPH 1992), as long as the surface
// stays within a distance of where it was.
import { BufferAttribute, BufferGeometry, Triangle, Vector3 } from "three";

/** Parts of the error that are allowed one after the other, so that what costs least goes first. */
const SHARES = [0.01, 0.12, 0.25, 0.5, 1];
/** Rounds over all points for each of them, at most. */
const ROUNDS = 6;
/** Cosine of the angle by which a triangle may turn. */
const TURN = 0.5;
/** The same between two normals that count as one. */
const ALIKE = 0.95;
/** Points closer than this are one, and triangles flatter than this are none, in sizes of the shape. */
const SAME = 1e-5;

/** Shapes in which fewer corners can be found. */
export function isCoarsenable({ attributes, groups, morphAttributes, drawRange }: BufferGeometry): boolean {
  const names = Object.keys(attributes);
  const isPlain = names.every((name) => name === "position" || name === "normal" || name === "color");
  const isWhole = drawRange.count === Number.POSITIVE_INFINITY && groups.length === 0;
  return isPlain && isWhole && names.includes("normal") && Object.keys(morphAttributes).length === 0;
}

/** The shape with fewer corners: those that are gone were within about `error` [m] of its surface now. The shape itself if none would be left. */
export function coarsened(geometry: BufferGeometry, error: number): BufferGeometry {
  const surface = new Surface(geometry);
  for (const share of SHARES) {
    for (let round = 0; round < ROUNDS && surface.reduce(share * error); round += 1);
  }
  surface.dropParts(error);
  const reduced = surface.geometry();
  return reduced.index?.count ? reduced : geometry;
}

/** A surface that loses points. */
class Surface {
  private readonly points: Vector3[] = [];
  /** The point of each corner; three corners are a triangle. */
  private readonly at: number[] = [];
  /** The corner of the geometry where its normal and its colour are. */
  private readonly from: number[] = [];
  /** Triangles around each point. */
  private readonly around: number[][] = [];
  /** How far the surface may be from where it was at each point [m]. */
  private readonly errors: number[] = [];
  private readonly flat: number;
  private readonly hasColors: boolean;
  private readonly before = new Triangle();
  private readonly after = new Triangle();
  private readonly closest = new Vector3();
  private readonly normal = new Vector3();
  private readonly turned = new Vector3();

  constructor(private readonly source: BufferGeometry) {
    const position = source.getAttribute("position");
    if (!source.boundingSphere) source.computeBoundingSphere();
    const size = SAME * Math.max(source.boundingSphere?.radius ?? 0, 1e-9);
    this.flat = size * size;
    this.hasColors = source.hasAttribute("color");
    const known = new Map<string, number>();
    const pointOf = (corner: number) => {
      const point = new Vector3().fromBufferAttribute(position, corner);
      const key = point
        .toArray()
        .map((value) => Math.round(value / size))
        .join();
      const index = known.get(key) ?? this.points.push(point) - 1;
      known.set(key, index);
      return index;
    };
    const count = source.index?.count ?? position.count;
    const cornerOf = (i: number) => source.index?.getX(i) ?? i;
    for (let i = 0; i + 2 < count; i += 3) {
      const corners = [cornerOf(i), cornerOf(i + 1), cornerOf(i + 2)];
      const [a = 0, b = 0, c = 0] = corners.map(pointOf);
      if (a === b || b === c || c === a) continue;
      this.at.push(a, b, c);
      this.from.push(...corners);
    }
    for (const _ of this.points) {
      this.around.push([]);
      this.errors.push(0);
    }
    for (const [corner, point] of this.at.entries()) this.around[point]?.push(Math.floor(corner / 3));
  }

  /** Moves each point once that can be moved. Returns whether one was. */
  reduce(error: number): boolean {
    let isLess = false;
    for (let point = 0; point < this.points.length; point += 1) {
      if (!this.around[point]?.length) continue;
      const [to, distance] = this.best(point, error - (this.errors[point] ?? 0));
      if (to === undefined) continue;
      this.move(point, to);
      this.errors[to] = Math.max(this.errors[to] ?? 0, (this.errors[point] ?? 0) + distance);
      isLess = true;
    }
    return isLess;
  }

  /** Leaves out parts that are smaller than this [m]. */
  dropParts(size: number): void {
    const seen = new Set<number>();
    for (let start = 0; start < this.points.length; start += 1) {
      if (seen.has(start) || !this.around[start]?.length) continue;
      const part = [start];
      seen.add(start);
      const low = new Vector3().setScalar(Number.POSITIVE_INFINITY);
      const high = new Vector3().setScalar(Number.NEGATIVE_INFINITY);
      for (const point of part) {
        const place = this.points[point] as Vector3;
        low.min(place);
        high.max(place);
        for (const next of this.neighbours(point).keys()) {
          if (seen.has(next)) continue;
          seen.add(next);
          part.push(next);
        }
      }
      if (high.distanceTo(low) < size) for (const point of part) this.around[point] = [];
    }
  }

  geometry(): BufferGeometry {
    const { source, points, at, from } = this;
    const names = Object.keys(source.attributes).filter((name) => name !== "position");
    const known = new Map<string, number>();
    const numbers: Record<string, number[]> = { position: [] };
    for (const name of names) numbers[name] = [];
    const index: number[] = [];
    for (const [corner, point] of at.entries()) {
      if (!this.around[point]?.includes(Math.floor(corner / 3))) continue;
      const attributes = names.map((name) => valuesOf(source, name, from[corner] ?? 0));
      const key = [point, ...attributes.flat().map((value) => Math.round(64 * value))].join();
      let place = known.get(key);
      if (place === undefined) {
        place = known.size;
        known.set(key, place);
        numbers.position?.push(...(points[point] as Vector3).toArray());
        for (const [i, name] of names.entries()) numbers[name]?.push(...(attributes[i] ?? []));
      }
      index.push(place);
    }
    const made = new BufferGeometry();
    for (const [name, values] of Object.entries(numbers))
      made.setAttribute(name, new BufferAttribute(new Float32Array(values), 3));
    made.setIndex(index);
    return made;
  }

  /** The neighbour that a point can be moved onto at the least distance, up to `most` [m], and that distance. */
  private best(point: number, most: number): [number | undefined, number] {
    const neighbours = this.neighbours(point);
    const border = [...neighbours].filter(([next, triangles]) => this.isBorder(point, next, triangles));
    // Borders stay where they are, but for what lies between two others.
    if (border.length !== 0 && border.length !== 2) return [undefined, 0];
    let [to, least]: [number | undefined, number] = [undefined, most];
    for (const [next] of border.length > 0 ? border : neighbours) {
      let distance = this.distance(point, next, least);
      if (border.length > 0) {
        const [a, b] = border.map(([end]) => this.points[end] as Vector3) as [Vector3, Vector3];
        distance = Math.max(distance, distanceToLine(this.points[point] as Vector3, a, b));
      }
      if (distance <= least) [to, least] = [next, distance];
    }
    return [to, least];
  }

  /** How far a point is from the surface if it is moved onto another [m]; infinite where that would fold it. */
  private distance(point: number, to: number, most: number): number {
    const place = this.points[point] as Vector3;
    let least = Number.POSITIVE_INFINITY;
    for (const triangle of this.around[point] ?? []) {
      if (this.has(triangle, to)) continue;
      this.take(this.before, triangle);
      this.take(this.after, triangle, point, to);
      const area = cross(this.after, this.turned).length();
      const was = cross(this.before, this.normal).length();
      if (area < this.flat || this.turned.dot(this.normal) < TURN * area * was) return Number.POSITIVE_INFINITY;
      this.after.closestPointToPoint(place, this.closest);
      least = Math.min(least, this.closest.distanceTo(place));
    }
    return least > most ? Number.POSITIVE_INFINITY : least;
  }

  /** Whether something ends at an edge, or another colour begins. */
  private isBorder(point: number, next: number, triangles: readonly number[]): boolean {
    const [a, b] = triangles;
    if (a === undefined || b === undefined || triangles.length !== 2) return true;
    if (!this.hasColors) return false;
    const colorOf = (triangle: number, end: number) =>
      valuesOf(this.source, "color", this.from[this.corner(triangle, end)] ?? 0);
    return [point, next].some((end) => !isSameColor(colorOf(a, end), colorOf(b, end)));
  }

  /** Points with an edge to this one, each with the triangles at the edge. */
  private neighbours(point: number): Map<number, number[]> {
    const all = new Map<number, number[]>();
    for (const triangle of this.around[point] ?? []) {
      for (let i = 3 * triangle; i < 3 * triangle + 3; i += 1) {
        const next = this.at[i] as number;
        if (next === point) continue;
        const triangles = all.get(next);
        if (triangles) triangles.push(triangle);
        else all.set(next, [triangle]);
      }
    }
    return all;
  }

  private move(point: number, to: number): void {
    for (const triangle of this.around[point] ?? []) {
      if (this.has(triangle, to)) {
        for (let i = 3 * triangle; i < 3 * triangle + 3; i += 1) {
          const end = this.at[i] as number;
          if (end !== point) this.around[end] = this.around[end]?.filter((other) => other !== triangle) ?? [];
        }
        continue;
      }
      const corner = this.corner(triangle, point);
      this.at[corner] = to;
      this.from[corner] = this.alike(this.from[corner] ?? 0, to);
      this.around[to]?.push(triangle);
    }
    this.around[point] = [];
  }

  /** The corner of the geometry that one at a point looks like, so that they are one; itself if there is none. */
  private alike(own: number, point: number): number {
    const attribute = (corner: number, name: string) => valuesOf(this.source, name, corner);
    const [x, y, z] = attribute(own, "normal");
    let [nearest, most] = [own, ALIKE];
    for (const triangle of this.around[point] ?? []) {
      const other = this.from[this.corner(triangle, point)] ?? 0;
      const [nx, ny, nz] = attribute(other, "normal");
      const share = x * nx + y * ny + z * nz;
      if (share > most && (!this.hasColors || isSameColor(attribute(own, "color"), attribute(other, "color"))))
        [nearest, most] = [other, share];
    }
    return nearest;
  }

  private has(triangle: number, point: number): boolean {
    const { at } = this;
    return at[3 * triangle] === point || at[3 * triangle + 1] === point || at[3 * triangle + 2] === point;
  }

  private corner(triangle: number, point: number): number {
    return this.at.indexOf(point, 3 * triangle);
  }

  private take(into: Triangle, triangle: number, point = -1, to = -1): void {
    const place = (i: number) => {
      const own = this.at[3 * triangle + i] as number;
      return this.points[own === point ? to : own] as Vector3;
    };
    into.set(place(0), place(1), place(2));
  }
}

const SIDE = new Vector3();

/** Normal of a triangle, as long as twice its area. */
function cross({ a, b, c }: Triangle, into: Vector3): Vector3 {
  return into.subVectors(b, a).cross(SIDE.subVectors(c, a));
}

function distanceToLine(point: Vector3, a: Vector3, b: Vector3): number {
  const along = b.clone().sub(a).normalize();
  const off = point.clone().sub(a);
  return off.addScaledVector(along, -off.dot(along)).length();
}

function isSameColor(color: readonly number[], otherColor: readonly number[]): boolean {
  return color.every((value, i) => Math.abs(value - (otherColor[i] ?? 0)) < 0.02);
}

function valuesOf(geometry: BufferGeometry, name: string, corner: number): [number, number, number] {
  const attribute = geometry.getAttribute(name);
  return [attribute.getX(corner), attribute.getY(corner), attribute.getZ(corner)];
}
