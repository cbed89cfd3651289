// Sharp pictures while nothing moves: on machines that draw slowly they come less often, and in full resolution.

/** How long nothing has to move [ms]. */
const PATIENCE = 300;
/** Shortest time between two pictures meanwhile [ms], and in times that one took. */
const [MIN_GAP, TIMES] = [250, 4];
/** Pixels per pixel of the page where software draws: its edges are not smoothed otherwise. */
const FINE = 2;

/** Notes when something moved last, and how long a sharp picture takes. */
export class Resting {
  readonly patience = PATIENCE;
  /** Pixels of a sharp picture per pixel of the page. */
  readonly pixelRatio: number;
  /** Time between two pictures while nothing moves [ms]. */
  gap: number;
  private disturbed = Number.NEGATIVE_INFINITY;

  constructor(devicePixelRatio: number, hasProcessor: boolean) {
    this.pixelRatio = hasProcessor ? Math.min(devicePixelRatio, 2) : FINE;
    this.gap = hasProcessor ? 0 : MIN_GAP;
  }

  /** Something moves at `now` [ms]. */
  disturb(now: number): void {
    this.disturbed = now;
  }

  /** Whether nothing has moved for a while. */
  isResting(now: number): boolean {
    return now - this.disturbed >= PATIENCE;
  }

  /** Measures how long a sharp picture takes, which has been requested and is there when `finish` returns. */
  measure(finish: () => void): void {
    if (this.gap === 0) return;
    const start = performance.now();
    finish();
    this.gap = Math.max(MIN_GAP, TIMES * (performance.now() - start));
  }
}
