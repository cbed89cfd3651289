// Editing of the world file: time stands, clicks choose bodies, drags and fields change them in the file and in the running world.
import type { DescriptionView, EditView, OfferView } from "../protocol/types";
import type { Load } from "../scene/view3d";
import { type Carry, placeOf } from "../ui/carry";
import { degrees } from "../ui/data/format";
import { NARROW, type Page } from "../ui/panels/page";
import { press } from "../ui/parts/button";
import { byId } from "../ui/parts/dom";
import { focus } from "../ui/parts/focus";
import { radians } from "./fields";
import { fittingStep, freePlace } from "./grid";
import { editButton, editPanel } from "./panel";
import { EditSession } from "./session";
import { endsOf, type Point, snapped } from "./snap";

/** Distance on the page within which the end of a wall is meant [px]. */
const REACH = 12;
/** Smaller turns count as no turn [rad]. */
const MIN_TURN = 0.002;
/** Bodies this near to their start are there [m], and with this turn [rad]. */
const [AT_START, UNTURNED] = [0.005, 0.01];
/** Radius of what is added, where nothing like it is there yet [m]. */
const USUAL_RADIUS = 0.4;
/** Names of walls. */
const WALL = /^wall_\d+$/;

/** Adds the editor to the page. */
export function editor(page: Page, carry: Carry): void {
  const { store } = page;
  let isOn = false;
  let wasRunning = false;
  /** Name of the chosen body: ids change with each edit. */
  let chosen: string | undefined;
  let description: DescriptionView | string | undefined;
  /** The points of the walls that are being drawn. */
  let drawn: Point[] | undefined;
  /** Distance of the grid's lines as it was chosen [m]; `auto`: what fits. */
  let chosenStep: number | "auto" | undefined = "auto";

  const session = new EditSession(page, () => panel.document(session.document, session.offers));
  const opener = editButton(() => toggle());
  const panel = editPanel({
    add: (offer) => add(offer),
    drawWalls: () => (drawn === undefined ? beginWalls() : endWalls(false)),
    endWalls,
    undo: () => void session.undo(),
    redo: () => void session.redo(),
    save: (file) => void session.save(file),
    remove: () => remove(),
    begin: (file) => void begin(file),
    grid(step) {
      chosenStep = step;
      page.view?.editing.setGrid(gridOf);
    },
    startHere() {
      const pose = now();
      if (pose !== undefined) void place(...pose);
    },
    backToStart() {
      const entity = session.idOf(chosen);
      if (typeof description !== "object" || entity === undefined) return;
      const [x, y, yaw] = description.pose;
      void page.tell({ do: "place", entity, x, y, z: null, yaw });
    },
    choose: (name) => void choose(name),
    pickUp: () => carry.pickUp(session.idOf(chosen)),
    close: () => toggle(false),
    place: (x, y, yaw) => void place(x, y, yaw),
    resize: (size) => void change((entity) => ({ edit: "resize", entity, size })),
    set: (key, value) => void change((entity) => ({ edit: "set", entity, key, value })),
  });

  async function toggle(on = !isOn): Promise<void> {
    if (on === isOn) return;
    if (on && (store.server?.can_edit !== true || store.current.is !== "live" || page.view === undefined)) return;
    endWalls(false);
    page.view?.pickUp(undefined);
    isOn = on;
    document.body.classList.toggle("editing", on);
    byId("editor").hidden = !on;
    press(opener, on);
    page.view?.editing.start(on);
    if (!on) {
      if (document.body.dataset.sheet === "editor") delete document.body.dataset.sheet;
      if (wasRunning) page.tell({ do: "resume" });
      return;
    }
    page.driver.stop();
    page.view?.editing.setGrid(gridOf);
    wasRunning = store.running?.paused === false;
    // What moves is hard to take hold of; whoever wants to see it move lets time go on.
    await page.tell({ do: "pause" });
    if (!(await session.read())) return toggle(false);
    if (NARROW.matches) document.querySelector<HTMLElement>(".tab-editor")?.click();
    await choose(store.vehicle?.name);
  }

  async function choose(name: string | undefined): Promise<void> {
    chosen = name;
    const entity = session.idOf(name);
    if (entity === undefined) chosen = undefined;
    page.view?.editing.choose(entity);
    if (entity === undefined) description = undefined;
    else {
      const answer = await session.describe(entity);
      // Another one has been chosen meanwhile.
      if (chosen !== name || session.idOf(name) !== entity) return;
      description = answer;
    }
    panel.chosen(chosen, description, session.names);
    whereabouts();
    // The list and the ring show the same one.
    const vehicle = store.world?.vehicles.findIndex(({ name }) => name === chosen) ?? -1;
    if (vehicle >= 0) store.select(vehicle);
  }

  /** Where the chosen body is now: x, y [m], heading [rad]. */
  function now(): [number, number, number] | undefined {
    const entity = session.idOf(chosen);
    return entity === undefined ? undefined : page.view?.editing.poseOf(entity);
  }

  /** Tells where the chosen body is, if it is not at its start. */
  function whereabouts(): void {
    const [pose, start] = [now(), typeof description === "object" ? description.pose : undefined];
    if (pose === undefined || start === undefined) {
      panel.elsewhere(undefined);
      return;
    }
    const turn = pose[2] - start[2];
    const isThere =
      Math.hypot(pose[0] - start[0], pose[1] - start[1]) < AT_START &&
      Math.abs(Math.atan2(Math.sin(turn), Math.cos(turn))) < UNTURNED;
    panel.elsewhere(isThere ? undefined : placeOf({ x: pose[0], y: pose[1], yaw: pose[2] }));
  }

  /** The grid: its lines at a size of a pixel [m]. */
  function gridOf(pixel: number): number | undefined {
    const lengths = (store.world?.vehicles ?? []).map(({ outline }) => {
      const along = outline.map(([x = 0]) => x);
      return Math.max(...along) - Math.min(...along);
    });
    const step = fittingStep(pixel, lengths.length > 0 ? Math.min(...lengths) : undefined);
    panel.fitting(step);
    return chosenStep === "auto" ? step : chosenStep;
  }

  /** Writes a world to start from to a new file, and edits that one. */
  async function begin(file: string): Promise<void> {
    const { document } = session;
    const isChanged = document?.is_changed === true;
    const name = document?.file ?? "this world";
    if (isChanged && !(await new Promise<boolean>((answer) => panel.askToDiscard(name, answer)))) return;
    chosen = undefined;
    if ((await session.begin(file, isChanged)) !== undefined) await choose(store.vehicle?.name);
  }

  /** Edits the chosen body. */
  function change(edit: (entity: number) => EditView, overwrite = false) {
    const name = chosen;
    return session.edit(() => {
      const entity = session.idOf(name);
      return entity === undefined ? undefined : edit(entity);
    }, overwrite);
  }

  async function add(offer: OfferView): Promise<void> {
    const { view } = page;
    if (view === undefined) return;
    const { middle, step } = view.editing;
    const standing = view.editing.standing();
    const alike = store.world?.vehicles.find(({ class: of }) => of === offer.name)?.id;
    const box = standing.find(({ id }) => id === alike);
    const radius = box ? Math.hypot(box.high[0] - box.low[0], box.high[1] - box.low[1]) / 2 : USUAL_RADIUS;
    const [x, y] = freePlace([middle.x, middle.y], radius, standing, step ?? 0.1);
    const answer = await session.edit(() => ({ edit: "add", offer, x, y, yaw: 0 }));
    if (answer?.name !== undefined) await choose(answer.name);
  }

  function remove(): void {
    if (typeof description !== "object") return;
    void change((entity) => ({ edit: "remove", entity }));
  }

  /** Places the chosen body; if its pose is an expression, once that is confirmed. */
  async function place(x: number, y: number, yaw: number): Promise<boolean> {
    const written = typeof description === "object" ? description.pose_expression : null;
    const isMeant = written === null || (await new Promise<boolean>((answer) => panel.ask(written, answer)));
    if (!isMeant) {
      panel.chosen(chosen, description, session.names);
      return false;
    }
    const answer = await change((entity) => ({ edit: "place", entity, x, y, yaw }), written !== null);
    if (answer === undefined) panel.chosen(chosen, description, session.names);
    return answer !== undefined;
  }

  function beginWalls(): void {
    const { view } = page;
    if (view === undefined) return;
    const points: Point[] = [];
    drawn = points;
    const blocks = store.world?.blocks.filter(({ name }) => WALL.test(name)) ?? [];
    const ends = blocks.flatMap(({ pose, outline }) => endsOf(pose, outline));
    const at = (x: number, y: number) =>
      snapped([x, y], points.at(-1), [...ends, ...points], REACH * view.editing.pixel, view.editing.step);
    void choose(undefined);
    panel.drawing(true);
    document.body.classList.add("drawing");
    view.editing.draw({
      add(x, y) {
        const point = at(x, y);
        const last = points.at(-1);
        // Another click on the last point ends the walls.
        if (last?.[0] === point[0] && last[1] === point[1]) return endWalls(true);
        points.push(point);
        view.editing.show(points);
      },
      move: (x, y) => view.editing.show([...points, at(x, y)]),
    });
  }

  function endWalls(isKept: boolean): void {
    const points = drawn;
    if (points === undefined) return;
    drawn = undefined;
    page.view?.editing.draw(undefined);
    panel.drawing(false);
    document.body.classList.remove("drawing");
    if (!isKept || points.length < 2) return;
    const walls = {
      edit: "add_walls" as const,
      points: points.map(([x, y]): [number, number] => [x, y]),
      ...panel.walls(),
    };
    void session.edit(() => walls);
  }

  page.edit = {
    get isOn() {
      return isOn;
    },
    get chosen() {
      return isOn ? session.idOf(chosen) : undefined;
    },
    choose: (entity) => void choose(session.nameOf(entity)),
    async place({ entity, x, y, yaw }: Load) {
      const name = session.nameOf(entity);
      if (name !== chosen) await choose(name);
      const before = typeof description === "object" ? description.pose[2] : yaw;
      const [turn, round] = [Math.atan2(Math.sin(yaw - before), Math.cos(yaw - before)), Math.round];
      // States have angles to a thousandth: what was not turned keeps its heading as it is written.
      const angle = Math.abs(turn) < MIN_TURN ? before : radians(round(10 * degrees(yaw)) / 10);
      return place(round(1000 * x) / 1000, round(1000 * y) / 1000, angle);
    },
  };

  /** Name of the selected vehicle, and whether the store has not found it again yet in a new scene. */
  let selected = store.vehicle?.name;
  let isSettling = false;
  store.on("scene", (scene) => {
    if (!isOn) return;
    isSettling = true;
    queueMicrotask(() => {
      isSettling = false;
      const index = scene.vehicles.findIndex(({ name }) => name === selected);
      if (index >= 0) store.select(index);
    });
    void choose(chosen);
  });
  store.on("selected", () => {
    if (isSettling) return;
    const isGone = selected !== undefined && session.idOf(selected) === undefined;
    selected = store.vehicle?.name;
    // Another one is selected in place of one that has been removed; nobody has chosen it.
    if (isOn && !isGone && selected !== undefined && selected !== chosen) void choose(selected);
  });
  store.on("shown", () => isOn && whereabouts());
  store.on("phase", ({ is }) => is !== "live" && void toggle(false));

  addEventListener("keydown", (event) => {
    if (document.querySelector("dialog[open]") !== null || page.view?.load !== undefined) return;
    const key = event.key.toLowerCase();
    const isCommand = event.ctrlKey || event.metaKey;
    if (focus() === "text") {
      if (!isOn || !isCommand || key !== "s") return;
      // What is typed counts.
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    }
    if (!isCommand && !event.altKey && !event.shiftKey && key === "e") {
      void toggle();
      return;
    }
    if (!isOn) return;
    const commands: Record<string, () => void> = {
      z: () => void (event.shiftKey ? session.redo() : session.undo()),
      y: () => void session.redo(),
      s: () => (session.document?.file ? void session.save(null) : byId("edit-save").click()),
    };
    const acts: Record<string, () => void> = {
      delete: remove,
      backspace: remove,
      enter: () => endWalls(true),
      escape: () => (drawn === undefined ? void choose(undefined) : endWalls(false)),
    };
    if (key === "enter" && drawn === undefined) return;
    const act = (isCommand ? commands : acts)[key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
}
