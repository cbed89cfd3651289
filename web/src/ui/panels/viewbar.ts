// Controls of the 3-D view: camera, visibility, moving bodies, pictures.
import { CLOUD, hasTopic } from "../../protocol/topics";
import type { SceneView } from "../../protocol/types";
import type { CameraMode, PointColors, QualityLevel, Shown } from "../../scene/view3d";
import { captureButtons } from "../data/capture";
import { button, press } from "../parts/button";
import { byId, h, say } from "../parts/dom";
import { icon } from "../parts/icons";
import { LAYERS } from "../parts/layers";
import { distanceOf } from "../parts/readout";
import { choice, menu, tick } from "./menu";
import type { Page } from "./page";
import { keep, recall } from "./settings";

const CAMERAS: { mode: CameraMode; name: string; tip: string; key: string }[] = [
  { mode: "orbit", name: "Orbit", tip: "Orbit: turn around a point", key: "1" },
  { mode: "follow", name: "Follow", tip: "Follow: stay with the selected vehicle", key: "2" },
  { mode: "top", name: "Top", tip: "Top: look straight down", key: "3" },
];

const COLORS: { value: PointColors; name: string }[] = [
  { value: "height", name: "height" },
  { value: "intensity", name: "intensity, or colour" },
  { value: "ring", name: "ring" },
  { value: "label", name: "label" },
];

function hasUnevenGround(scene: SceneView | undefined): boolean {
  return scene?.fixed.some(({ kind }) => kind === "elevation") === true;
}

/** Actions of keys and other parts on the view. */
export interface ViewBar {
  camera(mode: CameraMode): void;
  /** The camera mode has changed. */
  showCamera(mode: CameraMode): void;
  toggle(what: Shown): void;
  move(on?: boolean): void;
  /** Takes the ruler, or puts it away. */
  measure(on?: boolean): void;
  /** Layers that the user has shown or hidden. */
  choices(): { show: Shown[]; hide: Shown[] };
  choose(what: Shown, shown: boolean): void;
  /** The view has been loaded, or shows another scene. */
  renew(): void;
  quality(level: QualityLevel): void;
  /** Hides all panels, or shows them again. */
  bare(): void;
  fullscreen(): void;
  /** Reports when a layer appears or disappears. */
  onLayer: (() => void) | undefined;
}

