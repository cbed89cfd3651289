// Picking of bodies under the pointer, by the prisms over the outlines of vehicles and blocks: as exact as collisions, and fast.
import { Matrix4, Ray, Vector3 } from "three";

/** Something that can be picked. */
export interface Pickable {
  /** Id by which it is put elsewhere. */
  id: number;
  /** Index of the vehicle; none: a block. */
  vehicle: number | undefined;
  /** Whether it can be put elsewhere. */
  isMovable: boolean;
  outline: readonly (readonly number[])[];
  z: readonly number[];
  /** Its pose in the world. */
  matrix: Matrix4;
}

const inverse = new Matrix4();
const local = new Ray();

/** Distance along a ray to the solid over an outline, or none. Takes the box around the outline, grown by `slack` [m]. */
export function distanceAlong(ray: Ray, body: Pickable, slack: number): number | undefined {
  inverse.copy(body.matrix).invert();
  local.copy(ray).applyMatrix4(inverse);
  const [low = 0, high = 0] = body.z;
  let [x0, x1, y0, y1] = [
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ];
  for (const [x = 0, y = 0] of body.outline) {
    x0 = Math.min(x0, x);
    x1 = Math.max(x1, x);
    y0 = Math.min(y0, y);
    y1 = Math.max(y1, y);
  }
  let near = Number.NEGATIVE_INFINITY;
  let far = Number.POSITIVE_INFINITY;
  const { origin: o, direction: d } = local;
  const slab = (origin: number, direction: number, from: number, to: number) => {
    const a = (from - slack - origin) / direction;
    const b = (to + slack - origin) / direction;
    near = Math.max(near, Math.min(a, b));
    far = Math.min(far, Math.max(a, b));
  };
  // Rays along a face would divide 0 by 0.
  const tilted = (value: number) => (Math.abs(value) < 1e-12 ? 1e-12 : value);
  slab(o.x, tilted(d.x), x0, x1);
  slab(o.y, tilted(d.y), y0, y1);
  slab(o.z, tilted(d.z), low, high);
  return near <= far && far > 0 ? Math.max(near, 0) : undefined;
}

/** The nearest body on a ray; `slackAt` tells by how much bodies are grown at a distance [m], for what is small on the page. */
export function pickAlong(
  ray: Ray,
  bodies: readonly Pickable[],
  slackAt: (distance: number) => number,
): Pickable | undefined {
  let best: Pickable | undefined;
  let least = Number.POSITIVE_INFINITY;
  const place = new Vector3();
  // Exact hits take precedence over near misses.
  for (const isGenerous of [false, true]) {
    for (const body of bodies) {
      const away = place.setFromMatrixPosition(body.matrix).distanceTo(ray.origin);
      const distance = distanceAlong(ray, body, isGenerous ? slackAt(away) : 0);
      if (distance === undefined || distance >= least) continue;
      least = distance;
      best = body;
    }
    if (best) return best;
  }
  return undefined;
}
