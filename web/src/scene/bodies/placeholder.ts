// What stands in for a mesh that is not there: a translucent box with crossed edges, like the sign for a missing picture.
import { type BufferGeometry, Vector3 } from "three";
import type { Drawer } from "../drawing/drawer";
import type { Rigid } from "./batch";
import type { ColorView } from "./colors";
import { prismGeometry, triangleGeometry } from "./geometry";

const FILL: ColorView = [150, 156, 166, 70];
const EDGE: ColorView = [232, 158, 44, 255];
/** Thickness of the edges, in lengths of the longest. */
const THICKNESS = 0.02;

/** Draws it on a body, around its outline [m] between two heights [m]. The returned function removes it. */
export function drawPlaceholder(
  drawer: Drawer,
  body: Rigid,
  outline: readonly (readonly number[])[],
  z: readonly number[],
): () => void {
  if (outline.length < 3) return () => undefined;
  const key = `placeholder ${JSON.stringify([outline, z])}`;
  const prism = drawer.shared(`${key} fill`, () => prismGeometry(outline, z));
  const frame = drawer.shared(key, () => crossedBox(outline, z));
  const look = { cull: "back", hasCornerColors: false };
  const parts = [
    drawer.part(body, prism, drawer.materials.material({ ...look, color: FILL, isLit: true })),
    drawer.part(body, frame, drawer.materials.material({ ...look, color: EDGE, isLit: false })),
  ];
  return () => {
    for (const remove of parts) remove();
  };
}

/** The edges of the box around an outline, and the diagonals of its faces, as thin bars. */
export function crossedBox(outline: readonly (readonly number[])[], z: readonly number[]): BufferGeometry {
  const ends = [outline.map(([x = 0]) => x), outline.map(([, y = 0]) => y), [...z]];
  const [low, high] = [Math.min, Math.max].map((end) => ends.map((values) => end(...values)));
  const corner = (i: number) => new Vector3(...[0, 1, 2].map((axis) => ((i >> axis) & 1 ? high : low)?.[axis] ?? 0));
  const size = corner(0).distanceTo(corner(7));
  const bars: number[] = [];
  for (let a = 0; a < 8; a += 1) {
    for (let b = a + 1; b < 8; b += 1) {
      // Corners that differ along all three axes are joined by a diagonal of the space.
      const differing = [1, 2, 4].filter((bit) => (a ^ b) & bit).length;
      if (differing < 3) bars.push(...bar(corner(a), corner(b), THICKNESS * size));
    }
  }
  return triangleGeometry(new Float32Array(bars));
}

/** The four sides of a square bar between two points: three corners of each triangle. */
function bar(from: Vector3, to: Vector3, thickness: number): number[] {
  const along = to.clone().sub(from).normalize();
  const aside = new Vector3(0, 0, 1).cross(along);
  if (aside.lengthSq() < 1e-6) aside.set(1, 0, 0);
  aside.normalize().multiplyScalar(0.5 * thickness);
  const up = along.clone().cross(aside);
  const ring = [aside, up, aside.clone().negate(), up.clone().negate()];
  const corners: number[] = [];
  for (const [i, a] of ring.entries()) {
    const b = ring[(i + 1) % ring.length] ?? a;
    const [a0, b0, a1, b1] = [from.clone().add(a), from.clone().add(b), to.clone().add(a), to.clone().add(b)];
    for (const point of [a0, b0, b1, a0, b1, a1]) corners.push(point.x, point.y, point.z);
  }
  return corners;
}
