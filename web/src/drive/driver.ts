// Drives the selected vehicle by keys and gamepad: periodic orders while the user drives, a stop at the end.
import type { Order } from "../protocol/types";
import type { Store } from "../store/store";
import { Keys, together, wants, wishOfPad } from "./input";
import { controlOf, type DriveControl, limitsOf, SPEEDS, usualSpeed } from "./limits";
import { Pedals } from "./pedals";
import { Ramp, REST, type Wish } from "./ramp";

/** Pause between orders [ms]; the server's dead man's switch waits for six of them. */
const PERIOD = 50;

/** State of driving, for display. */
export interface Driving {
  /** Whether orders are being sent. */
  active: boolean;
  wish: Wish;
  speed: number;
  sideways: number;
  turn: number;
  pedals: Pedals;
  /** Name of the gamepad. */
  pad: string | undefined;
}

/** Sends the orders of keys and gamepad. */
export class Driver {
  readonly keys = new Keys();
  private readonly ramp = new Ramp();
  private readonly pedals = new Pedals();
  private readonly speeds = new Map<string, number>();
  private timer: ReturnType<typeof setInterval> | undefined;
  private last = 0;
  private active = false;
  /** The order that stops the driven vehicle. */
  private halt: Order | undefined;
  /** Number of resets reported by the server. */
  private resets: number | undefined;

  constructor(
    private readonly store: Store,
    /** Sends an order; one that is held lasts while the page is too busy for the next. */
    private readonly send: (order: Order, isHeld: boolean) => void,
    private readonly changed: (driving: Driving) => void,
  ) {
    store.on("selected", () => this.stop());
    store.on("status", ({ resets }) => {
      if (this.resets !== undefined && resets !== this.resets) this.stop();
      this.resets = resets;
    });
    store.on("greeting", () => {
      this.resets = undefined;
    });
    store.on("phase", (phase) => phase.is !== "live" && this.forget());
    addEventListener("blur", () => this.stop());
    document.addEventListener("visibilitychange", () => document.hidden && this.stop());
    addEventListener("gamepadconnected", () => this.wake());
    addEventListener("gamepaddisconnected", () => this.report(REST));
  }

  /** How the selected vehicle can be driven from here. */
  get control(): DriveControl {
    const vehicle = this.store.vehicle;
    return vehicle === undefined || this.store.isLocked ? "none" : controlOf(vehicle);
  }

  /** Whether the selected vehicle can be driven sideways from here. */
  get movesSideways(): boolean {
    return this.control === "yaw" && this.store.vehicle?.moves_sideways === true;
  }

  /** Highest speed as index into `SPEEDS`. */
  get speedIndex(): number {
    const vehicle = this.store.vehicle;
    if (vehicle === undefined) return 0;
    return this.speeds.get(vehicle.name) ?? usualSpeed(vehicle);
  }

  set speedIndex(index: number) {
    const vehicle = this.store.vehicle;
    if (vehicle !== undefined) this.speeds.set(vehicle.name, Math.max(0, Math.min(SPEEDS.length - 1, index)));
  }

  /**
   * A key goes down, `shift`: while Shift is. Returns whether it is a driving key. `repeated`: a key repeat, which does not drive after a release
   * of everything.
   */
  press(code: string, shift = false, repeated = false): boolean {
    if (!Keys.drives(code) || (shift && !this.movesSideways)) return false;
    if (this.control === "none" || this.store.current.is !== "live") return false;
    if (repeated) return true;
    this.keys.press(code, shift);
    this.wake();
    return true;
  }

  /** A key comes up. */
  release(code: string): void {
    this.keys.release(code);
  }

  /** Releases all controls, and stops the vehicle. */
  stop(): void {
    const halt = this.active ? this.halt : undefined;
    this.forget();
    if (halt !== undefined) this.send(halt, false);
  }

  private forget(): void {
    this.keys.clear();
    this.ramp.reset();
    this.pedals.reset();
    this.active = false;
    this.halt = undefined;
    this.report(REST);
  }

  private wake(): void {
    if (this.timer !== undefined) return;
    this.last = performance.now();
    this.timer = setInterval(() => this.tick(), PERIOD);
    this.tick();
  }

  private tick(): void {
    const now = performance.now();
    const dt = Math.min(0.2, (now - this.last) / 1000);
    this.last = now;
    const pad = gamepad();
    const wish = together(
      this.keys.wish,
      pad === undefined || !isWatched() ? REST : wishOfPad(pad, this.movesSideways),
    );
    const vehicle = this.store.vehicle;
    const control = this.control;
    if (vehicle !== undefined && control !== "none" && this.store.current.is === "live") {
      this.drive(vehicle.id, control, wish, dt);
    }
    this.report(wish);
    if (!this.active && !this.keys.any && pad === undefined) {
      clearInterval(this.timer);
      this.timer = undefined;
    }
  }

  private drive(id: number, control: DriveControl, wish: Wish, dt: number): void {
    const vehicle = this.store.vehicle;
    if (vehicle === undefined) return;
    const limits = limitsOf(vehicle, SPEEDS[this.speedIndex] ?? 1);
    if (control === "pedals") {
      const speed = this.store.value("vx");
      // A new scene has no state yet, so whether the vehicle rolls is unknown.
      if (speed === undefined) return;
      this.pedals.advance(wish, limits, speed, dt);
      this.ramp.advance({ ...wish, drive: 0 }, limits, dt, speed);
    } else this.ramp.advance(wish, limits, dt);
    const moves = wants(wish) || !this.ramp.isAtRest || !this.pedals.isAtRest;
    if (!moves && !this.active) return;
    this.active = moves;
    const { throttle, brake, reverse } = this.pedals;
    this.halt = control === "pedals" ? braking(id) : { do: "drive", vehicle: id, speed: 0, turn: 0, sideways: 0 };
    if (!moves) this.send(this.halt, false);
    else if (control === "pedals") {
      this.send({ do: "pedals", vehicle: id, throttle, brake, reverse, steering_angle: this.ramp.turn }, true);
    } else {
      const { speed, turn, sideways } = this.ramp;
      this.send({ do: "drive", vehicle: id, speed, turn, sideways }, true);
    }
  }

  private report(wish: Wish): void {
    const { speed, sideways, turn } = this.ramp;
    this.changed({ active: this.active, wish, speed, sideways, turn, pedals: this.pedals, pad: gamepad()?.id });
  }
}

function braking(vehicle: number): Order {
  return { do: "pedals", vehicle, throttle: 0, brake: 1, reverse: false, steering_angle: 0 };
}

/** Whether this window is in use: a gamepad reports its state wherever the focus is. */
function isWatched(): boolean {
  return !document.hidden && document.hasFocus();
}

function gamepad(): Gamepad | undefined {
  const pads = navigator.getGamepads?.() ?? [];
  return pads.find((pad) => pad?.connected === true && pad.mapping === "standard") ?? undefined;
}
