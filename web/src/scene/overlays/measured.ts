// Poses that sensors measure in the world, such as those of a motion-capture system: axes where the marker body is said to be.
import { Color, type Matrix4, type Object3D, Vector3 } from "three";
import type { ReadingMessage } from "../../protocol/decode";
import type { SceneView } from "../../protocol/types";
import { matrixOf } from "../bodies/pose";
import type { Label } from "./labels";
import { LineSet } from "./lines";

/** Most poses that are drawn. */
const MAX_POSES = 16;
const COLORS = [new Color(0xe5484d), new Color(0x30a46c), new Color(0x3e7bfa)];
/** Length of the axes, in lengths of the vehicle. */
const LENGTH = 0.35;
/** Height of a name above its pose [px]. */
const LIFT = 6;

/** The measured poses of a scene. */
export class Measured {
  private readonly lines = new LineSet(3 * MAX_POSES, 3);
  private readonly last = new Map<string, ReadingMessage>();

  constructor(
    private readonly scene: SceneView,
    private readonly lengths: readonly number[],
    parent: Object3D,
  ) {
    this.lines.object.renderOrder = 6;
    this.lines.object.material.depthTest = false;
    parent.add(this.lines.object);
  }

  set isShown(shown: boolean) {
    this.lines.isShown = shown;
    this.shown = shown;
  }

  private shown = true;

  /** Takes a reading in place of the last one of its topic. Returns whether it is drawn. */
  push(reading: ReadingMessage): boolean {
    if (reading.pose === undefined) return false;
    const key = `${reading.vehicle} ${reading.sensor} ${reading.topic}`;
    if (!this.last.has(key) && this.last.size >= MAX_POSES) return false;
    this.last.set(key, reading);
    this.draw();
    return true;
  }

  /** Forgets all: another vehicle is looked at, or time leapt. */
  clear(): void {
    this.last.clear();
    this.lines.count = 0;
  }

  labels(): Label[] {
    if (!this.shown) return [];
    return [...this.last.values()].flatMap(({ pose, vehicle, sensor }) => {
      const name = this.scene.vehicles[vehicle]?.sensors[sensor]?.name;
      if (pose === undefined || name === undefined) return [];
      const [x, y, z] = pose;
      return [{ text: name, x, y, z, lift: LIFT, gives: true }];
    });
  }

  dispose(): void {
    this.lines.dispose();
  }

  private draw(): void {
    let segment = 0;
    const tip = new Vector3();
    for (const { pose, vehicle } of this.last.values()) {
      if (pose === undefined) continue;
      const world: Matrix4 = matrixOf(pose);
      const [x, y, z] = pose;
      for (const [axis, color] of COLORS.entries()) {
        tip.setFromMatrixColumn(world, axis).multiplyScalar(LENGTH * (this.lengths[vehicle] ?? 1));
        this.lines.set(segment, x, y, z, x + tip.x, y + tip.y, z + tip.z, color);
        segment += 1;
      }
    }
    this.lines.count = segment;
  }
}
