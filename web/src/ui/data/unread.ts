// Says why sensors show nothing on a page that is opened during a pause: they take readings only for those who look, at their next instants.
import { CLOUD, hasTopic, PICTURE } from "../../protocol/topics";
import type { SceneView } from "../../protocol/types";
import type { Store } from "../../store/store";

/** So many statuses of a pause, a second apart, after the page has asked: what there is has arrived by then. */
const STATUSES = 2;

export const UNREAD =
  "Paused: sensors that nobody has read yet show nothing\nTheir next readings come when time goes on (p), or with a step (Shift .)";

function hasSensors(scene: SceneView | undefined): boolean {
  const hasScans = scene?.vehicles.some(({ sensors }) => sensors.some(({ count }) => count > 0)) ?? false;
  return hasScans || hasTopic(scene, CLOUD) || hasTopic(scene, PICTURE);
}

/**
 * Starts looking: tells once for each run.
 * @param isAsking whether the page has asked for readings
 */
export function tellOfUnread(store: Store, isAsking: () => boolean, tell: (text: string) => void): void {
  let run: string | undefined;
  let isSettled = false;
  let statuses = 0;
  const arrived = () => {
    isSettled = true;
  };
  store.on("greeting", (greeting) => {
    if (greeting.run === run) return;
    run = greeting.run;
    isSettled = false;
    statuses = 0;
  });
  for (const reading of ["scan", "cloud", "picture"] as const) store.on(reading, arrived);
  store.on("status", ({ paused, ended }) => {
    if (isSettled || store.isReplay) return;
    statuses = paused && !ended && isAsking() && hasSensors(store.world) ? statuses + 1 : 0;
    if (statuses < STATUSES) return;
    isSettled = true;
    tell(UNREAD);
  });
}
