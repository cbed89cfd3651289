// When to try again after a connection is lost.

/** Pauses grow up to this [ms]. */
export const MAX_PAUSE = 5000;
const FIRST_PAUSE = 250;

/** Pause [ms] before the attempt with this number, counted from 0. */
export function pauseBefore(attempt: number): number {
  return Math.min(MAX_PAUSE, FIRST_PAUSE * 2 ** Math.max(0, attempt));
}
