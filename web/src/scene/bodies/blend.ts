// Interpolates between the last two states, so that motion looks smooth between messages.
import type { Sample } from "../../protocol/decode";
import { wrapped } from "./pose";

/** Limits of the interval between messages over which motion is interpolated [ms]. */
const NEAREST = 8;
const MAX_DISTANCE = 300;

/** Longest step of simulated time that counts as continuous [s], and longest one in steps before. */
const MAX_STEP = 1.5;
const MAX_STEPS = 10;

/** How time moved to a state: continuously, by a jump ahead, or back. */
export type Step = "on" | "ahead" | "back";

/** The last two states, and how far the picture is on the way from one to the other. */
export class Blend {
  private before: Float64Array = new Float64Array(0);
  private after: Float64Array = new Float64Array(0);
  private arrived = 0;
  private gap = 33;
  private weight = 1;
  /** Simulated time between the two [s]; 0 after a jump. */
  private span = 0;
  /** The same, also after a jump. */
  private elapsed = 0;
  /** How far time went to the newest state, as a measure for the next one [s]; 0 after a state that was long in coming. */
  private stride = 0;
  private time = Number.NaN;
  /** Whether the last two states have the same numbers. */
  isStill = false;

  /** Forgets the states but not their times, for another scene in which time may continue. */
  clear(): void {
    this.before = this.after = new Float64Array(0);
    this.span = 0;
  }

  /** Whether there is a state. */
  get isFilled(): boolean {
    return this.after.length > 0;
  }

  /** Whether a state equals the last one. */
  isKnown(sample: Sample): boolean {
    const { after } = this;
    return sample.time === this.time && equal(sample.values, after);
  }

  /** Takes the next state, which came at `now` [ms]. */
  push(sample: Sample, now: number): Step {
    const gap = now - this.arrived;
    const ahead = sample.time - this.time;
    const isNear = ahead <= Math.max(MAX_STEP, MAX_STEPS * this.stride);
    const step = ahead < 0 ? "back" : isNear || Number.isNaN(ahead) ? "on" : "ahead";
    const goesOn = step === "on" && sample.values.length === this.after.length;
    this.elapsed = goesOn ? ahead : 0;
    // Simulations that fast send such states in succession; a user's seeks are further apart.
    this.stride = step === "on" || (step === "ahead" && gap < MAX_DISTANCE) ? Math.max(ahead, 0) || 0 : 0;
    this.span = gap < MAX_DISTANCE ? this.elapsed : 0;
    if (gap < MAX_DISTANCE) this.gap += 0.2 * (Math.max(gap, NEAREST) - this.gap);
    this.arrived = now;
    this.before = this.after;
    this.after = sample.values;
    this.time = sample.time;
    this.isStill = equal(this.before, this.after);
    this.weight = this.span > 0 ? 0 : 1;
    return step;
  }

  /** Advances to `now` [ms]. Returns whether there is motion that continues without another state. */
  advance(now: number): boolean {
    this.weight = this.span > 0 ? Math.min((now - this.arrived) / this.gap, 1) : 1;
    return this.weight < 1 && !this.isStill;
  }

  /** A value that changes evenly. */
  value(index: number): number {
    const after = this.after[index] ?? 0;
    if (this.weight >= 1) return after;
    const before = this.before[index] ?? 0;
    return before + this.weight * (after - before);
  }

  /** The newest value, for channels that switch. */
  latest(index: number): number {
    return this.after[index] ?? 0;
  }

  /** How fast a value changed between the last two states [1/s]; 0 after a jump. */
  rate(index: number): number {
    return this.span > 0 ? (this.latest(index) - (this.before[index] ?? 0)) / this.span : 0;
  }

  /** An angle [rad], interpolated along the shorter way. */
  angle(index: number): number {
    const after = this.after[index] ?? 0;
    if (this.weight >= 1) return after;
    const before = this.before[index] ?? 0;
    return before + this.weight * wrapped(after - before);
  }

  /** An angle that may go around between two states: as often as its rate [rad/s] says. */
  spin(angle: number, rate: number): number {
    const after = this.after[angle] ?? 0;
    if (this.weight >= 1) return after;
    const before = this.before[angle] ?? 0;
    const expected = 0.5 * ((this.before[rate] ?? 0) + (this.after[rate] ?? 0)) * this.span;
    return before + this.weight * (expected + wrapped(after - before - expected));
  }

  /** Whether a body at this index was put elsewhere rather than moved there at about `speed` [m/s]. */
  jumped(index: number, speed: number): boolean {
    if (this.before.length === 0) return false;
    const x = (this.after[index] ?? 0) - (this.before[index] ?? 0);
    const y = (this.after[index + 1] ?? 0) - (this.before[index + 1] ?? 0);
    return Math.hypot(x, y) > 0.5 + (2 + 1.5 * Math.abs(speed)) * this.elapsed;
  }

  /** The pose at this index, x y z yaw pitch roll, into `out`; the newest one where the body was put elsewhere. */
  pose(index: number, speed: number, out: Float64Array): void {
    const jumped = this.weight < 1 && this.jumped(index, speed);
    for (let i = 0; i < 6; i += 1) {
      const at = index + i;
      out[i] = jumped ? this.latest(at) : i < 3 ? this.value(at) : this.angle(at);
    }
  }
}

function equal(a: Float64Array, b: Float64Array): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}
