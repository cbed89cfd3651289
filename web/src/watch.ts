// Which states and scans to ask for: what is looked at, as often as it can be drawn.
import type { Order, Points } from "./protocol/types";

/** States per second that look smooth. */
const SMOOTH = 30;
/** The least that plots and values want. */
const LEAST = 10;
/** In a hidden tab: enough to be up to date at once when it is shown again. */
const HIDDEN = 1;
/** Beams that are left out on weak machines. */
const COARSE = 4;

/** What decides. */
export interface Looking {
  hidden: boolean;
  /** Whether points are shown at all. */
  points: boolean;
  /** Whether the machine keeps up with every point of all vehicles. */
  everyPoint: boolean;
  /** Pictures per second that it draws, when known. */
  fps: number | undefined;
  /** Id of the selected vehicle. */
  vehicle: number | undefined;
}

/** The order to send. */
export function watchFor(looking: Looking): Order {
  const { hidden, points, everyPoint, fps, vehicle } = looking;
  const rate = hidden ? HIDDEN : Math.min(SMOOTH, Math.max(LEAST, Math.round(fps ?? SMOOTH)));
  let wanted: Points = "none";
  if (points && !hidden) wanted = everyPoint ? "all" : vehicle === undefined ? "none" : { vehicle };
  return { do: "watch", rate, points: wanted, stride: everyPoint ? 1 : COARSE };
}
