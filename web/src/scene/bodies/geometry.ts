// Shapes as triangles: those of the document, and the simple ones that the page makes itself.
import { BufferAttribute, BufferGeometry, Float32BufferAttribute, ShapeUtils, Vector2 } from "three";
import { type ColorView, isDarkColor } from "./colors";

/** The bytes of a base64 text. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i += 1) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** The numbers of a base64 text: f32, little-endian. */
export function floatsOf(base64: string): Float32Array<ArrayBuffer> {
  const bytes = bytesOf(base64);
  const view = new DataView(bytes.buffer);
  const floats = new Float32Array(bytes.length >> 2);
  for (let i = 0; i < floats.length; i += 1) floats[i] = view.getFloat32(4 * i, true);
  return floats;
}

/** Triangles with a normal for each face. */
export function triangleGeometry(corners: Float32Array<ArrayBuffer>): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(corners, 3));
  geometry.computeVertexNormals();
  return geometry;
}

/** Heights beyond this count as infinite [m]. */
const ENDLESS = 50;

/**
 * Cuts infinitely high or deep shapes off just above the ground, so that one can see over them.
 * @param z height of the corners' frame [m]
 */
export function lowered(corners: Float32Array<ArrayBuffer>, z: number): Float32Array<ArrayBuffer> {
  return corners.map((value, i) => {
    if (i % 3 !== 2 || Math.abs(value + z) <= ENDLESS) return value;
    return (value + z > 0 ? 0.25 : 0.005) - z;
  });
}

/** Gives each corner its colour: red green blue, one byte each, as screens mean them. */
export function colorCorners(geometry: BufferGeometry, bytes: Uint8Array<ArrayBuffer>): void {
  geometry.setAttribute("color", new BufferAttribute(bytes, 3, true));
}

/** Smooth shading: corners at the same place share one normal. */
export function smoothNormals(geometry: BufferGeometry): void {
  const positions = geometry.getAttribute("position");
  const normals = geometry.getAttribute("normal");
  const sums = new Map<string, [number, number, number]>();
  const keys: string[] = [];
  for (let i = 0; i < positions.count; i += 1) {
    const key = `${positions.getX(i).toFixed(4)} ${positions.getY(i).toFixed(4)} ${positions.getZ(i).toFixed(4)}`;
    keys.push(key);
    const sum = sums.get(key) ?? [0, 0, 0];
    sums.set(key, [sum[0] + normals.getX(i), sum[1] + normals.getY(i), sum[2] + normals.getZ(i)]);
  }
  for (const [i, key] of keys.entries()) {
    const [x, y, z] = sums.get(key) ?? [0, 0, 1];
    const length = Math.hypot(x, y, z) || 1;
    normals.setXYZ(i, x / length, y / length, z / length);
  }
}

/** The prism over an outline, with its upper edge broken by `bevel` [m]. */
export function prismGeometry(
  outline: readonly (readonly number[])[],
  z: readonly number[],
  bevel = 0,
): BufferGeometry {
  const [low = 0, high = 0] = z;
  const ring = outline.map(([x = 0, y = 0]) => new Vector2(x, y));
  if (ShapeUtils.isClockWise(ring)) ring.reverse();
  const middle = ring.reduce((sum, p) => sum.add(p), new Vector2()).divideScalar(Math.max(ring.length, 1));
  const reach = Math.max(...ring.map((p) => p.distanceTo(middle)), 1e-6);
  const edge = Math.min(bevel, 0.5 * Math.max(high - low, 0));
  const roof = ring.map((p) => p.clone().lerp(middle, Math.min((1.4 * edge) / reach, 0.5)));
  const corners: number[] = [];
  const face = (...points: [Vector2, number][]) => {
    for (const [p, height] of points) corners.push(p.x, p.y, height);
  };
  const band = (below: Vector2[], z0: number, above: Vector2[], z1: number) => {
    for (const [i, a] of below.entries()) {
      const next = (i + 1) % below.length;
      const b = below[next];
      const c = above[next];
      const d = above[i];
      if (!b || !c || !d) continue;
      face([a, z0], [b, z0], [c, z1]);
      face([a, z0], [c, z1], [d, z1]);
    }
  };
  band(ring, low, ring, high - edge);
  if (edge > 0) band(ring, high - edge, roof, high);
  for (const [a = 0, b = 0, c = 0] of ShapeUtils.triangulateShape(ring, [])) {
    const [ra, rb, rc] = [roof[a], roof[b], roof[c]];
    const [ga, gb, gc] = [ring[a], ring[b], ring[c]];
    if (ra && rb && rc) face([ra, high], [rb, high], [rc, high]);
    if (ga && gb && gc) face([gc, low], [gb, low], [ga, low]);
  }
  return triangleGeometry(new Float32Array(corners));
}

/** A chevron that points forward on the roof over an outline: where the vehicle heads. */
export function chevronGeometry(outline: readonly (readonly number[])[], height: number): BufferGeometry {
  const xs = outline.map(([x = 0]) => x);
  const ys = outline.map(([, y = 0]) => y);
  const [x0, x1] = [Math.min(...xs), Math.max(...xs)];
  const [y0, y1] = [Math.min(...ys), Math.max(...ys)];
  const middle = 0.5 * (y0 + y1);
  const half = 0.26 * (y1 - y0);
  const depth = Math.min(1.1 * half, 0.3 * (x1 - x0));
  const tip = x1 - 0.2 * (x1 - x0);
  const thick = 0.75 * depth;
  const corner = (x: number, y: number) => [x, middle + y, height];
  const side = (sign: number) => {
    const [a, b] = [corner(tip, 0), corner(tip - depth, sign * half)];
    const [c, d] = [corner(tip - depth - thick, sign * half), corner(tip - thick, 0)];
    return sign > 0 ? [a, b, c, a, c, d] : [a, c, b, a, d, c];
  };
  return triangleGeometry(new Float32Array([...side(1), ...side(-1)].flat()));
}

