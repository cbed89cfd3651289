// The log of the page: what happened, with its simulated time. Its size is bounded, however long the page is open.

/** How serious an entry is. */
export type Level = "info" | "warning" | "error";

/** Something that happened. */
export interface Entry {
  level: Level;
  text: string;
  /** Simulated time [s]; undefined: before the first state. */
  time: number | undefined;
  /** How often it happened in a row. */
  count: number;
}

/** Entries that are kept. */
const MAX_ENTRIES = 400;
/** A text longer than this is cut. */
const MAX_CHARACTERS = 2000;

/** The entries, from the oldest on. */
export class Log {
  readonly entries: Entry[] = [];
  /** Warnings and errors that nobody has seen yet. */
  unseen = 0;
  onChange: (() => void) | undefined;

  /** Adds an entry; the same one again, right after it, is counted. */
  add(level: Level, text: string, time: number | undefined): void {
    const cut = text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
    const last = this.entries.at(-1);
    if (last?.text === cut && last.level === level) {
      last.count += 1;
      last.time = time;
    } else {
      this.entries.push({ level, text: cut, time, count: 1 });
      if (this.entries.length > MAX_ENTRIES) this.entries.shift();
    }
    if (level !== "info") this.unseen += 1;
    this.onChange?.();
  }

  /** All warnings have been looked at. */
  see(): void {
    this.unseen = 0;
    this.onChange?.();
  }

  clear(): void {
    this.entries.length = 0;
    this.see();
  }
}
