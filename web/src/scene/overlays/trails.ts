// Where vehicles have been: the newest segments of all paths, in one ring buffer.
import { Color } from "three";
import { colorOf, type Theme } from "../drawing/theme";
import { ghostColor } from "./ghosts";
import { LineSet } from "./lines";

/** An invisible segment. */
const NOWHERE = -1e6;
const NOBODY = 0xffff;
/** [px] */
const WIDTH = 2.5;

/** The paths of all vehicles. */
export class Trails {
  readonly lines: LineSet;
  private readonly owners: Uint16Array;
  private next = 0;
  private readonly lasts: ([number, number, number] | undefined)[] = [];

  /** @param steps how far each vehicle goes before its path gets one more segment [m] */
  constructor(
    private readonly steps: number[],
    capacity: number,
    private theme: Theme,
    /** Indices of the vehicles that are ghosts. */
    private readonly ghosts: ReadonlySet<number> = new Set(),
  ) {
    this.lines = new LineSet(capacity, WIDTH);
    this.lines.object.renderOrder = 1;
    this.owners = new Uint16Array(capacity).fill(NOBODY);
  }

  /** Adds a vehicle's position. Returns whether its path got longer. */
  add(vehicle: number, x: number, y: number, z: number): boolean {
    const last = this.lasts[vehicle];
    if (!last) {
      this.lasts[vehicle] = [x, y, z];
      return false;
    }
    if (Math.hypot(x - last[0], y - last[1], z - last[2]) < (this.steps[vehicle] ?? 0.1)) return false;
    this.append(vehicle, last[0], last[1], last[2], x, y, z);
    last[0] = x;
    last[1] = y;
    last[2] = z;
    return true;
  }

  /** A vehicle was teleported: its path starts over. */
  restart(vehicle: number): void {
    this.lasts[vehicle] = undefined;
    for (let i = 0; i < this.lines.count; i += 1) {
      if (this.owners[i] !== vehicle) continue;
      this.lines.set(i, 0, 0, NOWHERE, 1, 0, NOWHERE);
      this.owners[i] = NOBODY;
    }
  }

  /** Leaves a gap in all paths: how the vehicles get to their next positions is unknown. */
  interrupt(): void {
    this.lasts.length = 0;
  }

  /** Takes over the paths of another scene's vehicles. @param indices index in the other scene for each index in this one */
  takeOver(other: Trails, indices: ReadonlyMap<number, number>): void {
    const indexNow = new Map([...indices].map(([now, before]) => [before, now]));
    for (const [now, before] of indices) this.lasts[now] = other.lasts[before];
    const { count } = other.lines;
    // From the oldest on.
    const first = count < other.lines.capacity ? 0 : other.next;
    for (let i = 0; i < count; i += 1) {
      const from = (first + i) % count;
      const vehicle = indexNow.get(other.owners[from] ?? NOBODY);
      if (vehicle === undefined) continue;
      const [x0 = 0, y0 = 0, z0 = 0, x1 = 0, y1 = 0, z1 = 0] = other.lines.ends(from);
      this.append(vehicle, x0, y0, z0, x1, y1, z1);
    }
  }

  clear(): void {
    this.lasts.length = 0;
    this.next = 0;
    this.lines.count = 0;
    this.owners.fill(NOBODY);
  }

  paint(theme: Theme): void {
    this.theme = theme;
    for (let i = 0; i < this.lines.count; i += 1) this.lines.paint(i, this.colorOf(this.owners[i] ?? 0));
  }

  private colorOf(vehicle: number): Color {
    return this.ghosts.has(vehicle) ? new Color(ghostColor(this.theme.isDark)) : colorOf(this.theme, vehicle);
  }

  private append(vehicle: number, x0: number, y0: number, z0: number, x1: number, y1: number, z1: number): void {
    this.lines.set(this.next, x0, y0, z0, x1, y1, z1, this.colorOf(vehicle));
    this.owners[this.next] = vehicle;
    this.lines.count = Math.max(this.lines.count, this.next + 1);
    this.next = (this.next + 1) % this.lines.capacity;
  }
}