const RIM = 0.62;
const SEGMENTS = 24;

/** A wheel about its axle, y, with a rim and a mark on the tyre by which one sees it turn. */
export function wheelGeometry(radius: number, width: number, color: ColorView): BufferGeometry {
  const corners: number[] = [];
  const colors: number[] = [];
  const [r, g, b] = color;
  const tyre = [r, g, b];
  // Light on dark tyres, dark on light ones.
  const isDark = isDarkColor(color);
  const mark = isDark ? [240, 240, 240] : [25, 25, 25];
  const rim = [r, g, b].map((value) => (isDark ? value + 0.55 * (255 - value) : 0.5 * value));
  const point = (segment: number, reach: number, y: number) => {
    const angle = (2 * Math.PI * segment) / SEGMENTS;
    return [reach * Math.cos(angle), y, reach * Math.sin(angle)];
  };
  const triangle = (paint: number[], ...points: number[][]) => {
    for (const p of points) {
      corners.push(...p);
      colors.push(...paint);
    }
  };
  const half = 0.5 * width;
  const inner = RIM * radius;
  for (let i = 0; i < SEGMENTS; i += 1) {
    const isMarked = i % (SEGMENTS / 2) < 2;
    const tread = isMarked ? mark : tyre;
    const [a, b0] = [point(i, radius, -half), point(i + 1, radius, -half)];
    const [c, d] = [point(i, radius, half), point(i + 1, radius, half)];
    triangle(tread, a, c, d);
    triangle(tread, a, d, b0);
    const spoke = i % (SEGMENTS / 4) < 2 ? tyre : rim;
    for (const y of [-half, half]) {
      const [o0, o1, i0, i1] = [
        point(i, radius, y),
        point(i + 1, radius, y),
        point(i, inner, y),
        point(i + 1, inner, y),
      ];
      const hub = [0, y, 0];
      if (y < 0) {
        triangle(isMarked ? mark : tyre, o0, o1, i1);
        triangle(isMarked ? mark : tyre, o0, i1, i0);
        triangle(spoke, i0, i1, hub);
      } else {
        triangle(isMarked ? mark : tyre, o0, i1, o1);
        triangle(isMarked ? mark : tyre, o0, i0, i1);
        triangle(spoke, i0, hub, i1);
      }
    }
  }
  const geometry = triangleGeometry(new Float32Array(corners));
  colorCorners(geometry, Uint8Array.from(colors));
  return geometry;
}

const FEW_SEGMENTS = 10;

/** A wheel about its axle, y, with few corners, for scenes with hundreds of wheels: its mark is a bar across each side. */
export function simpleWheelGeometry(radius: number, width: number, color: ColorView): BufferGeometry {
  const half = 0.5 * width;
  const corners: number[] = [];
  const normals: number[] = [];
  const colors: number[] = [];
  const indices: number[] = [];
  const add = (x: number, y: number, z: number, normal: number[], paint: readonly number[]) => {
    corners.push(x, y, z);
    normals.push(...normal);
    colors.push(...paint.slice(0, 3));
    return corners.length / 3 - 1;
  };
  const isDark = isDarkColor(color);
  const mark = isDark ? [240, 240, 240] : [25, 25, 25];
  for (let i = 0; i < FEW_SEGMENTS; i += 1) {
    const angle = (2 * Math.PI * i) / FEW_SEGMENTS;
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    for (const y of [-half, half]) add(radius * c, y, radius * s, [c, 0, s], color);
    const [a, b] = [2 * i, (2 * i + 2) % (2 * FEW_SEGMENTS)];
    indices.push(a, a + 1, b, b, a + 1, b + 1);
  }
  for (const side of [-1, 1]) {
    const first = corners.length / 3;
    for (let i = 0; i < FEW_SEGMENTS; i += 1) {
      const angle = (2 * Math.PI * i) / FEW_SEGMENTS;
      add(radius * Math.cos(angle), side * half, radius * Math.sin(angle), [0, side, 0], color);
    }
    const face = (a: number, b: number, c: number) => indices.push(a, ...(side < 0 ? [b, c] : [c, b]));
    for (let i = 2; i < FEW_SEGMENTS; i += 1) face(first, first + i - 1, first + i);
    const [long, thick, y] = [0.85 * radius, 0.16 * radius, side * (half + 0.01 * width)];
    const [p, q, r, t] = [-1, 1, 1, -1].map((sign, i) =>
      add(sign * long, y, (i < 2 ? -1 : 1) * thick, [0, side, 0], mark),
    ) as [number, number, number, number];
    face(p, q, r);
    face(p, r, t);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(corners, 3));
  geometry.setAttribute("normal", new Float32BufferAttribute(normals, 3));
  geometry.setIndex(indices);
  colorCorners(geometry, Uint8Array.from(colors));
  return geometry;
}

/** A triangle that points along x, of length 1 and width 1, flat on the ground. */
export function flatTriangle(): BufferGeometry {
  return triangleGeometry(new Float32Array([0, -0.5, 0, 1, 0, 0, 0, 0.5, 0]));
}

/** A strip along x of length 1 and width 1, flat on the ground. */
export function flatStrip(): BufferGeometry {
  return triangleGeometry(new Float32Array([0, -0.5, 0, 1, -0.5, 0, 1, 0.5, 0, 0, -0.5, 0, 1, 0.5, 0, 0, 0.5, 0]));
}
