// Buttons with an icon, a name, a tooltip and perhaps a key.
import { h } from "./dom";
import { type IconName, icon } from "./icons";

/** Properties of a button. */
export interface ButtonOptions {
  icon: IconName;
  /** For tooltip and screen readers. */
  name: string;
  /** The equivalent key, as labelled on keyboards. */
  key?: string;
  /** Text beside the icon. */
  text?: string;
  /** State of a toggle button; undefined for other buttons. */
  pressed?: boolean;
  class?: string;
  id?: string;
  /** Position of the tooltip: above or below, and the edge that it is aligned with. */
  tip?: string;
  press(): void;
}

/** Creates a button. */
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
