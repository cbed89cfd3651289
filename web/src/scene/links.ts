// Lines between moving bodies: joints, and the tracking error of vehicles.
import { type Color, type Object3D, Vector3 } from "three";
import type { StateLayout } from "../protocol/layout";
import type { JointEndView, SceneView } from "../protocol/types";
import type { Rigid } from "./batch";
import type { Blend } from "./blend";
import type { Fleet, Vehicle } from "./fleet";
import { LineSet } from "./lines";
import type { Movers } from "./movers";
import type { Theme } from "./theme";

/** Height of lines above their bodies [m], so that the ground does not hide them. */
const LIFT = 0.02;

interface End {
  body: Rigid | undefined;
  anchor: readonly [number, number];
}

/** Joints as lines between their ends. */
export class Joints {
  private readonly lines: LineSet;
  private readonly ends: [End, End][];
  private readonly a = new Vector3();
  private readonly b = new Vector3();
  private color: Color;

  constructor(scene: SceneView, fleet: Fleet, movers: Movers, parent: Object3D, theme: Theme) {
    const endOf = ({ vehicle, block, anchor }: JointEndView): End => {
      if (vehicle !== null) return { body: fleet.vehicles[vehicle]?.body, anchor };
      return { body: block === null ? undefined : movers.blocks[block]?.body, anchor };
    };
    this.ends = scene.joints.map(({ ends }) => [endOf(ends[0]), endOf(ends[1])]);
    this.lines = new LineSet(this.ends.length, 3);
    this.lines.count = this.ends.length;
    this.color = theme.joint;
    parent.add(this.lines.object);
  }

  paint(theme: Theme): void {
    this.color = theme.joint;
  }

  /** Bodies have been placed. */
  place(): void {
    const { a, b } = this;
    for (const [i, [from, to]] of this.ends.entries()) {
      at(from, a);
      at(to, b);
      this.lines.set(i, a.x, a.y, a.z, b.x, b.y, b.z, this.color);
    }
  }

  dispose(): void {
    this.lines.dispose();
  }
}

function at({ body, anchor }: End, out: Vector3): void {
  out.set(anchor[0], anchor[1], 0.1);
  if (body) out.applyMatrix4(body.matrix);
}

/** Segments of each tracking vehicle: the error, and a cross at the reference. */
const SEGMENTS = 3;

/** Reference paths, reference points, and the error as a line from there to the vehicle's tracked point. */
export class References {
  private readonly paths: LineSet;
  private readonly marks: LineSet;
  private shown = true;

  constructor(
    private readonly fleet: Fleet,
    private readonly layout: StateLayout,
    parent: Object3D,
    private theme: Theme,
  ) {
    const count = fleet.vehicles.reduce((sum, { view }) => sum + Math.max(view.reference_path.length - 1, 0), 0);
    this.paths = new LineSet(count, 2, 0.7);
    this.marks = new LineSet(SEGMENTS * fleet.vehicles.length, 3);
    this.marks.object.renderOrder = 3;
    parent.add(this.paths.object, this.marks.object);
    this.paint(theme);
  }

  set isShown(shown: boolean) {
    this.shown = shown;
    this.paths.count = shown ? this.paths.capacity : 0;
    if (!shown) this.marks.count = 0;
  }

  get isShown(): boolean {
    return this.shown;
  }

  paint(theme: Theme): void {
    this.theme = theme;
    let segment = 0;
    for (const { view } of this.fleet.vehicles) {
      for (let i = 1; i < view.reference_path.length; i += 1) {
        const [x0, y0] = view.reference_path[i - 1] ?? [0, 0];
        const [x1, y1] = view.reference_path[i] ?? [0, 0];
        this.paths.set(segment, x0, y0, LIFT, x1, y1, LIFT, theme.accent);
        segment += 1;
      }
    }
    this.isShown = this.shown;
  }

  /** Vehicles have been placed. */
  place(blend: Blend): void {
    if (!this.shown) return;
    let segment = 0;
    for (const vehicle of this.fleet.vehicles) {
      if (blend.latest(this.layout.vehicleChannel(vehicle.index, "driver")) < 2) continue;
      this.mark(vehicle, blend, segment);
      segment += SEGMENTS;
    }
    this.marks.count = segment;
  }

  dispose(): void {
    this.paths.dispose();
    this.marks.dispose();
  }

  private mark(vehicle: Vehicle, blend: Blend, segment: number): void {
    const value = (name: string) => blend.value(this.layout.vehicleChannel(vehicle.index, name));
    const [px, py, rx, ry] = [value("point_x"), value("point_y"), value("reference_x"), value("reference_y")];
    const z = (vehicle.pose[2] ?? 0) + LIFT;
    const arm = 0.12 * vehicle.length;
    const { marks, theme } = this;
    marks.set(segment, px, py, z, rx, ry, z, theme.warning);
    marks.set(segment + 1, rx - arm, ry - arm, z, rx + arm, ry + arm, z, theme.accent);
    marks.set(segment + 2, rx - arm, ry + arm, z, rx + arm, ry - arm, z, theme.accent);
  }
}
