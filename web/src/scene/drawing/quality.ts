// Adapts the drawing quality to the machine, from the times between frames.

/** A quality level. */
export interface QualityLevel {
  /** Pixels of the picture per pixel of the page. */
  pixelRatio: number;
  shadows: boolean;
  /** Whether the points of all vehicles are drawn; else those of the selected one. */
  everyPoint: boolean;
  /** Frames per second at most. */
  fps: number;
}

/**
 * From the best to the worst. Software rendering draws shadows in still pictures only: they take several times as long as everything else; and
 * it draws fewer pictures before it draws coarser ones.
 */
export function ladder(devicePixelRatio: number, hasProcessor: boolean): QualityLevel[] {
  const best = Math.min(devicePixelRatio, 2);
  const plain = Math.min(best, 1);
  if (!hasProcessor) {
    return [
      { pixelRatio: plain, shadows: false, everyPoint: true, fps: 60 },
      { pixelRatio: plain, shadows: false, everyPoint: true, fps: 30 },
      { pixelRatio: plain, shadows: false, everyPoint: false, fps: 30 },
      { pixelRatio: plain, shadows: false, everyPoint: false, fps: 20 },
      { pixelRatio: 0.75 * plain, shadows: false, everyPoint: false, fps: 20 },
      { pixelRatio: 0.5 * plain, shadows: false, everyPoint: false, fps: 15 },
    ];
  }
  const levels: QualityLevel[] = best > 1 ? [{ pixelRatio: best, shadows: true, everyPoint: true, fps: 60 }] : [];
  levels.push(
    { pixelRatio: plain, shadows: true, everyPoint: true, fps: 60 },
    { pixelRatio: plain, shadows: false, everyPoint: true, fps: 60 },
    { pixelRatio: 0.75 * plain, shadows: false, everyPoint: true, fps: 30 },
    { pixelRatio: 0.75 * plain, shadows: false, everyPoint: false, fps: 30 },
    { pixelRatio: 0.5 * plain, shadows: false, everyPoint: false, fps: 30 },
    { pixelRatio: 0.5 * plain, shadows: false, everyPoint: false, fps: 15 },
  );
  return levels;
}

/** The level that a ladder begins with: software tries more than 30 frames per second only once it has kept those up. */
export function firstLevel(hasProcessor: boolean): number {
  return hasProcessor ? 0 : 1;
}

/** Frames, and time [ms], after which it is judged. */
const MIN_FRAMES = 3;
const MAX_FRAMES = 60;
const SPAN = 900;
/** A frame that took longer than this was a pause of the page, not slow drawing, unless it happens twice in a row [ms]. */
const PAUSE = 1500;
/** A median above this is too slow, unless fewer frames are all that would be lost: 30 frames per second, plus the inaccuracy of timers [ms]. */
const SLOW = 40;
/** A median this many times too slow is worth two steps at once. */
const FAR_TOO_SLOW = 2;
/** Below this there may be room for more, [ms] above what the level allows. */
const ROOM = 3;
/** How long drawing has to be fast enough before the next better level is tried, at first and at most after failed tries [ms]. */
const PATIENCE = 8_000;
const MAX_PATIENCE = 300_000;

/** Lowers the level when frames take too long, and tries the next better one after some time; ever more rarely if that fails. */
export class QualityControl {
  private readonly times = new Float64Array(MAX_FRAMES);
  private readonly sorted = new Float64Array(MAX_FRAMES);
  private count = 0;
  private span = 0;
  /** Frames in a row that took longer than a pause. */
  private pauses = 0;
  private settled = 0;
  private patience = PATIENCE;
  private triedAt = Number.NEGATIVE_INFINITY;

  /** @param index of the level that it begins with */
  constructor(
    private readonly levels: readonly QualityLevel[],
    private index = 0,
  ) {}

  get level(): QualityLevel {
    return this.levels[this.index] as QualityLevel;
  }

  /** Restarts the measurement at `now` [ms], after the load has changed. */
  restart(now: number): void {
    this.count = 0;
    this.span = 0;
    this.pauses = 0;
    this.settled = now;
  }

  /** Processes the time between two consecutive frames [ms]. Returns whether the level changed. */
  frame(duration: number, now: number): boolean {
    if (duration > PAUSE) {
      const pauses = this.pauses + 1;
      this.restart(now);
      if (pauses > 1) return this.descend(now, 2);
      this.pauses = pauses;
      return false;
    }
    this.pauses = 0;
    this.times[this.count] = duration;
    this.count += 1;
    this.span += duration;
    if (this.count < MIN_FRAMES || (this.span < SPAN && this.count < MAX_FRAMES)) return false;
    const median = this.median();
    this.count = 0;
    this.span = 0;
    const wanted = 1000 / this.level.fps;
    const slow = Math.max(this.hasSteadier ? 0 : SLOW, wanted + 7);
    if (median > slow) return this.descend(now, median > FAR_TOO_SLOW * slow ? 2 : 1);
    if (median > wanted + ROOM) this.settled = now;
    if (now - this.settled > this.patience && this.index > 0) return this.climb(now);
    return false;
  }

  /** Whether the next level looks alike and only has fewer frames: then as many as this one has are kept up, or it is that one. */
  private get hasSteadier(): boolean {
    const { level } = this;
    const next = this.levels[this.index + 1];
    return (
      next !== undefined &&
      next.fps < level.fps &&
      next.pixelRatio === level.pixelRatio &&
      next.shadows === level.shadows &&
      next.everyPoint === level.everyPoint
    );
  }

  private median(): number {
    const { sorted, times, count } = this;
    sorted.fill(Number.POSITIVE_INFINITY);
    for (let i = 0; i < count; i += 1) sorted[i] = times[i] ?? 0;
    sorted.sort();
    return sorted[count >> 1] ?? 0;
  }

  private descend(now: number, steps: number): boolean {
    if (this.index + 1 >= this.levels.length) return false;
    // Lowered again soon after a try, so the next try comes later.
    const failed = now - this.triedAt < PATIENCE;
    this.patience = failed ? Math.min(2 * this.patience, MAX_PATIENCE) : PATIENCE;
    this.index = Math.min(this.index + steps, this.levels.length - 1);
    this.settled = now;
    return true;
  }

  private climb(now: number): boolean {
    this.index -= 1;
    this.triedAt = this.settled = now;
    return true;
  }
}

/** Whether pictures are made by a graphics processor rather than by software. */
export function hasProcessor(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  if (!context) return false;
  const info = context.getExtension("WEBGL_debug_renderer_info");
  const name = String(context.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : context.RENDERER));
  context.getExtension("WEBGL_lose_context")?.loseContext();
  return !/swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}
