// The body carried by the user: picked up, moved by pointer or keys, and placed or left where it was.
import { type Color, Ray, type Scene, Vector3 } from "three";
import type { Footing } from "../environment/floors";
import type { Pickable } from "../input/picking";
import { Ghost } from "../overlays/marks";

/** Longest move per press of an arrow key [px]. */
const STRIDE = 20;
/** Fraction of that with Shift. */
const FINE = 0.1;
/** Height above the carried body from which the ground is searched [m]: less than a storey. */
const HEADROOM = 1;

/** The carried body and its target pose. */
export interface Load {
  /** Id of the vehicle or block. */
  entity: number;
  /** [m] */
  x: number;
  y: number;
  z: number;
  /** Whether there is terrain or a plane under it; otherwise it keeps its floor, if any. */
  isOn: boolean;
  /** Heading [rad]. */
  yaw: number;
}

/** Distance per press of an arrow key [m] for the size of a pixel [m]: 1, 2 or 5 times a power of ten. */
export function strideOf(pixel: number, isFine: boolean): number {
  const most = STRIDE * pixel;
  const power = 10 ** Math.floor(Math.log10(most));
  const lead = most / power;
  return (isFine ? FINE : 1) * power * (lead >= 5 ? 5 : lead >= 2 ? 2 : 1);
}

/** Direction of arrow keys on the ground: the world axis nearest to their direction on the page. */
export function alongAxis(azimuth: number, right: number, up: number): [number, number] {
  const quarter = Math.round(azimuth / (Math.PI / 2)) * (Math.PI / 2);
  const [sine, cosine] = [Math.round(Math.sin(quarter)), Math.round(Math.cos(quarter))];
  return [-sine * right - cosine * up, cosine * right - sine * up];
}

/** Holds the carried body. */
export class Carrying {
  private ghost: Ghost | undefined;
  /** Whether keys have moved it: then a passing pointer does not. */
  private isByKeys = false;
  /** Whether it was moved onto terrain or a plane. */
  private isOn = false;
  /** Distance of the lines to which it goes [m]; none: it goes anywhere. */
  step: number | undefined;
  /** From where the pointer holds it to its reference point [m]. */
  private grip = { x: 0, y: 0 };

  /** @param ground where a ray meets the ground */
  constructor(
    private readonly scene: Scene,
    private readonly ground: (ray: Ray) => Footing | undefined,
  ) {}

  /** The carried body. */
  get load(): Load | undefined {
    if (!this.ghost) return undefined;
    const { body, x, y, z, yaw } = this.ghost;
    return { entity: body.id, x, y, z, isOn: this.isOn, yaw };
  }

  /** Picks up a body, at its pose or with the state of the carried one. */
  take(body: Pickable, color: Color, from?: Load): void {
    this.leave();
    const xs = body.outline.flat().map(Math.abs);
    this.ghost = new Ghost(body, color, 2 * Math.max(...xs, 0.05));
    if (from) {
      Object.assign(this.ghost, { x: from.x, y: from.y, z: from.z, yaw: from.yaw });
      this.isOn = from.isOn;
    }
    this.ghost.place();
    this.scene.add(this.ghost.object);
  }

  /** Drops the carried body. Returns whether there was one. */
  leave(): boolean {
    const wasFull = this.ghost !== undefined;
    this.ghost?.dispose();
    this.ghost = undefined;
    this.isByKeys = this.isOn = false;
    this.grip = { x: 0, y: 0 };
    return wasFull;
  }

  /** Holds it where a pointer's ray meets the ground, so that it does not leap there. */
  hold(ray: Ray): void {
    const groundPoint = this.ground(ray);
    if (this.ghost && groundPoint)
      this.grip = { x: this.ghost.x - groundPoint.point.x, y: this.ghost.y - groundPoint.point.y };
  }

  /** Moves it to where a pointer's ray meets the ground. */
  point(ray: Ray, isPressed: boolean): void {
    if (isPressed) this.isByKeys = false;
    const groundPoint = this.isByKeys ? undefined : this.ground(ray);
    if (!this.ghost || !groundPoint) return;
    groundPoint.point.x = this.whole(groundPoint.point.x + this.grip.x);
    groundPoint.point.y = this.whole(groundPoint.point.y + this.grip.y);
    this.put(this.ghost, groundPoint);
  }

  /** Moves it along the ground [m]; it stays on its storey. */
  shift(x: number, y: number): void {
    const { ghost } = this;
    if (!ghost) return;
    this.isByKeys = true;
    const [low = 0, high = 0] = ghost.body.z;
    const room = Math.max(HEADROOM, high - low, Math.hypot(x, y));
    const above = new Vector3(ghost.x + x, ghost.y + y, ghost.z + room);
    const groundPoint = this.ground(new Ray(above, new Vector3(0, 0, -1)));
    this.put(ghost, groundPoint ?? { point: above.setZ(ghost.z), isOn: false });
  }

  /** Turns it [rad]. */
  turn(angle: number): void {
    if (!this.ghost) return;
    this.ghost.yaw += angle;
    this.ghost.place();
  }

  private whole(value: number): number {
    return this.step === undefined ? value : this.step * Math.round(value / this.step);
  }

  private put(ghost: Ghost, { point: { x, y, z }, isOn }: Footing): void {
    Object.assign(ghost, { x, y, z });
    this.isOn = isOn;
    ghost.place();
  }
}
