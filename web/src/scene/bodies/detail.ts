// How many corners software draws: no more than can be told apart in a picture of so many pixels. Shapes with fewer are made when they are needed
// first, and kept as long as the shape.
import type { BufferGeometry, Camera, PerspectiveCamera } from "three";
import { coarsened, isCoarsenable } from "./coarse";

/** How far a surface may be from where it is, in pixels of the picture. */
const ERROR = 0.5;
/** Shapes are made for errors that are a power of this, as shares of their radius, within limits. */
const STEP = Math.SQRT2;
const [FINEST, COARSEST] = [-13, -5];
/** A shape becomes coarser only when it could do so at an error less by this factor, so that it does not change to and fro. */
const STICKING = 1.15;
/** Shapes with fewer corners stay as they are, and those with more, which would take too long to make. */
const [MIN_CORNERS, MAX_CORNERS] = [90, 60_000];

const KNOWN = new WeakMap<BufferGeometry, Map<number, BufferGeometry>>();

/** What can be told apart in a picture. */
export class Grain {
  private readonly place: readonly number[];
  /** Size of a pixel at a distance of 1 m, or at any [m]. */
  private readonly pixel: number;
  private readonly isFlat: boolean;

  /** @param height of the picture [pixels] */
  constructor(camera: Camera, height: number) {
    camera.updateMatrixWorld();
    this.place = camera.matrixWorld.elements.slice(12, 15);
    this.pixel = 2 / ((camera.projectionMatrix.elements[5] ?? 1) * height);
    this.isFlat = !(camera as PerspectiveCamera).isPerspectiveCamera;
  }

  /** Size of a pixel in the coordinates of a shape, at the nearest of the places where it is drawn; infinite: it is drawn nowhere. */
  at(geometry: BufferGeometry, matrices: ArrayLike<number>, count: number): number {
    if (!geometry.boundingSphere) geometry.computeBoundingSphere();
    const { center, radius } = geometry.boundingSphere ?? { center: { x: 0, y: 0, z: 0 }, radius: 0 };
    const [cx = 0, cy = 0, cz = 0] = this.place;
    let least = Number.POSITIVE_INFINITY;
    for (let at = 0; at < 16 * count; at += 16) {
      const e = (i: number) => matrices[at + i] ?? 0;
      const scale = Math.max(length(e(0), e(1), e(2)), length(e(4), e(5), e(6)), length(e(8), e(9), e(10)));
      // A hidden part has no size.
      if (scale === 0) continue;
      const x = e(0) * center.x + e(4) * center.y + e(8) * center.z + e(12) - cx;
      const y = e(1) * center.x + e(5) * center.y + e(9) * center.z + e(13) - cy;
      const z = e(2) * center.x + e(6) * center.y + e(10) * center.z + e(14) - cz;
      const distance = this.isFlat ? 1 : Math.max(length(x, y, z) - scale * radius, 0);
      least = Math.min(least, (this.pixel * distance) / scale);
    }
    return least;
  }
}

/** The form of a shape for a picture in which a pixel has this size in its coordinates. @param now the form that it has */
export function formFor(shape: BufferGeometry, pixel: number, now: BufferGeometry): BufferGeometry {
  const corners = shape.index?.count ?? shape.getAttribute("position").count;
  if (corners < MIN_CORNERS || corners > MAX_CORNERS || !Number.isFinite(pixel)) return now;
  const radius = shape.boundingSphere?.radius ?? 0;
  const most = stepOf((ERROR * pixel) / radius);
  const before = stepsOf(shape);
  const [step = Number.NEGATIVE_INFINITY] = [...before].find(([, form]) => form === now) ?? [];
  const wanted = most > step ? Math.max(stepOf((ERROR * pixel) / radius / STICKING), step) : most;
  if (wanted === step) return now;
  if (wanted < FINEST) return shape;
  let form = before.get(wanted);
  if (!form) {
    form = isCoarsenable(shape) ? coarsened(shape, radius * STEP ** wanted) : shape;
    before.set(wanted, form);
  }
  return form;
}

/** The power of the step that an error is. */
function stepOf(share: number): number {
  const step = Math.floor(Math.log(share) / Math.log(STEP));
  return step < FINEST ? Number.NEGATIVE_INFINITY : Math.min(step, COARSEST);
}

/** The forms of a shape, by their error. */
function stepsOf(shape: BufferGeometry): Map<number, BufferGeometry> {
  let forms = KNOWN.get(shape);
  if (!forms) {
    forms = new Map();
    KNOWN.set(shape, forms);
    const made = forms;
    shape.addEventListener("dispose", () => {
      for (const form of made.values()) if (form !== shape) form.dispose();
      made.clear();
    });
  }
  return forms;
}

function length(x: number, y: number, z: number): number {
  return Math.sqrt(x * x + y * y + z * z);
}
