// State of the page: the connection, the scene, the newest instant, and the recent history of the selected vehicle.
import type { Phase, Received } from "../protocol/connection";
import type { CloudMessage, PictureMessage, ReadingMessage, Sample, ScanMessage } from "../protocol/decode";
import type { StateLayout } from "../protocol/layout";
import type { Greeting, Notice, SceneView, Status, VehicleView } from "../protocol/types";
import { Emitter } from "./emitter";
import { History } from "./history";

/** Longest time window of the plots [s]. */
export const MAX_WINDOW = 60;
/** A minute of slow motion, ten times slower than real, at 30 states in a second. */
const ROWS = 10 * MAX_WINDOW * 30;

/** Events of the store. */
export interface StoreEvents {
  phase: Phase;
  greeting: Greeting;
  scene: SceneView;
  sample: Sample;
  /** Numbers and plots show this instant, all of them the same one. */
  shown: Sample;
  scan: ScanMessage;
  cloud: CloudMessage;
  picture: PictureMessage;
  reading: ReadingMessage;
  status: Status;
  notice: Notice;
  /** Index of the vehicle. Only for another vehicle: when the same one has another index in a new scene, `scene` tells. */
  selected: number | undefined;
}

/** Holds the state and notifies listeners. */
export class Store extends Emitter<StoreEvents> implements Received {
  current: Phase = { is: "connecting" };
  server: Greeting | undefined;
  world: SceneView | undefined;
  layout: StateLayout | undefined;
  sample: Sample | undefined;
  running: Status | undefined;
  /** Index of the selected vehicle. */
  selected: number | undefined;
  /** Of the selected vehicle: its numbers and those of its wheels, in the order of states. */
  history = new History(0, 1);
  /** Channels of the selected vehicle that were ever other than 0. */
  private readonly changing = new Set<string>();
  /** Whether another run answered, whose vehicles are others though their ids may be the same. */
  private isAnew = true;

  /** Whether orders other than those about time are refused from the start. */
  get isLocked(): boolean {
    return this.isReplay || this.server?.read_only === true;
  }

  get isReplay(): boolean {
    return this.server?.mode === "replay";
  }

  get isReadOnly(): boolean {
    return this.server?.read_only === true;
  }

  /** Index of the ghost that goes along with the selected vehicle: the one of this name in the other recording, or else its first. */
  get ghost(): number | undefined {
    const { vehicle, world } = this;
    if (vehicle === undefined || world === undefined) return undefined;
    const same = world.vehicles.findIndex(({ ghost }) => ghost?.vehicle === vehicle.name);
    const index = same >= 0 ? same : world.vehicles.findIndex(({ ghost }) => ghost !== undefined);
    return index >= 0 ? index : undefined;
  }

  /** The selected vehicle. */
  get vehicle(): VehicleView | undefined {
    return this.selected === undefined ? undefined : this.world?.vehicles[this.selected];
  }

  phase(phase: Phase): void {
    this.current = phase;
    this.emit("phase", phase);
  }

  greeting(greeting: Greeting, anew: boolean): void {
    this.server = greeting;
    if (anew) {
      this.sample = undefined;
      this.running = undefined;
      this.history.clear();
      this.isAnew = true;
    }
    this.emit("greeting", greeting);
  }

  scene(scene: SceneView, layout: StateLayout): void {
    // Vehicles come and go: indices shift, ids stay.
    const id = this.vehicle?.id;
    this.world = scene;
    this.layout = layout;
    this.sample = undefined;
    const kept = id === undefined ? -1 : scene.vehicles.findIndex((vehicle) => vehicle.id === id);
    this.selected = kept >= 0 ? kept : preferred(scene);
    const isSame = !this.isAnew && id === this.vehicle?.id && this.history.width === this.width();
    this.isAnew = false;
    if (!isSame) this.begin();
    this.emit("scene", scene);
    if (!isSame) this.emit("selected", this.selected);
  }

  state(sample: Sample): void {
    this.sample = sample;
    if (this.selected !== undefined && this.layout !== undefined) {
      // A recording can jump ahead; the time between was not driven.
      if (this.isReplay && this.history.isLeap(sample.time)) this.history.clear();
      const start = this.layout.vehicle(this.selected);
      if (this.isWhole(sample)) this.remember(sample, start);
      for (const [i, channel] of this.layout.layout.vehicle.entries()) {
        if (sample.values[start + i] !== 0) this.changing.add(channel.name);
      }
    }
    this.emit("sample", sample);
  }

  /** Makes all panels show the newest instant. */
  show(): void {
    if (this.sample !== undefined) this.emit("shown", this.sample);
  }

  scan(scan: ScanMessage): void {
    this.emit("scan", scan);
  }

  cloud(cloud: CloudMessage): void {
    this.emit("cloud", cloud);
  }

