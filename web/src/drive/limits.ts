// The commands that a vehicle accepts, and the limits of manual driving.
import type { VehicleView } from "../protocol/types";
import type { Limits } from "./ramp";

/** How a vehicle is driven: by steering angle, by yaw rate, by pedals, or not at all. */
export type DriveControl = "steer" | "yaw" | "pedals" | "none";

/** Speeds to choose from [m/s]. */
export const SPEEDS = [0.2, 0.5, 1, 1.5, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40] as const;

/** Yaw rate of vehicles that take one [rad/s]. */
const YAW_RATE = 1.5;
/** Steering angle of vehicles without a given limit [rad]. */
const STEER = 0.5;

/** How to drive it. */
export function controlOf(vehicle: VehicleView): DriveControl {
  if (vehicle.accepts.includes("ackermann")) return "steer";
  if (vehicle.accepts.includes("twist")) return "yaw";
  return vehicle.accepts.includes("pedals") ? "pedals" : "none";
}

/** A suitable speed as an index into `SPEEDS`: fast for cars, walking pace for small robots. */
export function usualSpeed(vehicle: VehicleView): number {
  const wheelbase = vehicle.wheelbase ?? 0;
  const speed = wheelbase > 1.2 ? 8 : wheelbase > 0 ? 2 : 1;
  return SPEEDS.indexOf(speed);
}

/** The limits of a vehicle for a given highest speed [m/s]. */
export function limitsOf(vehicle: VehicleView, speed: number): Limits {
  const steers = controlOf(vehicle) !== "yaw";
  return {
    speed,
    turn: steers ? (vehicle.max_steer ?? STEER) : YAW_RATE,
    wheelbase: steers ? (vehicle.wheelbase ?? undefined) : undefined,
  };
}
