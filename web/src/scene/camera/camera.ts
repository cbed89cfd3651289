// The cameras: around a point, along with a vehicle, or from above. The user's input takes effect smoothly within a few frames.
import { OrthographicCamera, PerspectiveCamera, Vector2, Vector3 } from "three";
import type { GuiView } from "../../protocol/types";
import { wrapped } from "../bodies/pose";
import { clipOf, directionOf, raised, type View } from "./framing";

export type CameraMode = "orbit" | "follow" | "top";

/** Beyond this, in distances of the camera, things are too small in the picture to count as shown. */
const SHOWN_REACH = 3;
/** Share of the landmarks that make the whole world. */
const WHOLE = 0.9;
/** Time constants of the camera's motion and of its turning along with a vehicle [ms]. */
const EASE = 70;
const TURN_EASE = 650;
const MIN_ELEVATION = (-5 * Math.PI) / 180;
const MAX_ELEVATION = (89.5 * Math.PI) / 180;

/** The vehicle that is followed. */
export interface Followed {
  x: number;
  y: number;
  z: number;
  yaw: number;
  /** Whether the camera turns with it: pleasant for steered vehicles, not for those that spin on the spot. */
  turnsAlong: boolean;
}

/** A camera as a link names it: the mode, the target [m], and from where it is looked at [m, rad]. */
export interface Lookout {
  mode: CameraMode;
  target: [number, number, number];
  distance: number;
  /** From the world's x axis; for the following camera from the vehicle's heading. */
  azimuth: number;
  elevation: number;
}

/** How much of each edge of the canvas something else covers [px]. */
export interface Inset {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Holds the cameras, and moves them. */
export class CameraRig {
  readonly perspective = new PerspectiveCamera(60, 1, 0.1, 1e4);
  readonly orthographic = new OrthographicCamera(-1, 1, 1, -1, 0.1, 1e4);
  mode: CameraMode = "orbit";
  private gui: GuiView | undefined;
  private readonly goal: View = { target: new Vector3(), distance: 20, azimuth: -2, elevation: 0.7 };
  private readonly now: View = { target: new Vector3(), distance: 20, azimuth: -2, elevation: 0.7 };
  /** Where the followed vehicle heads, smoothed: azimuths of the following camera are from there [rad]. */
  private heading: number | undefined;
  private followed: Followed | undefined;
  private readonly size = new Vector2(1, 1);
  private inset: Inset = { left: 0, right: 0, top: 0, bottom: 0 };
  /** Where the camera was before it looked from above, and where that took it. */
  private risen: { from: View; to: View } | undefined;
  private readonly reducesMotion = matchMedia("(prefers-reduced-motion: reduce)").matches;

  /** The camera that is in use. */
  get camera(): PerspectiveCamera | OrthographicCamera {
    return this.mode === "top" || this.gui?.is_orthographic ? this.orthographic : this.perspective;
  }

  /** Distance of the camera from its target [m]. */
  get distance(): number {
    return this.now.distance;
  }

  /** The target. */
  get target(): Vector3 {
    return this.now.target;
  }

  /** Height of the picture at the target [m]. */
  get pictureHeight(): number {
    return 2 * this.now.distance * Math.tan(0.5 * this.fieldOfView);
  }

  /** Direction from the target to the camera [rad], counter-clockwise from the world's x axis. */
  get azimuth(): number {
    return this.worldAzimuth();
  }

  /** How the camera is aimed, or will be once it stands still. */
  get lookout(): Lookout {
    const { target, distance, azimuth, elevation } = this.goal;
    return { mode: this.mode, target: target.toArray(), distance, azimuth, elevation };
  }

  /** Aims the camera at once; its mode has been set. */
  set lookout({ target, distance, azimuth, elevation }: Lookout) {
    const isTop = this.mode === "top";
    const view = { target: new Vector3(...target), distance, azimuth, elevation };
    this.show(isTop ? { ...view, azimuth: this.goal.azimuth, elevation: this.goal.elevation } : view, true);
    copyView(this.goal, this.now);
    this.risen = undefined;
  }

  /** Where the axes of the world point on the page: right and up, at most 1. */
  get axes(): [number, number][] {
    // The rows of its rotation are the camera's right, up and back.
    const e = this.camera.matrixWorldInverse.elements;
    return [0, 4, 8].map((column) => [e[column] ?? 0, e[column + 1] ?? 0]);
  }

  configure(gui: GuiView): void {
    this.gui = gui;
    this.perspective.fov = (this.fieldOfView * 180) / Math.PI;
  }

  resize(width: number, height: number): void {
    this.size.set(Math.max(width, 1), Math.max(height, 1));
    this.place();
  }

  /** Centres the target in the uncovered part of the view. */
  cover(inset: Inset): void {
    this.inset = inset;
    this.place();
  }

  /** Sets the camera's goal; reached at once on request, or with reduced motion. */
  show(view: View, atOnce = false): void {
    copyView(view, this.goal);
    if (atOnce || this.reducesMotion) copyView(view, this.now);
    this.clampGoal();
  }

