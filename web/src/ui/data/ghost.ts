// The two recordings of a replay with a ghost: says once when the shorter one is over.
import type { GhostView } from "../../protocol/types";
import type { Page } from "../panels/page";

/** Times closer than this are the same instant [s]. */
const SAME = 1e-3;

/** Why a ghost stands at this time [s]; none: it goes along. */
export function standingOf({ span: [start, end] }: GhostView, time: number): string | undefined {
  if (time < start - SAME) return "waits";
  return time > end + SAME ? "ended" : undefined;
}

/** What to tell when the shorter one of two recordings is over at this time [s]; none: it is not, or both end together. */
export function endOfShorter({ file, span, other_span: other }: GhostView, time: number): string | undefined {
  const [end, otherEnd] = [span[1], other[1]];
  if (time <= Math.min(end, otherEnd) + SAME) return undefined;
  return end < otherEnd ? `${file} ends here: its ghost stands` : `The recording ends here: only ${file} goes on`;
}

/** Says it, once for each run of the server. */
export function tellEnds({ store, say }: Page): void {
  let reported = false;
  store.on("greeting", () => {
    if (store.sample === undefined) reported = false;
  });
  store.on("sample", ({ time }) => {
    if (reported) return;
    const ghost = store.world?.vehicles.find((vehicle) => vehicle.ghost !== undefined)?.ghost;
    const text = ghost && endOfShorter(ghost, time);
    if (!text) return;
    reported = true;
    say(text);
  });
}
