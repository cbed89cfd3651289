// Arithmetic of the time bar.
import type { Span, Status } from "../../protocol/types";

/** Whether a recording is at its end, so that it can only start over. */
export function isAtEnd({ span, ended, time }: Pick<Status, "span" | "ended" | "time">): boolean {
  return span !== null && (ended || time >= span.end);
}

/** Where a time [s] is on the bar, 0 to 1. */
export function shareOf(time: number, span: Span): number {
  const length = span.end - span.start;
  return length > 0 ? Math.min(1, Math.max(0, (time - span.start) / length)) : 0;
}

/** The time [s] at a place on the bar, 0 to 1. */
export function timeAt(share: number, span: Span): number {
  return span.start + Math.min(1, Math.max(0, share)) * (span.end - span.start);
}

/** The time [s] that a key seeks to from a given time [s]; undefined for other keys. */
export function timeByKey(key: string, shift: boolean, time: number, span: Span): number | undefined {
  const step = shift ? 10 : 1;
  const to: Record<string, number> = {
    ArrowLeft: time - step,
    ArrowDown: time - step,
    ArrowRight: time + step,
    ArrowUp: time + step,
    PageDown: time - 10,
    PageUp: time + 10,
    Home: span.start,
    End: span.end,
  };
  const next = to[key];
  return next === undefined ? undefined : Math.min(span.end, Math.max(span.start, next));
}
