// Poses as matrices, without making objects: they are computed for every wheel in every frame.
import { Matrix4 } from "three";

/** Writes the matrix of a pose: yaw about z, then pitch about y, then roll about x. */
export function poseMatrix(
  x: number,
  y: number,
  z: number,
  yaw: number,
  pitch: number,
  roll: number,
  out: Matrix4,
): Matrix4 {
  const cy = Math.cos(yaw);
  const sy = Math.sin(yaw);
  const cp = Math.cos(pitch);
  const sp = Math.sin(pitch);
  const cr = Math.cos(roll);
  const sr = Math.sin(roll);
  return out.set(
    cy * cp,
    cy * sp * sr - sy * cr,
    cy * sp * cr + sy * sr,
    x,
    sy * cp,
    sy * sp * sr + cy * cr,
    sy * sp * cr - cy * sr,
    y,
    -sp,
    cp * sr,
    cp * cr,
    z,
    0,
    0,
    0,
    1,
  );
}

/** The matrix of a pose of the scene document. */
export function matrixOf(pose: readonly number[]): Matrix4 {
  const [x = 0, y = 0, z = 0, yaw = 0, pitch = 0, roll = 0] = pose;
  return poseMatrix(x, y, z, yaw, pitch, roll, new Matrix4());
}

/** Writes a·b of two rigid or affine matrices into an array of matrices, column by column. */
export function multiplyInto(a: Matrix4, b: Matrix4, out: Float32Array, offset: number): void {
  const [a0, a1, a2, , a4, a5, a6, , a8, a9, a10, , a12, a13, a14] = a.elements;
  const e = b.elements;
  for (let column = 0; column < 4; column += 1) {
    const at = 4 * column;
    const x = e[at] as number;
    const y = e[at + 1] as number;
    const z = e[at + 2] as number;
    const w = column === 3 ? 1 : 0;
    out[offset + at] = a0 * x + a4 * y + a8 * z + a12 * w;
    out[offset + at + 1] = a1 * x + a5 * y + a9 * z + a13 * w;
    out[offset + at + 2] = a2 * x + a6 * y + a10 * z + a14 * w;
    out[offset + at + 3] = w;
  }
}

/** A point of the plane. */
export type Point = [number, number];

/** Writes where a point [m] comes to by a turn [rad] about a pivot [m]; without a pivot it stays. */
export function turnAbout(pivot: Readonly<Point> | null, point: Readonly<Point>, turn: number, out: Point): void {
  const [px, py] = pivot ?? point;
  const [x, y] = [point[0] - px, point[1] - py];
  out[0] = px + Math.cos(turn) * x - Math.sin(turn) * y;
  out[1] = py + Math.sin(turn) * x + Math.cos(turn) * y;
}

/** An angle [rad] as the one between -π and π. */
export function wrapped(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}
