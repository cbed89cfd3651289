// Editing of the world file: the world stands at its start, clicks choose bodies, drags and fields change them in the file.
import type { DescriptionView, EditView, OfferView } from "../protocol/types";
import type { Load } from "../scene/view3d";
import { press } from "../ui/button";
import type { Carry } from "../ui/carry";
import { byId } from "../ui/dom";
import { focus } from "../ui/focus";
import { degrees } from "../ui/format";
import { NARROW, type Page } from "../ui/page";
import { radians } from "./fields";
import { editButton, editPanel } from "./panel";
import { EditSession } from "./session";
import { endsOf, type Point, snapped } from "./snap";

/** Distance on the page within which the end of a wall is meant [px]. */
const REACH = 12;
/** Smaller turns count as no turn [rad]. */
const SMALLEST_TURN = 0.002;
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
    wasRunning = store.running?.paused === false;
    // The file says how the world starts.
    await page.tell({ do: "pause" });
    await page.tell({ do: "reset" });
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
      const found = await session.describe(entity);
      // Another one has been chosen meanwhile.
      if (chosen !== name || session.idOf(name) !== entity) return;
      description = found;
    }
    panel.chosen(chosen, description, session.names);
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
    const { x, y } = page.view?.editing.middle ?? { x: 0, y: 0 };
    const round = (value: number) => Math.round(value * 10) / 10;
    const answer = await session.edit(() => ({ edit: "add", offer, x: round(x), y: round(y), yaw: 0 }));
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
      snapped([x, y], points.at(-1), [...ends, ...points], REACH * view.editing.pixel);
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
      const angle = Math.abs(turn) < SMALLEST_TURN ? before : radians(round(10 * degrees(yaw)) / 10);
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
    selected = store.vehicle?.name;
    if (isOn && selected !== undefined && selected !== chosen) void choose(selected);
  });
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
