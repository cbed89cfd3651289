// Carrying of bodies: picked up by a button or a key, moved by pointer or keys, placed or cancelled. The panel below the view shows name and pose.
import { Keys } from "../drive/input";
import type { SceneView } from "../protocol/types";
import type { Load } from "../scene/view3d";
import { degrees, fixed } from "./data/format";
import type { Page } from "./panels/page";
import { button } from "./parts/button";
import { byId, h, say } from "./parts/dom";
import { focus } from "./parts/focus";

/** Turn by a press of a key [rad]. */
const TURN = Math.PI / 24;
/** The same with Shift. */
const FINE_TURN = Math.PI / 180;
/** Delay before the position of a carried body is announced [ms]. */
const RESTS = 500;

const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/** Something that can be carried. */
export interface Portable {
  id: number;
  name: string;
  /** Index of the vehicle; none: a block. */
  vehicle: number | undefined;
}

/** Bodies that can be carried: movable vehicles, then movable blocks; while the world is edited, all of both. */
export function portable(scene: Pick<SceneView, "vehicles" | "blocks">, isEdited = false): Portable[] {
  const vehicles = scene.vehicles.map((view, vehicle) => ({ view, vehicle }));
  const blocks = scene.blocks.filter(({ outline }) => outline.length > 2).map((view) => ({ view, vehicle: undefined }));
  return [...vehicles, ...blocks]
    .filter(({ view }) => view.is_movable || isEdited)
    .map(({ view: { id, name }, vehicle }) => ({ id, name, vehicle }));
}

/** A position as readable text. */
export function placeOf({ x, y, yaw }: Pick<Load, "x" | "y" | "yaw">): string {
  return `x ${fixed(x, 2)} m, y ${fixed(y, 2)} m, heading ${fixed(degrees(yaw), 0)}°`;
}

/** Interface for other parts of the page. */
export interface Carry {
  /** Picks up the body with this id, or else the selected vehicle, or else the first body. */
  pickUp(entity?: number): void;
  /** The carried body was moved or turned. */
  moved(load: Load): void;
  /** It was put down. */
  dropped(load: Load): void;
  /** It was left where it was, or has been removed. */
  left(): void;
}