  /** What it looks at from now on, from as far and from the same side. */
  lookAt(x: number, y: number, z: number): void {
    this.goal.target.set(x, y, z);
    if (this.reducesMotion) this.now.target.copy(this.goal.target);
  }

  /** @param landmarks those that the orbiting camera shows stay visible from above */
  setMode(mode: CameraMode, landmarks: readonly Vector3[] = []): void {
    if (mode === this.mode) return;
    // Angles of the following camera are from the vehicle's heading, all others from the world's x axis.
    const before = this.mode;
    if (before === "follow") this.leaveHeading();
    if (mode === "top") this.rise(before === "orbit" ? landmarks : []);
    this.mode = mode;
    this.heading = undefined;
    if (before === "top" && mode === "orbit") this.descend();
    else if (mode !== "top") this.risen = undefined;
    if (mode === "top") Object.assign(this.goal, { azimuth: -Math.PI / 2, elevation: Math.PI / 2 });
    else if (this.goal.elevation > 1.4) this.goal.elevation = 0.7;
    if (mode === "top") Object.assign(this.now, { azimuth: -Math.PI / 2, elevation: Math.PI / 2 });
    else this.now.elevation = Math.min(this.now.elevation, MAX_ELEVATION);
    this.place();
  }

  /** The vehicle to follow from now on, or where it is now. */
  follow(followed: Followed | undefined): void {
    this.followed = followed;
  }

  /** How near the camera comes to a vehicle of this length when it begins to follow it. */
  approach(length: number, azimuth: number, elevation: number): void {
    this.goal.distance = Math.min(this.goal.distance, 7 * length);
    this.goal.elevation = elevation;
    this.goal.azimuth = azimuth;
  }

  /** Turns the camera around its target [rad]. */
  orbit(azimuth: number, elevation: number): void {
    if (this.mode === "top") return;
    this.goal.azimuth += azimuth;
    this.goal.elevation += elevation;
    this.clampGoal();
    this.now.azimuth += azimuth;
    this.now.elevation = Math.min(Math.max(this.now.elevation + elevation, MIN_ELEVATION), MAX_ELEVATION);
  }

  /** Moves the target along the ground, by pixels of the page. */
  pan(right: number, up: number): void {
    const scale = this.pixel;
    const azimuth = this.worldAzimuth();
    // Low cameras see the ground shortened.
    const along = up / Math.max(Math.sin(Math.abs(this.now.elevation)), 0.25);
    const x = scale * (-Math.sin(azimuth) * right - Math.cos(azimuth) * along);
    const y = scale * (Math.cos(azimuth) * right - Math.sin(azimuth) * along);
    for (const view of [this.goal, this.now]) {
      view.target.x += x;
      view.target.y += y;
    }
  }

  /** Moves the camera nearer (factor < 1) or farther; the point under `anchor` stays there. */
  zoom(factor: number, anchor?: { x: number; y: number }): void {
    const before = this.goal.distance;
    this.goal.distance *= factor;
    this.clampGoal();
    if (!anchor || this.mode === "follow") return;
    const share = 1 - this.goal.distance / before;
    this.goal.target.x += share * (anchor.x - this.goal.target.x);
    this.goal.target.y += share * (anchor.y - this.goal.target.y);
  }

  /** Advances by some time [ms]. Returns whether the camera is still moving. */
  advance(elapsed: number): boolean {
    const { goal, now, followed } = this;
    const share = this.reducesMotion ? 1 : 1 - Math.exp(-elapsed / EASE);
    let moves = false;
    if (this.mode === "follow" && followed) {
      goal.target.set(followed.x, followed.y, followed.z);
      if (followed.turnsAlong) {
        const off = wrapped(followed.yaw - (this.heading ?? followed.yaw));
        const turn = this.heading === undefined || this.reducesMotion ? 1 : 1 - Math.exp(-elapsed / TURN_EASE);
        this.heading = followed.yaw - off * (1 - turn);
        moves = Math.abs(off) > 1e-3;
      } else this.heading = 0;
      // The vehicle stays in the middle; only the initial approach is smoothed.
      const lag = now.target.distanceTo(goal.target);
      if (lag < 0.05 * now.distance || this.isThere) {
        now.target.copy(goal.target);
        this.isThere = true;
      }
    } else this.isThere = false;
    moves = this.ease(share) || moves;
    this.place();
    return moves;
  }

  /** Size of a pixel of the page at the target [m]. */
  get pixel(): number {
    return this.pictureHeight / this.size.y;
  }

  /** Where a point of the world is on the canvas [px]. */
  project(point: Vector3): { x: number; y: number; isBefore: boolean } {
    const { x, y, z } = point.clone().project(this.camera);
    return { x: (0.5 + 0.5 * x) * this.size.x, y: (0.5 - 0.5 * y) * this.size.y, isBefore: Math.abs(z) <= 1 };
  }

  private isThere = false;

