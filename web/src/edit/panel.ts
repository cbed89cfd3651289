// The panel of the editor: what can be added, undo and save, and the fields of the chosen body.
import type { DescriptionView, DocumentView, OfferView } from "../protocol/types";
import { menu } from "../ui/panels/menu";
import { button } from "../ui/parts/button";
import { byId, h, say } from "../ui/parts/dom";
import { type FieldActions, fields } from "./fields";
import { STEPS } from "./grid";

/** What the panel's controls do. */
export interface PanelActions extends FieldActions {
  add(offer: OfferView): void;
  drawWalls(): void;
  endWalls(isKept: boolean): void;
  undo(): void;
  redo(): void;
  save(file: string | null): void;
  remove(): void;
  /** Writes a world to start from to a new file. */
  begin(file: string): void;
  /** Chooses the distance of the grid's lines [m]; none: there are none, and things go anywhere. */
  grid(step: number | "auto" | undefined): void;
  choose(name: string | undefined): void;
  /** Has the chosen body start where it is, or puts it back to its start. */
  startHere(): void;
  backToStart(): void;
  pickUp(): void;
  close(): void;
}

/** The panel, and how it is filled. */
export interface Panel {
  /** Thickness and height [m] and colour of walls that are drawn. */
  walls(): { thickness: number; height: number; color: string };
  /** Tells the distance of the lines that suits the zoom [m]. */
  fitting(step: number): void;
  /** Tells where the chosen body is now, if it is not at its start; none: it is. */
  elsewhere(place: string | undefined): void;
  document(document: DocumentView | undefined, offers: OfferView[]): void;
  /** Shows the chosen one of all bodies; a text: why nothing of it can be edited; none: that nothing is chosen. */
  chosen(name: string | undefined, description: DescriptionView | string | undefined, all: string[]): void;
  /** Asks whether an expression is to be overwritten. */
  ask(written: string, answer: (isYes: boolean) => void): void;
  /** Asks whether edits that are not saved may be lost. */
  askToDiscard(file: string, answer: (isYes: boolean) => void): void;
  drawing(isOn: boolean): void;
}

/** Colour of walls that are drawn: what a file does not say is nearly black. */
const WALL_COLOR = "#b8b4ac";

const GROUPS: { source: OfferView["source"]; title: string }[] = [
  { source: "class", title: "Classes of this world" },
  { source: "file", title: "Files beside it" },
  { source: "shape", title: "Blocks" },
];

