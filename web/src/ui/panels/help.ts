// All keys on one sheet.
import { h } from "../parts/dom";
import { icon } from "../parts/icons";

const KEYS: { title: string; keys: [string[], string][] }[] = [
  {
    title: "Drive",
    keys: [
      [["w", "s"], "ahead, back"],
      [["a", "d"], "left, right"],
      [["Shift", "a", "d"], "sideways, if it can"],
      [["↑", "↓", "←", "→"], "the same"],
      [["Space"], "brake"],
    ],
  },
  {
    title: "Time",
    keys: [
      [["p"], "pause, go on"],
      [["."], "one step; Shift: 0.1 s"],
      [["−", "+"], "slower, faster"],
      [["Shift", "R"], "back to the start"],
    ],
  },
  {
    title: "Recording",
    keys: [
      [["←", "→"], "1 s; Shift: 10 s"],
      [["Home", "End"], "to its ends"],
      [["Space"], "play, pause"],
    ],
  },
  {
    title: "View",
    keys: [
      [["1", "2", "3"], "orbit, follow, top"],
      [["h"], "show everything"],
      [["f"], "forces on wheels"],
      [["l"], "sensor points"],
      [["t", "c"], "paths driven; clear them"],
      [["b"], "reference paths"],
      [["n"], "names"],
      [["o"], "shadows"],
      [["u"], "relief of uneven ground"],
      [["x"], "frames (tf)"],
      [["y"], "measure: click two points"],
    ],
  },
  {
    title: "Vehicles",
    keys: [
      [["[", "]"], "the one before, the next"],
      [["/"], "filter the list"],
      [["m"], "move things: drag"],
      [["g"], "pick up the selected one"],
    ],
  },
  {
    title: "Edit the world",
    keys: [
      [["e"], "edit, be done"],
      [["Ctrl", "Z"], "undo; with Shift: redo"],
      [["Ctrl", "S"], "save"],
      [["Delete"], "remove what is chosen"],
      [["Enter", "Esc"], "finish walls, cancel"],
    ],
  },
  {
    title: "While something is carried",
    keys: [
      [["↑", "↓", "←", "→"], "move it; Shift: finely"],
      [["q", "e"], "turn it; Shift: finely"],
      [["[", "]"], "carry another vehicle or block"],
      [["Enter"], "put it down"],
      [["Esc"], "leave it where it was"],
    ],
  },
  {
    title: "Page",
    keys: [
      [["k"], "hold the plots still"],
      [["i", "v"], "save a picture; record a video"],
      [["z"], "only the view"],
      [["Shift", "F"], "full screen"],
      [["?"], "this sheet"],
    ],
  },
];

let sheet: HTMLDialogElement | undefined;

/** Shows or hides the sheet. */
export function toggleHelp(): void {
  if (sheet === undefined) {
    const close = h(
      "button",
      { type: "button", class: "button", "aria-label": "Close", onclick: () => sheet?.close() },
      icon("close"),
    );
    sheet = h(
      "dialog",
      {
        id: "help",
        "aria-labelledby": "help-title",
        onclick: (event: MouseEvent) => event.target === sheet && sheet?.close(),
      },
      h("div", { class: "head" }, h("h2", { id: "help-title" }, "Keys"), close),
      h(
        "div",
        { class: "groups" },
        ...KEYS.map(({ title, keys }) =>
          h(
            "section",
            {},
            h("h3", {}, title),
            h(
              "dl",
              {},
              ...keys.map(([caps, does]) =>
                h("div", {}, h("dt", {}, ...caps.map((cap) => h("kbd", {}, cap))), h("dd", {}, does)),
              ),
            ),
          ),
        ),
      ),
      h(
        "p",
        { class: "muted" },
        "Gamepad: left stick steers, right trigger drives, left trigger reverses, A or B brakes; if the vehicle moves sideways, left stick moves, right stick turns. ",
        "Arrows move the camera while the view has the focus, which a click on it gives. There drag turns, right drag shifts, wheel zooms, click selects.",
      ),
    );
    document.body.append(sheet);
  }
  if (sheet.open) sheet.close();
  else sheet.showModal();
}
