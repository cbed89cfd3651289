// The ruler: the distance between two points of the ground.
import { type Object3D, Vector3 } from "three";
import type { Theme } from "../drawing/theme";
import type { Label } from "./labels";
import { LineSet } from "./lines";

/** Height above the ground [m], so that it does not hide the line. */
const LIFT = 0.02;
/** Arms of the crosses at its ends, in pixels of the page. */
const ARM = 7;

/** What is measured: differences from the first point to the second [m], and their direction [rad]. */
export interface Measured {
  distance: number;
  dx: number;
  dy: number;
  dz: number;
  heading: number;
}

/** Distance and direction from one point to another [m]. */
export function measured(from: Vector3, to: Vector3): Measured {
  const [dx, dy, dz] = [to.x - from.x, to.y - from.y, to.z - from.z];
  return { distance: Math.hypot(dx, dy, dz), dx, dy, dz, heading: Math.atan2(dy, dx) };
}

/** The ruler's two ends, as far as they are set. */
export class Ruler {
  private readonly lines = new LineSet(5, 2.5);
  private from: Vector3 | undefined;
  private to: Vector3 | undefined;
  /** Whether the second end stays where it is. */
  private isFixed = false;

  constructor(parent: Object3D) {
    this.lines.object.renderOrder = 8;
    this.lines.object.material.depthTest = false;
    parent.add(this.lines.object);
  }

  /** What is measured now. */
  get measured(): Measured | undefined {
    return this.from && this.to && measured(this.from, this.to);
  }

  /** A point is chosen: the first end, the second, or the first of the next measurement. */
  set(point: Vector3): void {
    if (!this.from || this.isFixed) {
      this.from = point.clone();
      this.to = undefined;
      this.isFixed = false;
    } else {
      this.to = point.clone();
      this.isFixed = true;
    }
  }

  /** The pointer passes over a point. */
  point(point: Vector3): void {
    if (this.from && !this.isFixed) this.to = point.clone();
  }

  clear(): void {
    this.from = this.to = undefined;
    this.isFixed = false;
  }

  /** @param pixel size of a pixel at the target of the camera [m] */
  place({ accent }: Theme, pixel: number): void {
    const ends = [this.from, this.to].filter((end) => end !== undefined);
    const arm = ARM * pixel;
    let segment = 0;
    const add = (x0: number, y0: number, z0: number, x1: number, y1: number, z1: number) => {
      this.lines.set(segment, x0, y0, z0 + LIFT, x1, y1, z1 + LIFT, accent);
      segment += 1;
    };
    for (const { x, y, z } of ends) {
      add(x - arm, y - arm, z, x + arm, y + arm, z);
      add(x - arm, y + arm, z, x + arm, y - arm, z);
    }
    const [a, b] = ends;
    if (a && b) add(a.x, a.y, a.z, b.x, b.y, b.z);
    this.lines.count = segment;
  }

  /** The distance, at the middle of the line. */
  label(text: (measured: Measured) => string): Label | undefined {
    const { from, to, measured } = this;
    if (!from || !to || !measured) return undefined;
    const { x, y, z } = new Vector3().addVectors(from, to).multiplyScalar(0.5);
    return { text: text(measured), x, y, z, lift: 8 };
  }
}