/** Fills the panel, and handles the keys that move the carried body. */
export function carrying(page: Page): Carry {
  const { store } = page;
  /** The previously focused element, if focused by keyboard. */
  let opener: HTMLElement | undefined;
  let pending: ReturnType<typeof setTimeout> | undefined;
  /** Name of the carried body, which may be gone by the time of the announcement. */
  let name = "";

  const chooser = h("select", {
    class: "rate",
    "aria-label": "What is carried",
    onchange: () => carry.pickUp(Number(chooser.value)),
  });
  const place = h("span", { class: "value" });
  const turner = (side: "left" | "right", key: string, angle: number) =>
    button({ icon: side, name: `Turn to the ${side}`, key, class: "small", press: () => page.view?.turn(angle) });
  const panel = h(
    "div",
    { id: "carried", class: "panel", role: "group", "aria-label": "Carrying", hidden: true },
    chooser,
    place,
    h("span", { class: "rule", role: "separator" }),
    turner("left", "q", TURN),
    turner("right", "e", -TURN),
    h(
      "button",
      { type: "button", class: "button small", id: "put-down", onclick: () => page.view?.putDown() },
      "Put down",
      h("kbd", {}, "Enter"),
    ),
    h(
      "button",
      { type: "button", class: "button small", id: "leave", onclick: () => page.view?.pickUp(undefined) },
      "Cancel",
      h("kbd", {}, "Esc"),
    ),
    h("p", { class: "muted" }, "Click where it shall stand, or move it with the arrows; Shift: finely"),
  );
  // Announcement for screen readers: the panel itself changes far too often.
  const spoken = h("p", { id: "spoken", class: "unseen", role: "status" });
  byId("stage").append(panel, spoken);

  const bodies = () => portable(store.world ?? { vehicles: [], blocks: [] }, page.edit?.isOn);
  function tell(text: string): void {
    clearTimeout(pending);
    say(spoken, text);
  }
  function show(load: Load): void {
    say(place, placeOf(load));
    chooser.value = String(load.entity);
  }
  function list(): void {
    const option = ({ id, name }: Portable) => h("option", { value: id }, name);
    chooser.replaceChildren(...bodies().map(option));
    chooser.value = String(page.view?.load?.entity);
  }
  function close(): void {
    clearTimeout(pending);
    if (panel.hidden) return;
    const wasInside = panel.contains(document.activeElement) || document.activeElement === page.view?.canvas;
    panel.hidden = true;
    if (!wasInside) return;
    if (opener?.isConnected === true) opener.focus();
    else page.view?.canvas.blur();
  }

  const carry: Carry = {
    pickUp(entity) {
      const { view } = page;
      if (view === undefined || store.world === undefined || store.isLocked || store.current.is !== "live") return;
      if (entity === undefined && view.load !== undefined) return;
      const chosen =
        bodies().find(({ id }) => id === (entity ?? page.edit?.chosen ?? store.vehicle?.id)) ?? bodies()[0];
      if (chosen === undefined) {
        page.say("There is nothing here that can be moved");
        return;
      }
      // Driving ends: the keys move the carried body now.
      page.driver.stop();
      if (chosen.vehicle !== undefined) store.select(chosen.vehicle);
      view.pickUp(chosen.id);
      const { load } = view;
      if (load === undefined) return;
      name = chosen.name;
      view.seek();
      if (panel.hidden) {
        const before = document.activeElement;
        opener = before instanceof HTMLElement && before.matches(":focus-visible") ? before : undefined;
        list();
        panel.hidden = false;
        view.canvas.focus({ preventScroll: true });
      }
      show(load);
      tell(
        `${chosen.name} picked up at ${placeOf(load)}. Arrow keys move it, q and e turn it, Enter puts it down, Escape leaves it where it was.`,
      );
    },
    moved(load) {
      if (panel.hidden) return;
      show(load);
      clearTimeout(pending);
      pending = setTimeout(() => say(spoken, placeOf(load)), RESTS);
    },
    dropped(load) {
      const { entity, x, y, z, isOn, yaw } = load;
      const put = panel.hidden ? bodies().find(({ id }) => id === entity)?.name : name;
      close();
      const done = page.edit?.isOn
        ? page.edit.place(load)
        : page.tell({ do: "place", entity, x, y, z: isOn ? z : null, yaw });
      void done.then((isDone) => {
        tell(isDone ? `${put} put down at ${placeOf({ x, y, yaw })}` : `${put} stays where it was`);
      });
    },
    left() {
      if (!panel.hidden) tell(`${name} stays where it was`);
      close();
    },
  };

  /** Picks up the previous (-1) or the next (1) body. */
  function change(load: Load, direction: 1 | -1): void {
    const all = bodies();
    const now = all.findIndex(({ id }) => id === load.entity);
    carry.pickUp(all[(now + direction + all.length) % all.length]?.id);
  }

  /** Applies a key to the carried body. Returns whether it is such a key. */
  function act(event: KeyboardEvent, load: Load): boolean {
    const { view } = page;
    const where = focus();
    const active = document.activeElement;
    const isOnView = active === view?.canvas;
    if (view === undefined || where === "text") return false;
    const arrow = ARROWS[event.key];
    if (active === chooser) {
      // A body has been chosen: carry it.
      if (event.key === "Enter") view.canvas.focus({ preventScroll: true });
      if (event.key === "Enter") return true;
      if (event.key !== "Escape") return false;
    }
    if (arrow !== undefined) {
      if (where === "arrows" && !isOnView) return false;
      view.nudge(...arrow, event.shiftKey);
      return true;
    }
    const angle = event.shiftKey ? FINE_TURN : TURN;
    const acts: Record<string, () => void> = {
      q: () => view.turn(angle),
      e: () => view.turn(-angle),
      "[": () => change(load, -1),
      "]": () => change(load, 1),
      enter: () => view.putDown(),
      escape: () => view.pickUp(undefined),
    };
    const does = acts[event.key.toLowerCase()];
    // Enter and Space press the button that has the focus.
    if (where === "button" && (event.key === "Enter" || event.code === "Space")) return false;
    if (does !== undefined && !(event.repeat && event.key === "Enter")) does();
    return does !== undefined || Keys.drives(event.code);
  }
  addEventListener(
    "keydown",
    (event) => {
      const load = page.view?.load;
      if (load === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      if (document.querySelector("dialog[open], .has-menu > .menu:not([hidden])") !== null) return;
      if (!act(event, load)) return;
      event.preventDefault();
      event.stopPropagation();
    },
    { capture: true },
  );
  store.on("phase", (phase) => phase.is !== "live" && page.view?.pickUp(undefined));
  store.on("greeting", () => page.view?.pickUp(undefined));
  store.on("scene", () => !panel.hidden && list());
  return carry;
}
