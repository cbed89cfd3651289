// The drawing loop: when a picture is drawn, how fast, and how finely.

import { firstLevel, ladder, QualityControl, type QualityLevel } from "./quality";
import { Resting } from "./resting";

/** What is drawn. */
export interface Stage {
  /** Whether the old picture has to stay for now. */
  readonly isWaiting: boolean;
  /** Draws from now on with so many pixels per pixel of the page. */
  scale(pixelRatio: number): void;
  /** Draws a picture, this time [ms] after the last one. Returns whether something goes on moving. */
  draw(elapsed: number): boolean;
  /** Waits until the picture is there. */
  finish(): void;
  /** The quality was reduced or raised. */
  change(level: QualityLevel): void;
}

/** Longest time that counts as passed since the last picture [ms]. */
const MAX_STEP = 200;
/** The time since the last picture that begins a motion [ms]. */
const FIRST = 16;

/** Draws a stage whenever something has changed. */
export class Loop {
  /** Pictures per second, over the last second with any. */
  fps = 0;
  private readonly quality: QualityControl;
  private readonly resting: Resting;
  private frameRequest = 0;
  private sharpening: ReturnType<typeof setTimeout> | undefined;
  private drawnAt = 0;
  private isBusy = false;
  private frames = 0;
  private framesSince = 0;

  constructor(
    private readonly stage: Stage,
    devicePixelRatio: number,
    hasProcessor: boolean,
  ) {
    this.quality = new QualityControl(ladder(devicePixelRatio, hasProcessor), firstLevel(hasProcessor));
    this.resting = new Resting(devicePixelRatio, hasProcessor);
    document.addEventListener("visibilitychange", this.restart);
  }

  get level(): QualityLevel {
    return this.quality.level;
  }

  /** Pixels of the sharpest picture per pixel of the page. */
  get finest(): number {
    return this.resting.pixelRatio;
  }

  /** Something in the picture moves, or looks otherwise: it is drawn soon. */
  invalidate(): void {
    this.resting.disturb(performance.now());
    this.request();
  }

  /** Draws soon, with new points: while nothing else moves they may come less often. */
  request(): void {
    if (this.frameRequest === 0) this.frameRequest = requestAnimationFrame((now) => this.frame(now));
  }

  /** Measures anew how fast drawing is, after the load has changed. */
  readonly restart = () => {
    this.quality.restart(performance.now());
    this.invalidate();
  };

  dispose(): void {
    cancelAnimationFrame(this.frameRequest);
    clearTimeout(this.sharpening);
    document.removeEventListener("visibilitychange", this.restart);
  }

  private frame(now: number): void {
    const { stage, resting, quality } = this;
    this.frameRequest = 0;
    if (stage.isWaiting) {
      this.request();
      return;
    }
    const since = now - this.drawnAt;
    const isResting = resting.isResting(performance.now());
    if (isResting && since < resting.gap) {
      this.sharpen(resting.gap - since);
      return;
    }
    // Timers of browsers come in steps of the screen's rate: half of one early is in time.
    if (since < 1000 / quality.level.fps - 8) {
      this.request();
      return;
    }
    this.drawnAt = now;
    if (this.isBusy && quality.frame(since, now)) stage.change({ ...quality.level });
    this.count(now);
    stage.scale(isResting ? resting.pixelRatio : quality.level.pixelRatio);
    this.isBusy = stage.draw(this.isBusy ? Math.min(since, MAX_STEP) : FIRST);
    if (isResting) resting.measure(() => stage.finish());
    if (this.isBusy) this.invalidate();
    else if (!isResting) this.sharpen(resting.patience);
  }

  /** Draws again after some time [ms], as sharp as can be if nothing moves until then. */
  private sharpen(delay: number): void {
    clearTimeout(this.sharpening);
    this.sharpening = setTimeout(() => this.request(), delay);
  }

  private count(now: number): void {
    this.frames += 1;
    if (now - this.framesSince < 1000) return;
    this.fps = (1000 * this.frames) / (now - this.framesSince);
    this.frames = 0;
    this.framesSince = now;
  }
}
