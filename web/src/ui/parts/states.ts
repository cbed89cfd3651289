// Messages while there is nothing new to show: over the view, or as a banner while the last picture remains.
import type { Phase } from "../../protocol/connection";
import { keepToken } from "../../protocol/token";
import type { Page } from "../panels/page";
import { tabStorage } from "../panels/settings";
import { byId, h, say } from "./dom";
import { type IconName, icon } from "./icons";

/** Shows the connection state. The returned function reports why there is no 3-D view. */
export function states(page: Page): (reason: string) => void {
  const { store, connection } = page;
  const cover = byId("cover");
  const banner = byId("banner");
  let blind: string | undefined;
  let dismissed = false;
  const covers = keeper((element) => {
    cover.hidden = element === undefined;
    cover.replaceChildren(...(element === undefined ? [] : [element]));
  });
  const banners = keeper((element) => banner.replaceChildren(...(element === undefined ? [] : [element])));

  function card(sign: IconName | undefined, title: string, ...content: (Node | string | false)[]): HTMLElement {
    return h(
      "div",
      { class: "card", role: sign === undefined ? "status" : "alert" },
      sign === undefined ? h("div", { class: "pulse" }) : icon(sign),
      h("h2", {}, title),
      ...content,
    );
  }
  function notice(level: string, ...content: (Node | string)[]): HTMLElement {
    return h("div", { class: `notice ${level}`, role: "status" }, ...content);
  }
  const tryNow = () =>
    h("button", { type: "button", class: "button solid", onclick: () => connection.connect() }, "Try now");

  /** A text that counts down to the next attempt while it is shown. */
  function waiting(): HTMLElement {
    // A screen reader would announce every second of it.
    const words = h("span", { class: "value", "aria-hidden": "true" });
    let wasShown = false;
    const tick = () => {
      const phase = store.current;
      const left = phase.is === "lost" ? Math.ceil((phase.until - performance.now()) / 1000) : 0;
      say(words, left > 0 ? `Trying again in ${left} s` : "Trying again…");
      if (wasShown && !words.isConnected) clearInterval(countdown);
      wasShown = words.isConnected;
    };
    const countdown = setInterval(tick, 200);
    tick();
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
    covers(covering());
    banners(announcing());
  }

  /** The banner above a view with content. */
  function announcing(): Sign | undefined {
    const phase = store.current;
    if (store.world === undefined) return undefined;
    if (phase.is === "lost") {
      const last = phase.reason === "" ? "This is the last picture." : firstLine(phase.reason);
      const lost = () => notice("bad", icon("broken"), h("b", {}, "Connection lost."), last, waiting(), tryNow());
      return [`lost ${last}`, lost];
    }
    if (phase.is === "live" && store.running?.ended === true && !store.isReplay) {
      return ["ended", () => notice("info", h("b", {}, "The simulation has ended."), "This is its last instant.")];
    }
    if (phase.is === "live" && store.world.vehicles.length === 0) {
      return ["empty", () => notice("info", h("b", {}, "No vehicles in this world."), "They show up as they come.")];
    }
    return undefined;
  }

  /** The message over an empty view; none when there is content. */
  function covering(): Sign | undefined {
    const phase = store.current;
    if (phase.is === "refused") return [`${phase.why} ${phase.reason}`, () => refused(phase)];
    if (store.world === undefined) {
      switch (phase.is) {
        case "lost": {
          const text = `Nothing answers at ${location.host}. Is skidpad still running there?`;
          const lost = () =>
            card("broken", "No answer", h("p", {}, text), h("p", { class: "muted" }, waiting()), tryNow());
          return ["lost", lost];
        }
        case "connecting":
          return ["connecting", () => card(undefined, "Connecting", h("p", {}, "Waiting for skidpad to answer."))];
        default:
          return [
            "loading",
            () => card(undefined, "Loading the world", h("p", {}, "Shapes and maps are on their way.")),
          ];
      }
    }
    if (blind === undefined || dismissed) return undefined;
    return ["blind", () => sightless(blind ?? "")];
  }

  function sightless(reason: string): HTMLElement {
    return card(
      "cube",
      "No 3-D view in this browser",
      h(
        "p",
        {},
        "It offers no WebGL: hardware acceleration may be turned off. Values, plots and driving work all the same.",
      ),
      h("p", { class: "reason" }, reason),
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

/** A message: its key, and the function that creates it. */
type Sign = [string, () => HTMLElement];

/** Replaces a message only when it changes, so that it keeps the focus and is read aloud once. */
function keeper(show: (element: HTMLElement | undefined) => void): (sign: Sign | undefined) => void {
  let shown: string | undefined;
  return (sign) => {
    if (sign?.[0] === shown) return;
    shown = sign?.[0];
    show(sign?.[1]());
  };
}

/** The first line of an error of skidpad, as a sentence. */
function firstLine(reason: string): string {
  const line = reason.split("\n")[0] ?? "";
  return `${line.charAt(0).toUpperCase()}${line.slice(1)}.`;
}
