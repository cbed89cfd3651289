// Turns held keys into speed and steering: smooth ramps towards the target, and back to rest without one.

/** The driver's current input. */
export interface Wish {
  /** -1 full reverse to 1 full ahead. */
  drive: number;
  /** -1 full right to 1 full left. */
  turn: number;
  /** Sideways without turning: -1 full right to 1 full left. */
  sideways: number;
  /** Whether to stop as fast as possible. */
  brake: boolean;
}

/** Limits of a vehicle. */
export interface Limits {
  /** Highest speed [m/s]. */
  speed: number;
  /** Largest steering angle [rad] or yaw rate [rad/s]. */
  turn: number;
  /** Distance of the axles [m] where `turn` is a steering angle. */
  wheelbase: number | undefined;
}

export const REST: Wish = { drive: 0, turn: 0, sideways: 0, brake: false };

/** From rest to the highest speed [s]. */
const SPEED_UP = 1.2;
/** From the highest speed to rest, against the motion [s]. */
const SLOW_DOWN = 0.5;
/** From the highest speed to rest, with nothing held [s]. */
const COAST = 1.2;
/** From straight to full lock [s]. */
const TURN_IN = 0.5;
/** From full lock to straight [s]. */
const TURN_BACK = 0.3;
/** Largest lateral acceleration by steering [m/s²]: about the grip of dry tyres. */
const SIDEWAYS = 8;

/** Moves `value` towards `target` by no more than `most`. */
export function approach(value: number, target: number, most: number): number {
  if (Math.abs(target - value) <= most) return target;
  return value + Math.sign(target - value) * most;
}

/** The largest turn at a speed [m/s]; full lock is available at walking pace only. */
export function turnAt(speed: number, limits: Limits): number {
  if (limits.wheelbase === undefined || speed === 0) return limits.turn;
  return Math.min(limits.turn, Math.atan((limits.wheelbase * SIDEWAYS) / (speed * speed)));
}

/** A speed [m/s] that has approached `target` for `dt` [s]; `limit`: the highest speed [m/s]. */
function speedTowards(target: number, speed: number, brakes: boolean, limit: number, dt: number): number {
  const against = brakes || target * speed < 0;
  const time = against ? SLOW_DOWN : target === 0 ? COAST : SPEED_UP;
  // Rates follow the limit, so that slow and fast vehicles feel alike; after a limit is lowered, the value drops to it quickly.
  const rate = limit / (Math.abs(speed) > limit ? SLOW_DOWN : time);
  // A change of direction passes through zero.
  return approach(speed, target * speed < 0 ? 0 : target, rate * dt);
}

/** Speeds ahead and to the left [m/s], and turn, which change gradually. */
export class Ramp {
  speed = 0;
  sideways = 0;
  turn = 0;

  /** Advances by `dt` [s]. `rolls`: the actual speed [m/s], if it differs from the ramp's. */
  advance(wish: Wish, limits: Limits, dt: number, rolls?: number): void {
    const towards = (share: number, speed: number) =>
      speedTowards(wish.brake ? 0 : share * limits.speed, speed, wish.brake, limits.speed, dt);
    this.speed = towards(wish.drive, this.speed);
    this.sideways = towards(wish.sideways, this.sideways);

    const most = turnAt(rolls ?? this.speed, limits);
    const wanted = wish.turn * most;
    const back = wanted === 0 || wanted * this.turn < 0;
    this.turn = approach(this.turn, wanted, (limits.turn / (back ? TURN_BACK : TURN_IN)) * dt);
  }

  /** Whether everything has come to rest. */
  get isAtRest(): boolean {
    return this.speed === 0 && this.sideways === 0 && this.turn === 0;
  }

  /** Sets speeds and turn to zero. */
  reset(): void {
    this.speed = 0;
    this.sideways = 0;
    this.turn = 0;
  }
}
