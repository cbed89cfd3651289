// Makes uneven ground readable: shaded as if the sun stood low in the north-west, coloured by height, and with contours.
import { BufferAttribute, type BufferGeometry, Color } from "three";

/** Contours between the lowest and the highest point, about; their interval is 1, 2 or 5 times a power of ten. */
const CONTOURS = 8;
/** Direction to the light of the shading: low, from the upper left of a picture with north on top. */
const LIGHT = [-0.5, 0.5, Math.SQRT1_2] as const;
/** Mean slope [-] that shading shows well; gentler ground is exaggerated to it, at most so many times. */
const CLEAR_SLOPE = 0.4;
const MAX_EXAGGERATION = 5;
/** How strong the shading is: with 1, faces turned away from the light are darker by 0.7. */
const SHADING = 0.6;
/** Change of hue (turns), saturation and lightness from the lowest to the highest point. */
const [HUE, SATURATION, LIGHTNESS] = [-0.13, -0.06, 0.2];

/** Heights of contours [m]. */
export interface Contours {
  /** Distance of two of them [m]. */
  interval: number;
  /** x y z of the two ends of each piece [m]. */
  pieces: number[];
}

/** The largest interval of 1, 2 or 5 times a power of ten that gives `CONTOURS` or more between two heights [m]. */
export function contourInterval(low: number, high: number): number {
  const size = (high - low) / CONTOURS;
  if (!(size > 0)) return 0;
  const power = 10 ** Math.floor(Math.log10(size));
  const times = [5, 2, 1].find((factor) => factor * power <= size * (1 + 1e-9)) ?? 1;
  return times * power;
}

/** Lowest and highest corner [m]. */
function heights(geometry: BufferGeometry): [number, number] {
  geometry.computeBoundingBox();
  const { boundingBox } = geometry;
  return boundingBox ? [boundingBox.min.z, boundingBox.max.z] : [0, 0];
}

/** Where planes of equal height cut triangles. */
export function contours(geometry: BufferGeometry): Contours {
  const [low, high] = heights(geometry);
  const interval = contourInterval(low, high);
  const pieces: number[] = [];
  if (interval === 0) return { interval, pieces };
  const positions = geometry.getAttribute("position");
  const [xs, ys, zs] = [
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
  ] as [number[], number[], number[]];
  for (let i = 0; i + 2 < positions.count; i += 3) {
    for (let corner = 0; corner < 3; corner += 1) {
      xs[corner] = positions.getX(i + corner);
      ys[corner] = positions.getY(i + corner);
      zs[corner] = positions.getZ(i + corner);
    }
    const last = Math.floor(Math.max(...zs) / interval);
    for (let level = Math.ceil(Math.min(...zs) / interval); level <= last; level += 1) {
      cut(xs, ys, zs, level * interval, pieces);
    }
  }
  return { interval, pieces };
}

/** Adds the piece in which one triangle reaches this height, if there is one. */
function cut(xs: number[], ys: number[], zs: number[], height: number, pieces: number[]): void {
  const ends: number[] = [];
  for (const [from, to] of [
    [0, 1],
    [1, 2],
    [2, 0],
  ] as const) {
    const [z0 = 0, z1 = 0] = [zs[from], zs[to]];
    // Half open, so that a corner at this height belongs to one side only.
    if (z0 < height === z1 < height) continue;
    const share = (height - z0) / (z1 - z0);
    const interpolated = (values: number[]) => (values[from] ?? 0) + share * ((values[to] ?? 0) - (values[from] ?? 0));
    ends.push(interpolated(xs), interpolated(ys), height);
  }
  if (ends.length === 6) pieces.push(...ends);
}

/**
 * The same triangles with colours that show the relief.
 * @param color of the ground; without one its corners have their own, which are only shaded
 */
export function reliefGeometry(geometry: BufferGeometry, color: Color | undefined): BufferGeometry {
  const made = geometry.clone();
  const positions = made.getAttribute("position");
  const normals = made.getAttribute("normal");
  const own = made.getAttribute("color");
  const [low, high] = heights(geometry);
  const exaggeration = Math.min(Math.max(CLEAR_SLOPE / meanSlope(geometry), 1), MAX_EXAGGERATION);
  const colors = new Float32Array(3 * positions.count);
  const hsl = { h: 0, s: 0, l: 0 };
  color?.getHSL(hsl);
  const mixed = new Color();
  for (let i = 0; i < positions.count; i += 1) {
    if (color) {
      const share = (positions.getZ(i) - low) / Math.max(high - low, 1e-9) - 0.5;
      const limited = (value: number) => Math.min(Math.max(value, 0.04), 0.96);
      mixed.setHSL(
        (hsl.h + HUE * share + 1) % 1,
        limited(hsl.s + SATURATION * share),
        limited(hsl.l + LIGHTNESS * share),
      );
    } else if (own) mixed.fromBufferAttribute(own, i);
    else mixed.set(0xffffff);
    const [x, y, z] = [exaggeration * normals.getX(i), exaggeration * normals.getY(i), normals.getZ(i)];
    const lit = (x * LIGHT[0] + y * LIGHT[1] + z * LIGHT[2]) / (Math.hypot(x, y, z) || 1);
    // Level ground keeps its colour.
    mixed.multiplyScalar(1 + SHADING * (Math.max(lit, 0) - LIGHT[2])).toArray(colors, 3 * i);
  }
  made.setAttribute("color", new BufferAttribute(colors, 3));
  return made;
}

/** Mean steepness of the corners [-]. */
function meanSlope(geometry: BufferGeometry): number {
  const normals = geometry.getAttribute("normal");
  let sum = 0;
  for (let i = 0; i < normals.count; i += 1) {
    sum += Math.hypot(normals.getX(i), normals.getY(i)) / Math.max(Math.abs(normals.getZ(i)), 0.05);
  }
  return Math.max(sum / Math.max(normals.count, 1), 1e-6);
}
