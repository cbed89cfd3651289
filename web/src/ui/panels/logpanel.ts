// The panel with the log, which a button on top opens.
import type { Log } from "../../store/log";
import { clock } from "../data/format";
import { button } from "../parts/button";
import { byId, h, say, throttled } from "../parts/dom";
import { icon } from "../parts/icons";
import { tick } from "./menu";

/** Entries that are shown, the newest on top. */
const SHOWN = 200;
/** Interval between two redraws [ms]. */
const PACE = 200;

/** Makes button and panel. */
export function logPanel(log: Log): void {
  let onlyWarnings = false;
  const list = h("ul");
  const panel = h(
    "section",
    { id: "log", class: "panel", "aria-labelledby": "log-title", hidden: true },
    h(
      "div",
      { class: "head" },
      h("h2", { id: "log-title" }, "Log"),
      tick("Warnings only", false, (only) => {
        onlyWarnings = only;
        draw();
      }),
      h("button", { type: "button", class: "button small", onclick: () => log.clear() }, "Clear"),
      button({ icon: "close", name: "Close", class: "small", tip: "below-end", press: () => open(false) }),
    ),
    h("div", { class: "entries", role: "log", "aria-label": "Entries", tabindex: 0 }, list),
  );
  byId("stage").append(panel);
  const openers = [{ id: "log-button", tip: "below-end" }, { class: "narrow-only" }].map((options) => {
    const opener = button({ icon: "log", name: "Log", ...options, press: () => open(panel.hidden === true) });
    opener.setAttribute("aria-controls", "log");
    opener.setAttribute("aria-expanded", "false");
    opener.append(h("span", { class: "badge", hidden: true }));
    return opener;
  });
  byId("tools").prepend(...openers.slice(0, 1));
  byId("viewbar").append(...openers.slice(1));

  function open(shown: boolean): void {
    panel.hidden = !shown;
    for (const opener of openers) opener.setAttribute("aria-expanded", String(shown));
    if (shown) log.see();
    else if (panel.contains(document.activeElement)) openers[0]?.focus();
    if (shown) dispatchEvent(new Event("skidpad:sheet"));
  }

  function draw(): void {
    for (const opener of openers) {
      const badge = opener.querySelector<HTMLElement>(".badge");
      if (badge === null) continue;
      badge.hidden = log.unseen === 0;
      const count = log.unseen > 99 ? "99+" : String(log.unseen);
      say(badge, count);
      opener.setAttribute("aria-label", log.unseen === 0 ? "Log" : `Log, ${count} new`);
    }
    if (panel.hidden) return;
    const entries = log.entries.filter(({ level }) => !onlyWarnings || level !== "info").slice(-SHOWN);
    list.replaceChildren(
      ...entries
        .reverse()
        .map(({ level, text, time, count }) =>
          h(
            "li",
            { class: level },
            h("span", { class: "value muted" }, time === undefined ? "" : clock(time)),
            level === "info" ? undefined : icon("warning"),
            h("span", { class: "words" }, text),
            h("span", { class: "count" }, count > 1 ? `×${count}` : ""),
          ),
        ),
    );
    if (entries.length === 0) list.append(h("li", { class: "muted" }, "Nothing yet."));
  }

  const soon = throttled(PACE, () => {
    // What happens while it is open is seen.
    if (!panel.hidden && log.unseen > 0) log.see();
    else draw();
  });
  log.onChange = soon;
  panel.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    open(false);
  });
}
