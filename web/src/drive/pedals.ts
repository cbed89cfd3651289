// Driving with pedals: the back key brakes while the vehicle rolls forward and reverses once it has stopped.
import { approach, type Limits, type Wish } from "./ramp";

/** Time to press a pedal to the floor [s]. */
const PRESS = 0.8;
/** Time to release it [s]. */
const LIFT = 0.3;
/** Slower than this counts as standing [m/s]. */
const STANDS = 0.3;

/** Throttle and brake, 0 to 1, and the position of the gear lever. */
export class Pedals {
  throttle = 0;
  brake = 0;
  reverse = false;

  /** Advances by `dt` [s] at this forward speed [m/s]. */
  advance(wish: Wish, limits: Limits, speed: number, dt: number): void {
    const stands = Math.abs(speed) < STANDS;
    if (stands && wish.drive !== 0) this.reverse = wish.drive < 0;
    const direction = this.reverse ? -1 : 1;
    const pushes = wish.drive * direction > 0;
    // Close to the speed limit the pedal is released automatically.
    const room = Math.max(0, Math.min(1, (5 * (limits.speed - Math.abs(speed))) / limits.speed));
    const throttle = wish.brake || !pushes ? 0 : Math.abs(wish.drive) * room;
    const brake = wish.brake ? 1 : wish.drive * direction < 0 ? Math.abs(wish.drive) : 0;
    this.throttle = approach(this.throttle, throttle, dt / (throttle > this.throttle ? PRESS : LIFT));
    this.brake = approach(this.brake, brake, dt / LIFT);
  }

  get isAtRest(): boolean {
    return this.throttle === 0 && this.brake === 0;
  }

  /** Releases both pedals and selects the forward gear. */
  reset(): void {
    this.reverse = false;
    this.throttle = 0;
    this.brake = 0;
  }
}
