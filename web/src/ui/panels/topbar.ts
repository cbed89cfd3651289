// The top bar: world, simulated time, speed of time, and connection.
import type { Phase } from "../../protocol/connection";
import type { Status } from "../../protocol/types";
import { factor, fixed, worldName } from "../data/format";
import { rateBox, ratesOf } from "../data/rates";
import { isAtEnd } from "../data/timeline";
import { type ButtonOptions, button, describe } from "../parts/button";
import { byId, h, say } from "../parts/dom";
import { icon, swapIcon } from "../parts/icons";
import { paceGraph } from "../parts/pacegraph";
import { isDark, switchTheme } from "../theme";
import { toggleHelp } from "./help";
import type { Page } from "./page";

/** Simulated time of a larger step [s]. */
const LARGE_STEP = 0.1;

/** Pauses or resumes. */
export function togglePause(page: Page): void {
  const status = page.store.running;
  if (status === undefined || page.store.isReadOnly || page.store.current.is !== "live") return;
  // A recording at its end starts over.
  if (isAtEnd(status) && status.span !== null) page.tell({ do: "seek", time: status.span.start });
  if (status.paused) page.tell({ do: "resume" });
  else if (!status.ended) page.tell({ do: "pause" });
}

/** Steps once, or by a tenth of a second; pauses first. */
export function step(page: Page, large = false): void {
  const { store } = page;
  const length = store.world?.step;
  if (length === undefined || store.isLocked) return;
  if (store.running?.paused === false) page.tell({ do: "pause" });
  page.tell({ do: "step", count: large ? Math.max(1, Math.round(LARGE_STEP / length)) : 1 });
}

/** Resets everything to the start, and releases the controls. */
export function reset(page: Page): void {
  if (page.store.isLocked || page.store.current.is !== "live") return;
  page.driver.stop();
  page.tell({ do: "reset" });
}

/** Fills the bar. */
export function topBar(page: Page, themed: () => void): void {
  const { store } = page;
  const pause = button({
    icon: "pause",
    name: "Pause",
    key: "p",
    id: "pause",
    tip: "below",
    class: "primary",
    press: () => togglePause(page),
  });
  const stepper = button({ icon: "step", name: "Step", key: ".", id: "step", tip: "below", press: () => step(page) });
  const resetter = button({
    icon: "reset",
    name: "Back to the start",
    key: "Shift R",
    id: "reset",
    tip: "below",
    press: () => reset(page),
  });
  byId("transport").append(pause, stepper, rateBox(page, ratesOf(false)), resetter);

  const time = h("span", { id: "time", class: "value" }, "–");
  const speed = h("span", { id: "factor", class: "value" }, "–");
  const locked = h(
    "span",
    { id: "locked", class: "chip", hidden: true, tabindex: 0, "data-tip-at": "below" },
    icon("lock"),
    "Read only",
  );
  locked.dataset.tip = "This server takes no orders: look, but do not touch";
  const connection = h("span", {
    id: "connection",
    class: "chip",
    role: "status",
    tabindex: 0,
    "data-tip-at": "below",
  });
  const words = h("span", { class: "text" }, "Connecting");
  connection.append(h("span", { class: "dot" }), words);
  byId("readings").append(
    h(
      "span",
      { class: "reading", "data-tip": "Simulated time", "data-tip-at": "below" },
      time,
      h("span", { class: "unit" }, "s"),
    ),
    h(
      "span",
      { class: "reading wide", "data-tip": "Simulated seconds per second", "data-tip-at": "below" },
      speed,
      h("span", { class: "unit" }, "real time"),
    ),
    paceGraph(store),
    locked,
    connection,
  );

  const themeButton = (options: Partial<ButtonOptions>) =>
    button({
      icon: isDark() ? "sun" : "moon",
      name: "Dark or light",
      ...options,
      press: () => {
        switchTheme();
        themed();
      },
    });
  const helpButton = (options: Partial<ButtonOptions>) =>
    button({ icon: "help", name: "Help", key: "?", ...options, press: toggleHelp });
  const narrow = { class: "narrow-only" };
  const live = { class: "narrow-only when-live" };
  const themes = [themeButton({ id: "theme", tip: "below-end" }), themeButton(narrow)] as const;
  // By this button or by the system.
  addEventListener("skidpad:theme", () => {
    for (const element of themes) swapIcon(element, isDark() ? "sun" : "moon");
  });
  byId("tools").append(themes[0], helpButton({ id: "help-button", tip: "below-end" }));
  // Where the bar has no room for them, they are among the controls of the view.
  byId("viewbar").append(
    button({ icon: "step", name: "Step", ...live, press: () => step(page) }),
    button({ icon: "reset", name: "Back to the start", ...live, press: () => reset(page) }),
    themes[1],
    helpButton(narrow),
  );

  const showTime = () => {
    const seconds = store.sample?.time ?? store.running?.time;
    say(time, seconds === undefined ? "–" : fixed(seconds, 2));
  };
  const showState = () => {
    const { state, text } = summary(store.current, store.running, store.isReplay);
    connection.dataset.state = state;
    say(words, text);
    const about = [store.server && `skidpad ${store.server.version}`];
    const viewers = store.running?.viewers;
    if (viewers !== undefined) about.push(viewers === 1 ? "1 viewer" : `${viewers} viewers`);
    connection.dataset.tip = about.filter(Boolean).join("  ·  ") || "No server yet";
  };
  store.on("shown", showTime);
  store.on("phase", (phase) => {
    showState();
    const dead = phase.is !== "live";
    document.body.classList.toggle("stale", dead && store.world !== undefined);
    for (const control of document.querySelectorAll<HTMLButtonElement>(
      "#transport :is(button, select), #timebar :is(button, select)",
    )) {
      control.disabled = dead;
    }
  });
  store.on("greeting", () => {
    document.body.classList.toggle("replay", store.isReplay);
    document.body.classList.toggle("read-only", store.isReadOnly);
    locked.hidden = !store.isReadOnly;
    showState();
  });
  store.on("status", (status) => {
    showState();
    if (store.sample === undefined) showTime();
    say(speed, status.paused ? "0.00×" : factor(status.real_time_factor));
    swapIcon(pause, status.paused ? "play" : "pause");
    describe(pause, status.paused ? "Go on" : "Pause", "p");
    document.body.classList.toggle("paused", status.paused);
  });
  store.on("scene", (scene) => {
    document.body.classList.remove("empty-handed");
    const name = worldName(scene.name);
    byId("world").title = scene.name;
    say(byId("world"), name);
    document.title = name === "skidpad" ? name : `${name} – skidpad`;
    const milliseconds = fixed(scene.step * 1000, 1).replace(/\.0$/, "");
    describe(stepper, `Step of ${milliseconds} ms (Shift .: ${LARGE_STEP} s)`, ".");
  });
}

function summary(phase: Phase, status: Status | undefined, replay: boolean): { state: string; text: string } {
  switch (phase.is) {
    case "connecting":
      return { state: "wait", text: "Connecting" };
    case "loading":
      return { state: "wait", text: "Loading" };
    case "lost":
      return { state: "bad", text: "Not connected" };
    case "refused":
      return { state: "bad", text: "Refused" };
    case "live":
      if (status !== undefined && isAtEnd(status)) return { state: "wait", text: "At the end" };
      if (status?.ended === true) return { state: "wait", text: "Ended" };
      if (status?.paused === true) return { state: "wait", text: "Paused" };
      return { state: "good", text: replay ? "Replay" : "Live" };
  }
}
