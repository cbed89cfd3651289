// A button that opens a small panel beside it; Escape or a press elsewhere closes it.
import type { ButtonOptions } from "../parts/button";
import { button } from "../parts/button";
import { type Attributes, h } from "../parts/dom";
import { icon } from "../parts/icons";

let last = 0;

/** The button and its panel, in one element; `opens` is called before the panel is shown. */
export function menu(
  options: Omit<ButtonOptions, "press"> & { opens?: () => void },
  attributes: Attributes,
  ...content: (Node | string)[]
): { element: HTMLElement; panel: HTMLElement; close(): void; toggle(): void } {
  last += 1;
  const panel = h(
    "div",
    { ...attributes, class: `menu panel ${attributes.class ?? ""}`.trim(), id: `menu-${last}`, hidden: true },
    ...content,
  );
  const opener = button({ ...options, press: () => set(panel.hidden === true) });
  opener.setAttribute("aria-expanded", "false");
  opener.setAttribute("aria-controls", panel.id);
  opener.append(icon("down"));
  const element = h("div", { class: "has-menu" }, opener, panel);
  const elsewhere = (event: Event) => {
    if (event.target instanceof Node && !element.contains(event.target)) set(false);
  };
  // Wherever the focus is: a press by pointer takes it from the button.
  const leave = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    const wasInside = element.contains(document.activeElement);
    set(false);
    if (wasInside) opener.focus();
  };
  function set(open: boolean): void {
    if (open) options.opens?.();
    panel.hidden = !open;
    opener.setAttribute("aria-expanded", String(open));
    if (open) {
      addEventListener("pointerdown", elsewhere);
      addEventListener("keydown", leave, { capture: true });
    } else {
      removeEventListener("pointerdown", elsewhere);
      removeEventListener("keydown", leave, { capture: true });
    }
  }
  return { element, panel, close: () => set(false), toggle: () => set(panel.hidden === true) };
}

/** A line with a list to choose from; `first` is chosen at first, if it is in the list. */
export function choice<Value extends string>(
  name: string,
  options: readonly { value: Value; name: string }[],
  first: string | undefined,
  changed: (value: Value) => void,
): { element: HTMLElement; value(): Value } {
  const list = h(
    "select",
    { class: "rate", onchange: () => changed(list.value as Value) },
    ...options.map((option) => h("option", { value: option.value, selected: option.value === first }, option.name)),
  );
  return { element: h("label", { class: "choice" }, h("span", {}, name), list), value: () => list.value as Value };
}

/** A line with a box to tick. */
export function tick(
  name: string,
  ticked: boolean,
  changed: (ticked: boolean) => void,
  key?: string,
): HTMLLabelElement {
  const box = h("input", {
    type: "checkbox",
    checked: ticked,
    onchange: () => changed(box.checked),
  });
  return h("label", { class: "tick" }, box, h("span", {}, name), key !== undefined && h("kbd", {}, key));
}
