// Short messages that come and go by themselves.
import type { Level } from "../../store/log";
import { h, say } from "./dom";
import { icon } from "./icons";

export type { Level };

const STAYS: Record<Level, number> = { info: 4000, warning: 7000, error: 9000 };
const MAX_MESSAGES = 3;

/** The place where they appear. */
export class Toasts {
  private readonly shown = new Map<
    string,
    { element: HTMLElement; timer: ReturnType<typeof setTimeout>; count: number }
  >();

  constructor(private readonly place: HTMLElement) {}

  /** Shows one; the same text again counts up instead of piling up. */
  show(text: string, level: Level = "info"): void {
    const before = this.shown.get(text);
    if (before !== undefined) {
      clearTimeout(before.timer);
      before.count += 1;
      const badge = before.element.querySelector(".count");
      if (badge !== null) say(badge, `×${before.count}`);
      before.timer = this.expire(text, level);
      return;
    }
    const oldest = this.shown.keys().next();
    if (this.shown.size >= MAX_MESSAGES && !oldest.done) this.remove(oldest.value);
    // Errors of skidpad have a first line, and advice below it.
    const [first = "", ...furtherLines] = text.split("\n").map((line) => line.trim());
    const element = h(
      "div",
      { class: `toast ${level}`, role: level === "info" ? undefined : "alert" },
      h(
        "div",
        { class: "words" },
        h("p", {}, first),
        ...furtherLines.filter(Boolean).map((line) => h("p", { class: "more" }, line)),
      ),
      h("span", { class: "count" }),
      closer(() => this.remove(text)),
    );
    this.place.append(element);
    this.shown.set(text, { element, timer: this.expire(text, level), count: 1 });
  }

  private expire(text: string, level: Level): ReturnType<typeof setTimeout> {
    return setTimeout(() => this.remove(text), STAYS[level]);
  }

  private remove(text: string): void {
    const toast = this.shown.get(text);
    if (toast === undefined) return;
    clearTimeout(toast.timer);
    toast.element.remove();
    this.shown.delete(text);
  }
}

function closer(press: () => void): HTMLButtonElement {
  return h("button", { type: "button", class: "button small", "aria-label": "Dismiss", onclick: press }, icon("close"));
}
