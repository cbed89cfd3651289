// The time bar of a recording: its position, and seeking.

import { clock, spoken } from "../data/format";
import { rateBox, ratesOf } from "../data/rates";
import { shareOf, timeAt, timeByKey } from "../data/timeline";
import { button, describe } from "../parts/button";
import { byId, h, say, throttled } from "../parts/dom";
import { swapIcon } from "../parts/icons";
import type { Page } from "./page";
import { togglePause } from "./topbar";

/** Pause between orders while the handle is dragged [ms]. */
const PACE = 80;

/** Fills the bar. The returned function seeks by a key, and returns whether it did. */
export function timeBar(page: Page): (key: string, shift: boolean) => boolean {
  const { store } = page;
  const bar = byId("timebar");
  /** Time of a seek that the server has not reached yet [s]. */
  let wanted: number | undefined;
  let dragging = false;
  let forget: ReturnType<typeof setTimeout> | undefined;

  const play = button({
    icon: "play",
    name: "Play",
    key: "p",
    id: "play",
    class: "primary",
    tip: "above-start",
    press: () => togglePause(page),
  });
  const now = h("span", { class: "value now" }, "–");
  const end = h("span", { class: "value muted" }, "–");
  const fill = h("div", { class: "fill" });
  const handle = h("div", { class: "handle" });
  const hint = h("div", { class: "hint value", hidden: true });
  const track = h(
    "div",
    {
      class: "track",
      id: "seek",
      role: "slider",
      tabindex: 0,
      "aria-label": "Time in the recording",
      "aria-orientation": "horizontal",
      onkeydown: (event: KeyboardEvent) => {
        if (!byKey(event.key, event.shiftKey)) return;
        event.preventDefault();
        event.stopPropagation();
      },
      onpointerdown: (event: PointerEvent) => {
        if (!canSeek()) return;
        dragging = true;
        track.setPointerCapture(event.pointerId);
        goTo(at(event));
      },
      onpointermove: (event: PointerEvent) => {
        const time = at(event);
        if (time === undefined) return;
        hint.hidden = false;
        say(hint, clock(time));
        hint.style.left = `${share(event) * 100}%`;
        if (dragging) goTo(time);
      },
      onpointerup: () => {
        dragging = false;
        settle();
      },
      onpointercancel: () => {
        dragging = false;
        settle();
      },
      onpointerleave: () => {
        hint.hidden = true;
      },
    },
    h("div", { class: "rail" }, fill),
    handle,
    hint,
  );
  bar.append(play, now, track, end, rateBox(page, ratesOf(true)));

  const share = (event: PointerEvent) => {
    const box = track.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - box.left) / Math.max(1, box.width)));
  };
  const at = (event: PointerEvent) => {
    const span = store.running?.span;
    return span == null ? undefined : timeAt(share(event), span);
  };
  const canSeek = () => store.running?.span != null && !store.isReadOnly && store.current.is === "live";
  const order = throttled(PACE, () => {
    if (wanted !== undefined) page.tell({ do: "seek", time: wanted });
  });
  function goTo(time: number | undefined): void {
    if (time === undefined) return;
    wanted = time;
    order();
    settle();
    show();
  }
  /** The handle waits for the server for a limited time only. */
  function settle(): void {
    clearTimeout(forget);
    forget = setTimeout(() => {
      if (!dragging) wanted = undefined;
      show();
    }, 700);
  }
  function byKey(key: string, shift: boolean): boolean {
    const span = store.running?.span;
    if (span == null || !canSeek()) return false;
    const time = timeByKey(key, shift, wanted ?? store.sample?.time ?? store.running?.time ?? span.start, span);
    if (time === undefined) return false;
    goTo(time);
    return true;
  }
  function show(): void {
    const span = store.running?.span;
    if (span == null) return;
    const time = wanted ?? store.sample?.time ?? store.running?.time ?? span.start;
    const place = shareOf(time, span);
    say(now, clock(time));
    say(end, clock(span.end));
    fill.style.transform = `scaleX(${place})`;
    handle.style.left = `${place * 100}%`;
    track.setAttribute("aria-valuemin", span.start.toFixed(1));
    track.setAttribute("aria-valuemax", span.end.toFixed(1));
    track.setAttribute("aria-valuenow", time.toFixed(1));
    track.setAttribute("aria-valuetext", `${spoken(time)} of ${spoken(span.end)}`);
  }

  store.on("shown", show);
  store.on("greeting", () => {
    bar.hidden = !store.isReplay;
    track.setAttribute("aria-disabled", String(store.isReadOnly));
  });
  store.on("status", (status) => {
    const stands = status.paused || status.ended;
    swapIcon(play, stands ? "play" : "pause");
    describe(play, stands ? "Play" : "Pause", "p");
    show();
  });
  return byKey;
}
