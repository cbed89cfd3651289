// Buttons with an icon, a name, a tooltip and perhaps a key.
import { h } from "./dom";
import { type IconName, icon } from "./icons";

/** Properties of a button. */
export interface ButtonOptions {
  icon: IconName;
  /** For tooltip and screen readers. */
  name: string;
  /** The key that does the same, as it is written on keyboards. */
  key?: string;
  /** Beside the icon. */
  text?: string;
  /** Switches have a state. */
  pressed?: boolean;
  class?: string;
  id?: string;
  /** Where the tooltip goes: above or below, and which edge it keeps to. */
  tip?: string;
  press(): void;
}

/** Makes one. */
export function button(options: ButtonOptions): HTMLButtonElement {
  const element = h(
    "button",
    {
      type: "button",
      id: options.id,
      class: `button ${options.class ?? ""}`.trim(),
      "data-tip-at": options.tip,
      "aria-pressed": options.pressed === undefined ? undefined : String(options.pressed),
      "aria-keyshortcuts": options.key?.replace(" ", "+"),
      onclick: () => options.press(),
    },
    icon(options.icon),
    options.text === undefined ? undefined : h("span", { class: "text" }, options.text),
  );
  describe(element, options.name, options.key);
  return element;
}

/** Changes its name. */
export function describe(element: HTMLElement, name: string, key?: string): void {
  if (element.ariaLabel === name) return;
  element.ariaLabel = name;
  element.dataset.tip = key === undefined ? name : `${name}  ·  ${key}`;
}

/** Shows a switch's state. */
export function press(element: HTMLElement, pressed: boolean): void {
  element.setAttribute("aria-pressed", String(pressed));
}
