// What the page says while there is nothing to show, or nothing new: over the view, or as a banner when the last picture still stands.
import type { Phase } from "../protocol/connection";
import { keepToken } from "../protocol/token";
import { byId, h, say } from "./dom";
import { type IconName, icon } from "./icons";
import type { Page } from "./page";
import { tabStorage } from "./settings";

/** Shows the state of things. The result says why there is no 3-D view. */
export function states(page: Page): (reason: string) => void {
  const { store, connection } = page;
  const cover = byId("cover");
  const banner = byId("banner");
  let blind: string | undefined;
  let dismissed = false;
  let countdown: ReturnType<typeof setInterval> | undefined;

  function card(sign: IconName | undefined, title: string, ...content: (Node | string | false)[]): HTMLElement {
    return h(
      "div",
      { class: "card", role: sign === undefined ? "status" : "alert" },
      sign === undefined ? h("div", { class: "pulse" }) : icon(sign),
      h("h2", {}, title),
      ...content,
    );
  }
  function show(element: HTMLElement | undefined): void {
    cover.hidden = element === undefined;
    cover.replaceChildren(...(element === undefined ? [] : [element]));
  }
  function announce(level: string, ...content: (Node | string)[]): void {
    banner.replaceChildren(h("div", { class: `notice ${level}`, role: "status" }, ...content));
  }
  const tryNow = () =>
    h("button", { type: "button", class: "button solid", onclick: () => connection.connect() }, "Try now");

  /** Words that count down until the next attempt. */
  function waiting(phase: Extract<Phase, { is: "lost" }>): HTMLElement {
    // Read aloud, every second of it would be a message of its own.
    const words = h("span", { class: "value", "aria-hidden": "true" });
    const tick = () => {
      const left = Math.ceil((phase.until - performance.now()) / 1000);
      say(words, left > 0 ? `Trying again in ${left} s` : "Trying again…");
    };
    tick();
    countdown = setInterval(tick, 200);
    return words;
  }

  function refused(phase: Extract<Phase, { is: "refused" }>): HTMLElement {
    const reason = h("p", { class: "reason" }, phase.reason);
    switch (phase.why) {
      case "token": {
        const field = h("input", {
          type: "password",
          id: "token",
          autocomplete: "off",
          spellcheck: "false",
          placeholder: "Token",
          "aria-label": "Token",
          required: true,
        });
        const form = h(
          "form",
          {
            class: "token",
            onsubmit: (event: SubmitEvent) => {
              event.preventDefault();
              const token = field.value.trim();
              keepToken(token, tabStorage());
              connection.connect(token);
            },
          },
          field,
          h("button", { type: "submit", class: "button solid" }, "Connect"),
        );
        return card(
          "lock",
          "A token is needed",
          h("p", {}, "Open the link that skidpad printed when it started, or enter its token."),
          form,
          phase.reason !== "" && reason,
        );
      }
      case "full":
        return card(
          "broken",
          "Too many viewers",
          h("p", {}, "The server serves no more of them. This page tries again by itself."),
          phase.reason !== "" && reason,
          tryNow(),
        );
      case "protocol":
        return card(
          "broken",
          "Reload the page",
          h("p", {}, "The server is another version of skidpad than this page."),
          reason,
          h("button", { type: "button", class: "button solid", onclick: () => location.reload() }, "Reload"),
        );
      case "other":
        return card("broken", "The server refused", reason, tryNow());
    }
  }

  function renew(): void {
    clearInterval(countdown);
    banner.replaceChildren();
    show(covering());
    const phase = store.current;
    if (store.world === undefined) return;
    if (phase.is === "lost") {
      const last = phase.reason === "" ? "This is the last picture." : firstLine(phase.reason);
      announce("bad", icon("broken"), h("b", {}, "Connection lost."), last, waiting(phase), tryNow());
    } else if (phase.is === "live" && store.running?.ended === true && !store.isReplay) {
      announce("info", h("b", {}, "The simulation has ended."), "This is its last instant.");
    } else if (phase.is === "live" && store.world.vehicles.length === 0) {
      announce("info", h("b", {}, "No vehicles in this world."), "They show up as they come.");
    }
  }

  /** What lies over the view; nothing when there is something to see. */
  function covering(): HTMLElement | undefined {
    const phase = store.current;
    if (phase.is === "refused") return refused(phase);
    if (store.world === undefined) {
      switch (phase.is) {
        case "lost": {
          const text = `Nothing answers at ${location.host}. Is skidpad still running there?`;
          return card("broken", "No answer", h("p", {}, text), h("p", { class: "muted" }, waiting(phase)), tryNow());
        }
        case "connecting":
          return card(undefined, "Connecting", h("p", {}, "Waiting for skidpad to answer."));
        default:
          return card(undefined, "Loading the world", h("p", {}, "Shapes and maps are on their way."));
      }
    }
    if (blind === undefined || dismissed) return undefined;
    return card(
      "cube",
      "No 3-D view in this browser",
      h(
        "p",
        {},
        "It offers no WebGL: hardware acceleration may be turned off. Values, plots and driving work all the same.",
      ),
      h("p", { class: "reason" }, blind),
      h(
        "button",
        {
          type: "button",
          class: "button",
          onclick: () => {
            dismissed = true;
            renew();
          },
        },
        "Go on without",
      ),
    );
  }

  let key = "";
  store.on("phase", renew);
  store.on("scene", renew);
  store.on("status", (status) => {
    const now = `${status.ended}`;
    if (now !== key) renew();
    key = now;
  });
  return (reason) => {
    blind = reason;
    renew();
  };
}

/** What skidpad found, without the advice below it, as a sentence. */
function firstLine(reason: string): string {
  const line = reason.split("\n")[0] ?? "";
  return `${line.charAt(0).toUpperCase()}${line.slice(1)}.`;
}
