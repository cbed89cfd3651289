// Keyboard shortcuts of the page. Fields that take text or arrow keys keep those keys.
import type { Carry } from "./carry";
import { nextRate, ratesOf } from "./data/rates";
import { stepVehicle } from "./data/vehicles";
import { toggleHelp } from "./panels/help";
import type { Page } from "./panels/page";
import { reset, step, togglePause } from "./panels/topbar";
import type { ViewBar } from "./panels/viewbar";
import { byId } from "./parts/dom";
import { type Focus, focus } from "./parts/focus";
import { LAYERS } from "./parts/layers";

const SHOWN = new Map(LAYERS.map(({ key, what }) => [key, what]));

/** Starts listening. `seek` handles the keys that move through a recording. */
export function listenToKeys(
  page: Page,
  view: ViewBar,
  carry: Carry,
  seek: (key: string, shift: boolean) => boolean,
): void {
  const { store, driver } = page;

  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]") !== null) {
      if (event.key === "?" && document.querySelector("dialog[open]") !== null) toggleHelp();
      return;
    }
    const where = focus();
    if (where === "text") return;
    const isSelect = document.activeElement?.matches("select") === true;
    const isArrow = event.key.startsWith("Arrow");
    const taken =
      (isArrow && where === "arrows") ||
      (event.code === "Space" && (where === "button" || isSelect) && !driver.keys.any);
    if (!taken && driver.press(event.code, event.shiftKey, event.repeat)) {
      event.preventDefault();
      return;
    }
    // In lists and select boxes, letters jump to entries.
    if (isSelect || event.repeat) return;
    if (act(event, where)) event.preventDefault();
  });
  addEventListener("keyup", (event) => {
    // While it is down, macOS does not report the release of other keys.
    if (event.key === "Meta") driver.stop();
    else driver.release(event.code);
  });
  // After a press by pointer, keys drive again; keyboard users keep their focus.
  addEventListener("click", (event) => {
    const element = document.activeElement;
    const isControl = element?.matches("button, summary, input[type=checkbox], [role=listbox]") === true;
    if (event.detail > 0 && isControl && element instanceof HTMLElement && element.closest("dialog") === null)
      element.blur();
  });

  function act(event: KeyboardEvent, where: Focus): boolean {
    if (store.isReplay && where === "page" && seek(event.key, event.shiftKey)) return true;
    if (store.isReplay && where !== "button" && event.code === "Space") {
      togglePause(page);
      return true;
    }
    // Shift decides, not the letter's case: caps lock must not turn r into R.
    const key = /^\p{L}$/u.test(event.key)
      ? event.shiftKey
        ? event.key.toUpperCase()
        : event.key.toLowerCase()
      : event.key;
    const shown = SHOWN.get(key);
    if (shown !== undefined) {
      view.toggle(shown);
      return true;
    }
    const acts: Record<string, () => void> = {
      "?": toggleHelp,
      p: () => togglePause(page),
      ".": () => step(page),
      ">": () => step(page, true),
      ":": () => step(page, true),
      "-": () => pace(-1),
      "+": () => pace(1),
      "=": () => pace(1),
      R: () => reset(page),
      "1": () => view.camera("orbit"),
      "2": () => view.camera("follow"),
      "3": () => view.camera("top"),
      h: () => page.view?.home(),
      c: () => page.view?.clearPaths(),
      m: () => view.move(),
      g: () => {
        view.measure(false);
        carry.pickUp();
      },
      y: () => view.measure(),
      "[": () => stepVehicle(page, -1),
      "]": () => stepVehicle(page, 1),
      "/": () => byId("filter").focus(),
      k: () => dispatchEvent(new Event("skidpad:freeze")),
      i: () => byId("picture").click(),
      v: () => byId("video").click(),
      z: () => view.bare(),
      F: () => view.fullscreen(),
      Escape: () => {
        view.move(false);
        view.measure(false);
      },
    };
    const does = acts[key];
    does?.();
    return does !== undefined;
  }

  function pace(direction: 1 | -1): void {
    const status = store.running;
    if (status !== undefined && !store.isReadOnly) {
      page.tell({ do: "set_rate", rate: nextRate(ratesOf(store.isReplay), status.rate, direction) });
    }
  }
}
