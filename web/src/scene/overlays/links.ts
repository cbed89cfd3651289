// Lines between moving bodies: joints, and the tracking error of vehicles.
import { type Color, type Object3D, Vector3 } from "three";
import type { StateLayout } from "../../protocol/layout";
import type { JointEndView, SceneView } from "../../protocol/types";
import type { Rigid } from "../bodies/batch";
import type { Blend } from "../bodies/blend";
import type { Fleet, Vehicle } from "../bodies/fleet";
import type { Movers } from "../bodies/movers";
import type { Theme } from "../drawing/theme";
import { LineSet } from "./lines";

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

/** Length of a dash, and of a gap, of reference paths, in lengths of the vehicle. */
const DASH = 0.4;
/** Most segments of one path. */
const MAX_DASHES = 6000;

/** A straight piece: x y of its ends [m]. */
export type Dash = [number, number, number, number];

/** The dashes of a path: pieces and gaps of the same length [m], longer on paths that would have too many. */
export function dashed(path: readonly (readonly [number, number])[], length: number): Dash[] {
  const pairs = path.slice(1).map((to, i) => ({ from: path[i] ?? to, to }));
  const lengths = pairs.map(({ from, to }) => Math.hypot(to[0] - from[0], to[1] - from[1]));
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const period = 2 * Math.max(length, total / MAX_DASHES);
  const dashes: Dash[] = [];
  /** How far along the path the pair begins [m]. */
  let start = 0;
  for (const [i, { from, to }] of pairs.entries()) {
    const reach = lengths[i] ?? 0;
    const at = (along: number): [number, number] => {
      const share = Math.min(Math.max((along - start) / reach, 0), 1);
      return [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])];
    };
    for (let n = Math.floor(start / period); reach > 0 && n * period < start + reach; n += 1) {
      if ((n + 0.5) * period > start) dashes.push([...at(n * period), ...at((n + 0.5) * period)]);
    }
    start += reach;
  }
  return dashes;
}

/** The pieces of a line of points. */
export function pieces(line: readonly (readonly [number, number])[]): Dash[] {
  return line.slice(1).map(([x, y], i) => [line[i]?.[0] ?? x, line[i]?.[1] ?? y, x, y]);
}

/** Reference paths with the borders of their tracks, reference points, and the error as a line from there to the vehicle's tracked point. */
export class References {
  private readonly paths: LineSet;
  private readonly borders: LineSet;
  private readonly marks: LineSet;
  private readonly dashes: Dash[];
  private readonly borderPieces: Dash[];
  private shown = true;

  constructor(
    private readonly fleet: Fleet,
    private readonly layout: StateLayout,
    parent: Object3D,
    private theme: Theme,
  ) {
    const dashes = fleet.vehicles.map(({ view, length }) => dashed(view.reference_path, DASH * length));
    this.dashes = dashes.flat();
    this.paths = new LineSet(this.dashes.length, 2);
    this.borderPieces = fleet.vehicles.flatMap(({ view }) => view.track_borders?.flatMap(pieces) ?? []);
    this.borders = new LineSet(this.borderPieces.length, 2);
    this.marks = new LineSet(SEGMENTS * fleet.vehicles.length, 3);
    this.marks.object.renderOrder = 3;
    parent.add(this.paths.object, this.borders.object, this.marks.object);
    this.paint(theme);
  }

  set isShown(shown: boolean) {
    this.shown = shown;
    for (const lines of [this.paths, this.borders]) lines.count = shown ? lines.capacity : 0;
    if (!shown) this.marks.count = 0;
  }

  get isShown(): boolean {
    return this.shown;
  }

  paint(theme: Theme): void {
    this.theme = theme;
    for (const [i, [x0, y0, x1, y1]] of this.dashes.entries()) {
      this.paths.set(i, x0, y0, LIFT, x1, y1, LIFT, theme.reference);
    }
    for (const [i, [x0, y0, x1, y1]] of this.borderPieces.entries()) {
      this.borders.set(i, x0, y0, LIFT, x1, y1, LIFT, theme.reference);
    }
    this.isShown = this.shown;
  }

  /** Vehicles have been placed. */
  place(blend: Blend): void {
    if (!this.shown) return;
    let segment = 0;
    for (const vehicle of this.fleet.vehicles) {
      if (vehicle.view.ghost) continue;
      if (blend.latest(this.layout.vehicleChannel(vehicle.index, "driver")) < 2) continue;
      this.mark(vehicle, blend, segment);
      segment += SEGMENTS;
    }
    this.marks.count = segment;
  }

  dispose(): void {
    this.paths.dispose();
    this.borders.dispose();
    this.marks.dispose();
  }

  private mark(vehicle: Vehicle, blend: Blend, segment: number): void {
    const value = (name: string) => blend.value(this.layout.vehicleChannel(vehicle.index, name));
    const [px, py, rx, ry] = [value("point_x"), value("point_y"), value("reference_x"), value("reference_y")];
    const z = (vehicle.pose[2] ?? 0) + LIFT;
    const arm = 0.12 * vehicle.length;
    const { marks, theme } = this;
    marks.set(segment, px, py, z, rx, ry, z, theme.warning);
    marks.set(segment + 1, rx - arm, ry - arm, z, rx + arm, ry + arm, z, theme.reference);
    marks.set(segment + 2, rx - arm, ry + arm, z, rx + arm, ry - arm, z, theme.reference);
  }
}
