// What is under a point of the canvas: the ground, and vehicles and blocks.
import { type Ray, Raycaster, Vector2, type Vector3 } from "three";
import type { CameraRig } from "../camera/camera";
import type { Content } from "../content";
import { type Pickable, pickAlong } from "./picking";

/** Pointers hit bodies within this distance on the page [px]. */
const SLACK = 9;
/** And fingers. */
const FINGER = 22;

/** Materials through the points of a canvas [px]. */
export class UnderPointer {
  private readonly caster = new Raycaster();
  private readonly point = new Vector2();

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly rig: CameraRig,
    private readonly content: () => Content | undefined,
  ) {}

  /** The ray into the picture; the next call changes it. */
  ray(x: number, y: number): Ray {
    const { clientWidth, clientHeight } = this.canvas;
    this.point.set((2 * x) / clientWidth - 1, 1 - (2 * y) / clientHeight);
    this.caster.setFromCamera(this.point, this.rig.camera);
    return this.caster.ray;
  }

  /** The point of the ground [m]. */
  ground(x: number, y: number): Vector3 | undefined {
    return this.content()?.ground(this.ray(x, y))?.point;
  }

  /** The vehicle or block. */
  pick(x: number, y: number, isFinger: boolean): Pickable | undefined {
    const { rig } = this;
    const isFlat = "isOrthographicCamera" in rig.camera;
    const slack = (isFinger ? FINGER : SLACK) * rig.pixel;
    const slackAt = (distance: number) => slack * (isFlat ? 1 : distance / rig.distance);
    return pickAlong(this.ray(x, y), this.content()?.pickables ?? [], slackAt);
  }
}
