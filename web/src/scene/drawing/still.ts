// Visual-only content of the world file: grids and point clouds.
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  Float32BufferAttribute,
  type Object3D,
  Points,
  type ShaderMaterial,
} from "three";
import type { CloudView, GridView } from "../../protocol/types";
import { colorFrom } from "../bodies/colors";
import type { Fleet } from "../bodies/fleet";
import { matrixOf } from "../bodies/pose";
import { LineSet } from "../overlays/lines";
import { pointMaterial } from "../overlays/scans";
import type { Theme } from "./theme";

/** Most lines of one grid: more are indistinguishable. */
const MAX_LINES = 2000;
const LIFT = 0.004;

/** Where the lines of a grid are along one axis [m]. */
export function gridLines([from, to]: readonly [number, number], interval: number): number[] {
  const step = Math.max(interval, (to - from) / MAX_LINES, 1e-3);
  const lines: number[] = [];
  for (let i = 0; from + i * step <= to + 1e-6 * step; i += 1) lines.push(from + i * step);
  return lines;
}

/** A grid; it follows its vehicle in whole intervals, so that its lines seem to stand still. */
export class Grid {
  private readonly lines: LineSet;

  constructor(
    private readonly view: GridView,
    parent: Object3D,
    theme: Theme,
  ) {
    const [xs, ys] = [gridLines(view.x, view.interval), gridLines(view.y, view.interval)];
    this.lines = new LineSet(xs.length + ys.length, Math.max(view.line_width, 1), 0.3);
    for (const [i, x] of xs.entries()) this.lines.set(i, x, view.y[0], LIFT, x, view.y[1], LIFT);
    for (const [i, y] of ys.entries()) this.lines.set(xs.length + i, view.x[0], y, LIFT, view.x[1], y, LIFT);
    this.lines.count = xs.length + ys.length;
    this.lines.object.renderOrder = -4;
    parent.add(this.lines.object);
    this.paint(theme);
  }

  /** In the colour of the world file, unless that is invisible on the ground of this theme. */
  paint(theme: Theme): void {
    const wanted = colorFrom(this.view.color);
    const { ground, line } = theme;
    const contrast = Math.abs(wanted.r - ground.r) + Math.abs(wanted.g - ground.g) + Math.abs(wanted.b - ground.b);
    const color = contrast < 0.5 ? line : wanted;
    for (let i = 0; i < this.lines.count; i += 1) this.lines.paint(i, color);
  }

  place(fleet: Fleet): void {
    const { follows, interval } = this.view;
    const pose = follows === null ? undefined : fleet.vehicles[follows]?.pose;
    if (!pose) return;
    const snap = (value = 0) => interval * Math.round(value / interval);
    this.lines.object.position.set(snap(pose[0]), snap(pose[1]), 0);
  }

  dispose(): void {
    this.lines.dispose();
  }
}

/** A cloud of points at these positions, coloured by height. */
export function cloudObject(
  cloud: CloudView,
  positions: Float32Array<ArrayBuffer>,
): Points<BufferGeometry, ShaderMaterial> {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(positions, 3));
  geometry.computeBoundingBox();
  const { min, max } = geometry.boundingBox ?? { min: { z: 0 }, max: { z: 1 } };
  const color = new Color();
  const colors: number[] = [];
  for (let i = 2; i < positions.length; i += 3) {
    const share = ((positions[i] ?? 0) - min.z) / Math.max(max.z - min.z, 1e-6);
    // From blue below to orange above, at medium lightness, so that it is visible in both themes.
    color.setHSL(0.6 - 0.52 * share, 0.75, 0.5);
    colors.push(color.r, color.g, color.b);
  }
  geometry.setAttribute("color", new Float32BufferAttribute(colors, 3));
  const points = new Points(geometry, pointMaterial(Math.min(Math.max(cloud.point_size, 1), 20)));
  points.matrixAutoUpdate = false;
  points.matrix.copy(matrixOf(cloud.pose));
  return points;
}
