// The steering angle of a vehicle as one number: its steered wheels have different ones.

/** A wheel: where it is along the vehicle [m], and its steering angle [rad]. */
export interface SteeredWheel {
  x: number;
  steer: number;
}

/** Wheels whose positions along the vehicle differ by less than this are on one axle [m]. */
const SAME_AXLE = 0.02;

/** The mean angle [rad] of the wheels on the foremost axle that is steered now; 0 while all wheels are straight. */
export function meanSteer(wheels: readonly SteeredWheel[]): number {
  const steered = wheels.filter(({ steer }) => steer !== 0);
  const front = Math.max(...steered.map(({ x }) => x));
  const axle = wheels.filter(({ x }) => front - x < SAME_AXLE && x - front < SAME_AXLE);
  return axle.length === 0 ? 0 : axle.reduce((sum, { steer }) => sum + steer, 0) / axle.length;
}