  private get fieldOfView(): number {
    const wanted = this.gui?.field_of_view ?? 0;
    return wanted > 0 && wanted < 3 ? wanted : 1;
  }

  /** The part of the canvas that nothing covers [px]. */
  get free(): { width: number; height: number } {
    const { size, inset } = this;
    return {
      width: Math.max(size.x - inset.left - inset.right, 1),
      height: Math.max(size.y - inset.top - inset.bottom, 1),
    };
  }

  /** Whether a point is in the picture, where nothing covers it, and near enough to be made out. */
  private shows(point: Vector3): boolean {
    return point.distanceTo(this.camera.position) <= SHOWN_REACH * this.now.distance && this.isSeen(point);
  }

  /** Whether a point is in the picture, where nothing covers it. */
  isSeen(point: Vector3): boolean {
    const { x, y, isBefore } = this.project(point);
    const { left, top } = this.inset;
    const { width, height } = this.free;
    return isBefore && x >= left && x <= left + width && y >= top && y <= top + height;
  }

  private rise(landmarks: readonly Vector3[]): void {
    const shown = landmarks.filter((point) => this.shows(point));
    // One that a panel covers does not count.
    const isAll = shown.length >= WHOLE * landmarks.length;
    const from = { ...this.goal, target: this.goal.target.clone() };
    const { width, height } = this.free;
    const slope = (Math.tan(0.5 * this.fieldOfView) * height) / this.size.y;
    copyView(raised(from, isAll ? landmarks : shown, slope, width / height, isAll), this.goal);
    this.risen = { from, to: { ...this.goal, target: this.goal.target.clone() } };
  }

  /** Back to where the camera was, but for what was moved or zoomed meanwhile. */
  private descend(): void {
    const { goal, risen } = this;
    this.risen = undefined;
    if (!risen) return;
    const { from, to } = risen;
    if (goal.distance === to.distance && goal.target.equals(to.target)) copyView(from, goal);
    else Object.assign(goal, { azimuth: from.azimuth, elevation: from.elevation });
  }

  private worldAzimuth(): number {
    return this.now.azimuth + (this.mode === "follow" ? (this.heading ?? 0) : 0);
  }

  private leaveHeading(): void {
    const heading = this.heading ?? 0;
    this.goal.azimuth += heading;
    this.now.azimuth += heading;
  }

  private clampGoal(): void {
    const { goal } = this;
    goal.distance = Math.min(Math.max(goal.distance, 0.2), 1e4);
    if (this.mode !== "top") goal.elevation = Math.min(Math.max(goal.elevation, MIN_ELEVATION), MAX_ELEVATION);
  }

  /** Whether the camera stands where it is aimed. */
  get isAimed(): boolean {
    const { goal, now } = this;
    const difference =
      now.target.distanceTo(goal.target) / now.distance +
      Math.abs(Math.log(goal.distance / now.distance)) +
      Math.abs(wrapped(goal.azimuth - now.azimuth)) +
      Math.abs(goal.elevation - now.elevation);
    return difference < 1e-4;
  }

  private ease(share: number): boolean {
    const { goal, now } = this;
    if (this.isAimed) {
      copyView(goal, now);
      return false;
    }
    now.target.lerp(goal.target, share);
    now.distance *= (goal.distance / now.distance) ** share;
    now.azimuth = goal.azimuth - (1 - share) * wrapped(goal.azimuth - now.azimuth);
    now.elevation += share * (goal.elevation - now.elevation);
    return true;
  }

  private place(): void {
    const { now, camera, size } = this;
    const aspect = size.x / size.y;
    const azimuth = this.worldAzimuth();
    const isTop = this.mode === "top";
    const back = isTop ? new Vector3(0, 0, 1) : directionOf(azimuth, now.elevation);
    const distance = this.mode === "top" || this.gui?.is_orthographic ? Math.max(now.distance, 100) : now.distance;
    camera.position.copy(now.target).addScaledVector(back, distance);
    // Straight from above, north is up.
    if (isTop) camera.up.set(0, 1, 0);
    else camera.up.set(0, 0, 1);
    camera.lookAt(now.target);
    const gui = this.gui;
    const [near, far] = gui ? clipOf(gui, distance) : [0.1, 1e4];
    camera.near = near;
    camera.far = far;
    if (camera instanceof OrthographicCamera) {
      const half = 0.5 * this.pictureHeight;
      camera.top = half;
      camera.bottom = -half;
      camera.right = half * aspect;
      camera.left = -half * aspect;
      camera.near = isTop ? 0.1 : -far;
    } else camera.aspect = aspect;
    const { left, right, top, bottom } = this.inset;
    camera.setViewOffset(size.x, size.y, 0.5 * (right - left), 0.5 * (bottom - top), size.x, size.y);
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
  }
}

function copyView(from: View, to: View): void {
  to.target.copy(from.target);
  to.distance = from.distance;
  to.azimuth = from.azimuth;
  to.elevation = from.elevation;
}
