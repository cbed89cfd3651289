// Sends driving orders beside the page: whatever keeps the page busy, such as drawing in software, does not hold them.
import { headersWith } from "../protocol/token";
import type { FromWorker, ToWorker } from "./messages";
import { Repeater } from "./repeater";

let [address, token] = ["", undefined as string | undefined];

async function post(order: string): Promise<void> {
  const headers = { "Content-Type": "application/json", ...headersWith(token) };
  try {
    const answer = await fetch(address, { method: "POST", headers, body: order, signal: AbortSignal.timeout(2000) });
    const { error } = (await answer.json()) as { error: string | null };
    if (error !== null) postMessage({ error } satisfies FromWorker);
  } catch {
    // Nobody answers: the page notices that by its own connection.
  }
}

const repeater = new Repeater(post);

addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  if (data === "release") {
    repeater.release();
    return;
  }
  ({ address, token } = data);
  repeater.take(data.order, data.isHeld);
});
