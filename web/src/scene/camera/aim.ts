// Where the camera is aimed: at the view of the world file, of a link, or of the user; and which vehicle it follows.

import type { Vehicle } from "../bodies/fleet";
import type { Showing } from "../drawing/showing";
import type { CameraMode, CameraRig, Lookout } from "./camera";
import { homeView, isScattered } from "./framing";

/** Aims a camera. */
export class Aim {
  /** Whether nothing has been seen of this world yet. */
  private isHomeless = true;
  /** The mode that was requested before the home position was known. */
  private wanted: CameraMode | undefined;
  /** The camera of a link, until the first state is there. */
  private linked: Partial<Lookout> | undefined;
  /** Index of the vehicle that the world file follows. */
  private worldFollows: number | undefined;

  /** @param changed called when the camera works in another way */
  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly rig: CameraRig,
    private readonly showing: Showing,
    private readonly changed: (mode: CameraMode) => void,
  ) {}

  /** Another world is shown. */
  begin(): void {
    this.isHomeless = true;
  }

  /** Vehicles have come or gone: `indexNow` is a vehicle's index since then. */
  renumber(indexNow: (index: number | undefined) => number | undefined): void {
    this.worldFollows = indexNow(this.worldFollows);
  }

  /** The first state of a scene is there. */
  settle(): void {
    if (!this.isHomeless) return;
    const { wanted, linked } = this;
    this.home();
    if (linked) this.lookout = linked;
    else if (wanted) this.setMode(wanted);
    else this.joinFirst();
  }

  setMode(mode: CameraMode): void {
    const { rig } = this;
    this.wanted = mode;
    const vehicle = this.followed;
    if (mode === "follow" && rig.mode !== "follow" && vehicle) {
      rig.setMode(mode);
      const isCar = vehicle.view.max_steer !== null;
      rig.approach(vehicle.length, isCar ? Math.PI : -2.1, isCar ? 0.42 : 0.7);
    } else rig.setMode(mode, this.showing.content?.landmarks());
    this.changed(mode);
  }

  /** Aims as the world file wants it, or else so that all is seen; for the first time, so that the vehicles are. */
  home(): void {
    const { rig, canvas } = this;
    const { content } = this.showing;
    if (!content) return;
    const { scene, extent, vehicles, points } = content;
    const { gui } = scene;
    const follow = scene.vehicles.findIndex(({ name }) => name === gui.follow_vehicle);
    const { width, height } = rig.free;
    const mode: CameraMode = follow >= 0 ? "follow" : "orbit";
    if (follow >= 0) this.worldFollows = follow;
    rig.setMode(mode);
    // At first one sees the vehicles, and all of the world whenever one asks for it.
    const view = homeView(scene, extent, vehicles, width / height, points, this.isHomeless);
    // All of it has to fit into the part that is not covered.
    if (!gui.has_camera) view.distance *= canvas.clientHeight / height;
    rig.show(view, this.isHomeless);
    this.isHomeless = false;
    this.changed(mode);
  }

  /** Where vehicles are far apart, one sees the first of them at first, wherever it drives. */
  private joinFirst(): void {
    const { content } = this.showing;
    if (!content || content.scene.gui.has_camera || !isScattered(content.scene, content.vehicles)) return;
    this.setMode("follow");
    // At once, and for this world only.
    this.rig.lookout = this.rig.lookout;
    this.wanted = undefined;
  }

  /** How the camera is aimed. */
  get lookout(): Lookout {
    return this.rig.lookout;
  }

  /** Aims the camera, at once; before the first state, instead of the home position. What is missing stays as it is in that mode. */
  set lookout(lookout: Partial<Lookout>) {
    if (this.isHomeless) {
      this.linked = lookout;
      return;
    }
    const { mode = this.rig.mode } = lookout;
    if (this.rig.mode !== mode) this.setMode(mode);
    this.rig.lookout = { ...this.rig.lookout, ...lookout };
    this.wanted = mode;
  }

  /** Moves the camera on by this time [ms]. Returns whether it still moves. */
  advance(elapsed: number): boolean {
    const vehicle = this.followed;
    const [x = 0, y = 0, z = 0, yaw = 0] = vehicle?.pose ?? [];
    const turnsAlong = vehicle?.view.max_steer !== null && this.worldFollows === undefined;
    this.rig.follow(vehicle && { x, y, z, yaw, turnsAlong });
    return this.rig.advance(elapsed);
  }

  /** The vehicle that the following camera follows. */
  private get followed(): Vehicle | undefined {
    return this.showing.vehicle(this.showing.selected ?? this.worldFollows ?? 0);
  }
}