/** Fills the panel. */
export function editPanel(actions: PanelActions): Panel {
  let offered: OfferView[] = [];
  const add = h("select", {
    class: "rate",
    id: "edit-add",
    "aria-label": "Add",
    onchange: () => {
      const offer = offered[Number(add.value)];
      add.selectedIndex = 0;
      if (offer) actions.add(offer);
    },
  });
  const walls = button({
    icon: "wall",
    name: "Draw walls",
    text: "Walls",
    id: "edit-walls",
    tip: "below",
    pressed: false,
    press: () => actions.drawWalls(),
  });
  const undo = button({
    icon: "left",
    name: "Undo",
    key: "Ctrl Z",
    id: "edit-undo",
    tip: "below",
    press: () => actions.undo(),
  });
  const redo = button({
    icon: "right",
    name: "Redo",
    key: "Ctrl Y",
    id: "edit-redo",
    tip: "below",
    press: () => actions.redo(),
  });
  const own = h(
    "button",
    { type: "button", class: "button solid", id: "edit-save-own", onclick: () => saveAs(null) },
    "Save",
  );
  const name = h("input", {
    type: "text",
    id: "edit-name",
    placeholder: "new_world",
    "aria-label": "Name of the new file",
    maxlength: 100,
  });
  const note = h("p", { class: "muted" });
  const saving = menu(
    { icon: "save", name: "Save", text: "Save", key: "Ctrl S", id: "edit-save", tip: "below-end" },
    { class: "menu-below", role: "group", "aria-label": "Save" },
    own,
    h(
      "form",
      {
        class: "save-as",
        onsubmit: (event: Event) => {
          event.preventDefault();
          if (name.value !== "") saveAs(name.value);
        },
      },
      name,
      h("button", { type: "submit", class: "button" }, "Save as new file"),
    ),
    note,
  );
  function saveAs(file: string | null): void {
    saving.close();
    name.value = "";
    actions.save(file);
  }
  const file = h("span", { class: "kind" });
  const newName = h("input", {
    type: "text",
    id: "edit-new-name",
    placeholder: "new_world",
    "aria-label": "Name of the new world",
    maxlength: 100,
    required: true,
  });
  const newNote = h("p", { class: "muted" });
  const beginning = menu(
    { icon: "plus", name: "New world", class: "small", id: "edit-new", tip: "below-end", opens: () => newName.focus() },
    { class: "menu-below", role: "group", "aria-label": "New world" },
    newNote,
    h(
      "form",
      {
        class: "save-as",
        onsubmit: (event: Event) => {
          event.preventDefault();
          const name = newName.value;
          beginning.close();
          newName.value = "";
          actions.begin(name);
        },
      },
      newName,
      h("button", { type: "submit", class: "button" }, "Write and open it"),
    ),
  );
  const head = h(
    "div",
    { class: "head" },
    h("div", { class: "title" }, h("h2", {}, "Edit the world"), file),
    beginning.element,
    h(
      "button",
      { type: "button", class: "button solid small", id: "edit-done", onclick: () => actions.close() },
      "Done",
    ),
  );
  const tools = h(
    "div",
    { class: "edit-tools" },
    add,
    walls,
    h("span", { class: "rule", role: "separator" }),
    undo,
    redo,
    saving.element,
  );

  const auto = h("option", { value: "auto" }, "Fitting");
  const grid = h(
    "select",
    {
      class: "rate",
      id: "edit-grid",
      "aria-label": "Grid",
      onchange: () => actions.grid(grid.value === "auto" ? "auto" : Number(grid.value) || undefined),
    },
    auto,
    ...STEPS.map((step) => h("option", { value: step }, `${step} m`)),
    h("option", { value: "" }, "None"),
  );
  const gridLine = h("label", { class: "edit-grid" }, h("span", {}, "Grid"), grid);

  const wallColor = h("input", { type: "color", value: WALL_COLOR, "aria-label": "Colour" });
  const thickness = h("input", { type: "number", step: "any", min: 0, value: 0.1, "aria-label": "Thickness" });
  const height = h("input", { type: "number", step: "any", min: 0, value: 0.5, "aria-label": "Height" });
  const pen = h(
    "div",
    { class: "edit-note", id: "edit-pen", hidden: true },
    h("p", {}, "Click where the wall begins and where each piece ends."),
    h(
      "div",
      { class: "field-row" },
      h(
        "label",
        { class: "field" },
        h("span", { class: "label" }, "Thickness ", h("span", { class: "unit" }, "m")),
        thickness,
      ),
      h(
        "label",
        { class: "field" },
        h("span", { class: "label" }, "Height ", h("span", { class: "unit" }, "m")),
        height,
      ),
      h("label", { class: "field" }, h("span", { class: "label" }, "Colour"), wallColor),
    ),
    h(
      "div",
      { class: "edit-answers" },
      h(
        "button",
        { type: "button", class: "button solid small", onclick: () => actions.endWalls(true) },
        "Finish",
        h("kbd", {}, "Enter"),
      ),
      h(
        "button",
        { type: "button", class: "button small", onclick: () => actions.endWalls(false) },
        "Cancel",
        h("kbd", {}, "Esc"),
      ),
    ),
  );
  const away = h("p", {});
  const elsewhere = h(
    "div",
    { class: "edit-note", id: "edit-elsewhere", hidden: true },
    away,
    h(
      "div",
      { class: "edit-answers" },
      h(
        "button",
        { type: "button", class: "button solid small", id: "edit-start-here", onclick: () => actions.startHere() },
        "Start here",
      ),
      h(
        "button",
        { type: "button", class: "button small", id: "edit-back", onclick: () => actions.backToStart() },
        "Back to its start",
      ),
    ),
  );
  const question = h("div", { class: "edit-note", id: "edit-question", role: "alertdialog", hidden: true });
  const which = h("select", {
    class: "rate",
    id: "edit-chosen",
    "aria-label": "Chosen body",
    onchange: () => actions.choose(which.value || undefined),
  });
  /** Asks a question, in place of one that has not been answered. */
  let unanswered: ((isYes: boolean) => void) | undefined;
  function pose(text: (Node | string)[], [yes, no]: [string, string], answer: (isYes: boolean) => void): void {
    unanswered?.(false);
    unanswered = answer;
    const choose = (isYes: boolean) => {
      question.hidden = true;
      unanswered = undefined;
      answer(isYes);
    };
    question.replaceChildren(
      h("p", {}, ...text),
      h(
        "div",
        { class: "edit-answers" },
        h(
          "button",
          { type: "button", class: "button solid small", id: "edit-overwrite", onclick: () => choose(true) },
          yes,
        ),
        h("button", { type: "button", class: "button small", onclick: () => choose(false) }, no),
      ),
    );
    question.hidden = false;
  }
  let listed: string[] = [];
  const place = h("span", { class: "kind" });
  const buttons = [
    button({
      icon: "move",
      name: "Pick up and put elsewhere",
      key: "g",
      class: "small",
      id: "edit-pick-up",
      tip: "below-end",
      press: () => actions.pickUp(),
    }),
    button({
      icon: "trash",
      name: "Remove",
      key: "Delete",
      class: "small",
      id: "edit-remove",
      tip: "below-end",
      press: () => actions.remove(),
    }),
  ];
  const chosen = h("div", { class: "head chosen" }, h("div", { class: "title" }, which, place), ...buttons);
  const why = h("p", { class: "empty" });
  const body = h("div", { class: "edit-body" });
  byId("editor").append(head, tools, gridLine, pen, question, chosen, why, elsewhere, body);

  return {
    walls: () => ({ thickness: Number(thickness.value), height: Number(height.value), color: wallColor.value }),
    fitting: (step) => say(auto, `Fitting: ${step} m`),
    elsewhere(place) {
      elsewhere.hidden = place === undefined;
      say(away, place === undefined ? "" : `It is not at its start now, but at ${place}.`);
    },
    document(document, offers) {
      undo.disabled = (document?.undo ?? 0) === 0;
      redo.disabled = (document?.redo ?? 0) === 0;
      const where = document?.file ?? "";
      say(file, document === undefined ? "" : `${where || "a new file"}${document.is_changed ? "  ·  not saved" : ""}`);
      own.hidden = where === "";
      say(own, `Save ${where}`);
      say(note, document === undefined ? "" : `New files are written to ${document.folder}`);
      say(
        newNote,
        `A floor and a robot, written to a new file${document === undefined ? "" : ` in ${document.folder}`}. It runs in place of this world.`,
      );
      if (offers === offered && add.options.length > 0) return;
      offered = offers;
      const groups = GROUPS.map(({ source, title }) => {
        const options = offers
          .map((offer, i) => ({ offer, i }))
          .filter(({ offer }) => offer.source === source)
          .map(({ offer, i }) => h("option", { value: i, title: offer.path }, offer.name));
        return options.length > 0 && h("optgroup", { label: title }, ...options);
      });
      add.replaceChildren(h("option", { value: "" }, "Add…"), ...groups.filter((group) => group !== false));
    },
    chosen(name, description, all) {
      const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.key : undefined;
      if (all.length + 1 !== which.options.length || all.some((other, i) => other !== listed[i])) {
        listed = all;
        const options = all.map((other) => h("option", { value: other }, other));
        which.replaceChildren(h("option", { value: "" }, "Choose…"), ...options);
      }
      which.value = name ?? "";
      const isKnown = typeof description === "object";
      for (const element of buttons) element.hidden = !isKnown;
      say(place, isKnown ? `line ${description.place.split(":").at(-2) ?? ""}` : "");
      const reason = typeof description === "string" ? description.replace(/^.*[\\/]/, "") : "";
      say(why, name === undefined ? "Click a body to choose it, then drag it, or change its values here." : reason);
      why.hidden = isKnown || (name !== undefined && reason === "");
      body.replaceChildren(...(isKnown ? [fields(description, actions)] : []));
      // The field that was changed keeps the focus.
      const again = [...body.querySelectorAll<HTMLElement>("[data-key]")].find(
        (field) => field.dataset.key === focused,
      );
      if (focused !== undefined) again?.focus();
    },
    ask: (written, answer) =>
      pose(
        ["Its pose is written as ", h("code", {}, written), ". Write numbers in its place?"],
        ["Write numbers", "Leave it"],
        answer,
      ),
    askToDiscard: (which, answer) =>
      pose([`Edits of ${which} are not saved. Lose them?`], ["Lose them", "Keep editing"], answer),
    drawing(isOn) {
      pen.hidden = !isOn;
      walls.setAttribute("aria-pressed", String(isOn));
    },
  };
}

/** The button that opens the editor, in the bar of the view. */
export function editButton(toggle: () => void): HTMLButtonElement {
  const opener = button({
    icon: "pencil",
    name: "Edit the world",
    key: "e",
    text: "Edit",
    pressed: false,
    id: "edit",
    tip: "above",
    press: toggle,
  });
  byId("move").after(opener);
  return opener;
}