/** Fills the bar; `cameraMenu` goes into it. */
export function viewBar(page: Page, cameraMenu: HTMLElement): ViewBar {
  const { store } = page;
  let moving = false;
  let measuring = false;
  /** The user's choice, which overrides the world file. */
  const chosen = new Map<Shown, boolean>();

  const cameras = CAMERAS.map(({ mode, name, tip, key }) => {
    const element = button({
      icon: mode,
      name: tip,
      key,
      text: name,
      pressed: mode === "orbit",
      class: "segment",
      id: `camera-${mode}`,
      tip: "above-start",
      press: () => bar.camera(mode),
    });
    return element;
  });
  const home = button({
    icon: "home",
    name: "Show everything",
    key: "h",
    id: "home",
    tip: "above",
    press: () => page.view?.home(),
  });
  const ticks = LAYERS.map(({ what, name, key }) => {
    const element = tick(name, true, (shown) => set(what, shown), key);
    element.dataset.shown = what;
    return element;
  });
  const colors = choice("Colour of clouds", COLORS, recall("clouds"), (colors) => {
    keep("clouds", colors);
    page.view?.colorPoints(colors);
  });
  const note = h("p", { class: "note", hidden: true });
  const clear = h(
    "button",
    { type: "button", class: "button wide", onclick: () => page.view?.clearPaths() },
    icon("eraser"),
    "Clear paths",
    h("kbd", {}, "c"),
  );
  const bare = h(
    "button",
    {
      type: "button",
      class: "button wide wide-only",
      onclick: () => {
        shows.close();
        bar.bare();
      },
    },
    icon("fullscreen"),
    "Only the view",
    h("kbd", {}, "z"),
  );
  const shows = menu(
    { icon: "layers", name: "Show or leave out", text: "Show", id: "shows", tip: "above", opens: () => showMissing() },
    { class: "menu-up", role: "group", "aria-label": "What is shown" },
    ...ticks,
    colors.element,
    clear,
    bare,
    note,
  );
  const move = button({
    icon: "move",
    name: "Move things: drag them, q and e turn",
    key: "m",
    text: "Move",
    pressed: false,
    class: "when-live",
    id: "move",
    tip: "above",
    press: () => bar.move(),
  });
  const ruler = button({
    icon: "ruler",
    name: "Measure: click two points",
    key: "y",
    pressed: false,
    id: "ruler",
    tip: "above",
    press: () => bar.measure(),
  });
  const { picture, video } = captureButtons(page);
  const fullscreen = button({
    icon: "fullscreen",
    name: "Full screen",
    key: "Shift F",
    id: "fullscreen",
    tip: "above-end",
    press: () => bar.fullscreen(),
  });
  fullscreen.hidden = document.fullscreenEnabled !== true;
  byId("stage").append(
    button({
      icon: "sliders",
      name: "Bring the panels back",
      key: "z",
      id: "panels",
      class: "panel",
      tip: "above-end",
      press: () => bar.bare(),
    }),
  );
  const rule = () => h("span", { class: "rule", role: "separator" });
  byId("viewbar").append(
    h("div", { class: "segments", role: "group", "aria-label": "Camera" }, ...cameras),
    home,
    rule(),
    shows.element,
    cameraMenu,
    move,
    ruler,
    rule(),
    picture,
    video,
    fullscreen,
  );

  function set(what: Shown, shown: boolean): void {
    chosen.set(what, shown);
    page.view?.setShown(what, shown);
    showTicks();
    bar.onLayer?.();
  }
  function showTicks(): void {
    for (const element of ticks) {
      const box = element.querySelector("input");
      if (box !== null) box.checked = page.view?.getShown(element.dataset.shown as Shown) ?? false;
    }
  }

  /** Files arrive long after the scene, so this is updated whenever it is shown. */
  function showMissing(): void {
    const missing = page.view?.stats.missing ?? [];
    note.hidden = missing.length === 0;
    if (missing.length > 0)
      say(note, `Not found, shown as crossed boxes or plain shapes, or not at all: ${missing.length}`);
    note.title = missing.join("\n");
  }

  const bar: ViewBar = {
    onLayer: undefined,
    camera(mode) {
      page.view?.setCamera(mode);
    },
    showCamera(mode) {
      cameras.forEach((element, i) => {
        press(element, CAMERAS[i]?.mode === mode);
      });
    },
    toggle(what) {
      if (page.view === undefined) return;
      const shown = !page.view.getShown(what);
      set(what, shown);
      const name = LAYERS.find((layer) => layer.what === what)?.name;
      page.say(`${name}: ${shown ? "shown" : "not shown"}`);
    },
    move(on = !moving) {
      moving = on && !store.isLocked && page.view !== undefined;
      if (moving) bar.measure(false);
      page.view?.setMoveMode(moving);
      press(move, moving);
      document.body.classList.toggle("moving", moving);
    },
    measure(on = !measuring) {
      if (on === measuring || page.view === undefined) return;
      measuring = on;
      if (on) {
        bar.move(false);
        page.view.pickUp(undefined);
      }
      page.view.measure(on ? distanceOf : undefined);
      press(ruler, on);
    },
    choices() {
      const layersWith = (shown: boolean) =>
        [...chosen].filter(([, isShown]) => isShown === shown).map(([what]) => what);
      return { show: layersWith(true), hide: layersWith(false) };
    },
    choose: set,
    renew() {
      for (const [what, shown] of chosen) page.view?.setShown(what, shown);
      page.view?.colorPoints(colors.value());
      colors.element.hidden = !hasTopic(store.world, CLOUD);
      for (const element of ticks) {
        if (element.dataset.shown === "relief") element.hidden = !hasUnevenGround(store.world);
      }
      showTicks();
    },
    quality(level) {
      byId("viewbar").dataset.quality = level.everyPoint && level.shadows ? "full" : "reduced";
      showTicks();
    },
    bare() {
      document.body.classList.toggle("bare");
    },
    fullscreen() {
      const done =
        document.fullscreenElement === null ? document.documentElement.requestFullscreen() : document.exitFullscreen();
      done.catch((error: unknown) => page.say(`full screen: ${String(error)}`, "warning"));
    },
  };
  store.on("greeting", () => bar.move(false));
  return bar;
}
