// Coordinate frames, as tf has them: the map, odometry, base and sensors of the selected vehicle.
import { Color, Matrix4, type Object3D, Vector3 } from "three";
import type { StateLayout } from "../protocol/layout";
import type { Blend } from "./bodies/blend";
import type { Vehicle } from "./bodies/fleet";
import { matrixOf, poseMatrix } from "./bodies/pose";
import type { Label } from "./overlays/labels";
import { LineSet } from "./overlays/lines";

/** Most sensors of a vehicle with a frame. */
const MAX_SENSORS = 24;
const COLORS = [new Color(0xe5484d), new Color(0x30a46c), new Color(0x3e7bfa)];
/** Length of the axes of vehicles and of their sensors, in lengths of the vehicle. */
const [LONG, SHORT] = [0.6, 0.3];
/** Height of a name above its frame [px]. */
const NAME_LIFT = 4;
/** Height of a name, with a gap [px]. */
const NAME_HEIGHT = 20;
/** Frames nearer than this share of their axes are at one place. */
const NEAR = 0.25;

/** A frame as drawn. */
interface Drawn {
  name: string;
  world: Matrix4;
  /** Length of its axes [m]. */
  length: number;
}

/** Pose of the odometry's frame in the world: where the vehicle would have begun, if its odometry were right. */
export function odometryFrame(world: Matrix4, x: number, y: number, yaw: number): Matrix4 {
  return world.clone().multiply(poseMatrix(x, y, 0, yaw, 0, 0, new Matrix4()).invert());
}

/** The axes of all frames, x red, y green, z blue. */
export class Frames {
  isShown = false;
  private readonly lines = new LineSet(3 * (MAX_SENSORS + 3), 2.5);
  private drawn: Drawn[] = [];

  constructor(
    private readonly layout: StateLayout,
    parent: Object3D,
  ) {
    this.lines.object.renderOrder = 7;
    this.lines.object.material.depthTest = false;
    parent.add(this.lines.object);
  }

  /** Vehicles have been placed. @param around length of the axes of the map [m] */
  place(vehicle: Vehicle | undefined, blend: Blend, around: number): void {
    this.drawn = this.isShown ? this.framesOf(vehicle, blend, around) : [];
    let segment = 0;
    const tip = new Vector3();
    for (const { world, length } of this.drawn) {
      const [x, y, z] = world.elements.slice(12, 15) as [number, number, number];
      for (const [axis, color] of COLORS.entries()) {
        tip.setFromMatrixColumn(world, axis).multiplyScalar(length);
        this.lines.set(segment, x, y, z, x + tip.x, y + tip.y, z + tip.z, color);
        segment += 1;
      }
    }
    this.lines.count = segment;
  }

  labels(): Label[] {
    const places = this.drawn.map(({ world }) => new Vector3().setFromMatrixPosition(world));
    return this.drawn.map(({ name, length }, i) => {
      const place = places[i] ?? new Vector3();
      // Names of frames at one place are above each other.
      const below = places.slice(0, i).filter((other) => other.distanceTo(place) < NEAR * length).length;
      return { text: name, x: place.x, y: place.y, z: place.z, lift: NAME_LIFT + NAME_HEIGHT * below };
    });
  }

  dispose(): void {
    this.lines.dispose();
  }

  private framesOf(vehicle: Vehicle | undefined, blend: Blend, around: number): Drawn[] {
    const frames: Drawn[] = [{ name: vehicle?.view.frames.map ?? "map", world: new Matrix4(), length: around }];
    if (!vehicle) return frames;
    const { view, index, body, length } = vehicle;
    const value = (name: string) => blend.latest(this.layout.vehicleChannel(index, name));
    const { odometry, base } = view.frames;
    if (odometry !== null) {
      const world = odometryFrame(body.matrix, value("odom_x"), value("odom_y"), value("odom_yaw"));
      frames.push({ name: odometry, world, length: around });
    }
    frames.push({ name: base, world: body.matrix.clone(), length: LONG * length });
    for (const { name, frame, pose } of view.sensors.slice(0, MAX_SENSORS)) {
      const world = body.matrix.clone().multiply(matrixOf(pose));
      frames.push({ name: frame || name, world, length: SHORT * length });
    }
    return frames;
  }
}
