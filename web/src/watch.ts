// Selects the states and scans to request: those shown, as often as they can be drawn.
import type { OfVehicles, Order, WatchedTopic } from "./protocol/types";

/** States per second that look smooth. */
const SMOOTH = 30;
/** Lowest rate for plots and values. */
const MIN_RATE = 10;
/** MVSim's default rate, which worlds without a rate have; it does not lower the rate below one that looks smooth. */
const UNSAID = 20;
/** In a hidden tab: enough to be up to date at once when it is shown again. */
const HIDDEN = 1;
/** Beams that are left out on weak machines. */
const COARSE = 4;

/** Inputs of the selection. */
export interface Looking {
  hidden: boolean;
  /** Whether points are shown at all. */
  points: boolean;
  /** Whether the machine keeps up with every point of all vehicles. */
  everyPoint: boolean;
  /** Pictures per second that it draws, when known. */
  fps: number | undefined;
  /** How often the world file wants its window drawn [Hz]. */
  refreshRate: number | undefined;
  /** Id of the selected vehicle. */
  vehicle: number | undefined;
  /** Topics whose pictures are shown. */
  pictures: WatchedTopic[];
  /** Whether the numbers of the selected vehicle's sensors are shown. */
  readings?: boolean;
  /** Whether the picture shows numbers of all vehicles: forces on their wheels, or those of a ghost. */
  everyNumber?: boolean;
  /** Number of additions to the protocol that the server has. */
  minor: number;
}

/** The first server that sends some of the numbers only. */
const SENDS_SOME = 4;

/** The order to send. */
export function watchFor(looking: Looking): Order {
  const {
    hidden,
    points,
    everyPoint,
    fps,
    refreshRate = UNSAID,
    vehicle,
    pictures,
    readings = false,
    everyNumber = false,
    minor,
  } = looking;
  const drawn = Math.min(SMOOTH, Math.max(MIN_RATE, Math.round(fps ?? SMOOTH)));
  const most = refreshRate > 0 && refreshRate !== UNSAID ? Math.max(HIDDEN, refreshRate) : SMOOTH;
  const rate = hidden ? HIDDEN : Math.min(drawn, most);
  let wanted: OfVehicles = "none";
  if (points && !hidden) wanted = everyPoint ? "all" : vehicle === undefined ? "none" : { vehicle };
  return {
    do: "watch",
    rate,
    points: wanted,
    stride: everyPoint ? 1 : COARSE,
    clouds: wanted !== "none",
    pictures: hidden ? [] : pictures,
    ...(!everyNumber && minor >= SENDS_SOME
      ? { numbers: vehicle === undefined ? ("none" as const) : { vehicle } }
      : {}),
    ...(readings && !hidden && vehicle !== undefined ? { readings: vehicle } : {}),
  };
}
