// The recording in the top bar: which file is shown or being made, and on a press how it was made.
import type { RecordingView } from "../../protocol/types";
import { menu } from "../panels/menu";
import type { Page } from "../panels/page";
import { byId, h, say } from "../parts/dom";

/** Names of details as the page says them; others stand as they are. */
const NAMES: Record<string, string> = { program: "Made by", command: "Command line", config: "Config" };

/** A recording in one line, beside the name of its world: its file, seed, version and commit, as far as they are known. */
export function inOneLine({ file, seed, program }: RecordingView): string {
  const parts = [file, seed === "" ? "" : `seed ${seed}`, program.replace(/^skidpad /, "v")];
  return parts.filter((part) => part !== "").join("  ·  ");
}

/** Puts it into the bar; nothing is there without a recording. */
export function recordingLine({ store }: Page): void {
  const list = h("dl", { class: "facts" });
  const shown = menu(
    { icon: "video", name: "", text: "", class: "small", id: "recording", tip: "below" },
    { class: "menu-facts", role: "group", "aria-label": "The recording" },
    list,
  );
  shown.element.hidden = true;
  const opener = shown.element.querySelector<HTMLElement>("#recording");
  const words = shown.element.querySelector<HTMLElement>(".text");
  byId("world").after(shown.element);
  store.on("greeting", ({ recording, mode }) => {
    shown.element.hidden = recording === undefined;
    shown.close();
    if (recording === undefined || !opener || !words) return;
    const isReplay = mode === "replay";
    const line = inOneLine(recording);
    say(words, isReplay ? line : `Recording to ${recording.file}`);
    opener.ariaLabel = isReplay ? `Recording ${line}` : `Recording to ${line}`;
    opener.dataset.tip = recording.details.length === 0 ? "It does not say how it was made" : "How it was made";
    const lines: [string, string][] = [["File", recording.file], ...recording.details];
    list.replaceChildren(
      ...lines.flatMap(([name, text]) => [h("dt", {}, titled(NAMES[name] ?? name)), h("dd", {}, text)]),
    );
  });
}

function titled(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