  picture(picture: PictureMessage): void {
    this.emit("picture", picture);
  }

  reading(reading: ReadingMessage): void {
    if (reading.revision === this.world?.revision) this.emit("reading", reading);
  }

  status(status: Status): void {
    this.running = status;
    this.emit("status", status);
  }

  notice(notice: Notice): void {
    this.emit("notice", notice);
  }

  /** Selects a vehicle by index. Ghosts are looked at beside it, and cannot be selected. */
  select(index: number | undefined): void {
    if (index === this.selected) return;
    const vehicle = index === undefined ? undefined : this.world?.vehicles[index];
    if (index !== undefined && (vehicle === undefined || vehicle.ghost !== undefined)) return;
    this.choose(index);
  }

  /** A value of the selected vehicle now, by name of channel. */
  value(channel: string): number | undefined {
    if (this.vehicle?.not_recorded?.includes(channel)) return undefined;
    const { sample, selected, layout } = this;
    if (sample === undefined || selected === undefined || layout === undefined || !this.isWhole(sample))
      return undefined;
    return sample.values[layout.vehicleChannel(selected, channel)];
  }

  /** A value of the ghost beside the selected vehicle now. */
  ghostValue(channel: string): number | undefined {
    const { ghost, sample, layout } = this;
    if (ghost === undefined || sample === undefined || layout === undefined) return undefined;
    if (this.world?.vehicles[ghost]?.not_recorded?.includes(channel)) return undefined;
    return sample.values[layout.vehicleChannel(ghost, channel)];
  }

  /** Distance of the ghost from the selected vehicle now, in the plane [m]. */
  get ghostDistance(): number | undefined {
    const [x, y, gx, gy] = [this.value("x"), this.value("y"), this.ghostValue("x"), this.ghostValue("y")];
    if (x === undefined || y === undefined || gx === undefined || gy === undefined) return undefined;
    return Math.hypot(gx - x, gy - y);
  }

  /** A value of a wheel of the selected vehicle now. */
  wheelValue(wheel: number, channel: string): number | undefined {
    if (this.vehicle?.not_recorded?.includes(channel)) return undefined;
    const { sample, selected, layout } = this;
    if (sample === undefined || selected === undefined || layout === undefined || !this.isWhole(sample))
      return undefined;
    return sample.values[layout.wheelChannel(selected, wheel, channel)];
  }

  /** Whether a channel of the selected vehicle has data: channels that a recording lacks stay 0. */
  isKnown(channel: string): boolean {
    return !this.isReplay || this.hasMoved(channel);
  }

  /** Whether a channel of the selected vehicle was ever other than 0. */
  hasMoved(channel: string): boolean {
    return this.changing.has(channel);
  }

  /** Whether all values of the selected vehicle are of this instant: after another one was selected, the next states have them. */
  private isWhole({ only }: Sample): boolean {
    return only === undefined || only === this.selected;
  }

  private choose(index: number | undefined): void {
    this.selected = index;
    this.begin();
    if (this.sample !== undefined && this.layout !== undefined && index !== undefined && this.isWhole(this.sample)) {
      this.remember(this.sample, this.layout.vehicle(index));
    }
    this.emit("selected", index);
  }

  /** Adds a state to the history: the numbers of the selected vehicle, and behind them those of its ghost and the distance of both. */
  private remember(sample: Sample, start: number): void {
    const { ghost, layout } = this;
    if (ghost === undefined || layout === undefined) {
      this.history.push(sample.time, sample.values, start);
      return;
    }
    const own = sample.values.subarray(start, start + this.ownWidth());
    const from = layout.vehicle(ghost);
    const other = sample.values.subarray(from, from + layout.layout.vehicle.length);
    this.history.push(sample.time, [...own, ...other, this.ghostDistance ?? Number.NaN], 0);
  }

  private begin(): void {
    this.history = new History(this.width(), ROWS);
    this.changing.clear();
  }

  /** How many numbers the history has of each state. */
  private width(): number {
    return this.ownWidth() + (this.ghost === undefined ? 0 : (this.layout?.layout.vehicle.length ?? 0) + 1);
  }

  /** How many numbers a state has for the selected vehicle and its wheels. */
  private ownWidth(): number {
    const tables = this.layout?.layout;
    if (tables === undefined || this.vehicle === undefined) return 0;
    return tables.vehicle.length + this.vehicle.wheels.length * tables.wheel.length;
  }
}

function preferred(scene: SceneView): number | undefined {
  const followed = scene.vehicles.findIndex((vehicle) => vehicle.name === scene.gui.follow_vehicle);
  if (followed >= 0 && scene.vehicles[followed]?.ghost === undefined) return followed;
  const first = scene.vehicles.findIndex(({ ghost }) => ghost === undefined);
  return first >= 0 ? first : undefined;
}
