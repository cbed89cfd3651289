// Adaptation of the picture to the machine's drawing speed.
import { expect, test } from "vitest";
import { firstLevel, ladder, QualityControl } from "./quality";

/** Draws for some seconds, each frame as long as `cost` says for the level; returns how often the level changed. */
function draw(
  control: QualityControl,
  seconds: number,
  cost: (fps: number, pixelRatio: number) => number,
  from = 0,
): number {
  let now = from;
  let changes = 0;
  while (now < from + 1000 * seconds) {
    const { fps, pixelRatio } = control.level;
    const duration = Math.max(cost(fps, pixelRatio), 1000 / fps);
    now += duration;
    if (control.frame(duration, now)) changes += 1;
  }
  return changes;
}

/** As it begins where software draws. */
const software = () => new QualityControl(ladder(1, false), firstLevel(false));

test("a fast machine stays at the best level", () => {
  const control = new QualityControl(ladder(2, true));
  expect(draw(control, 30, () => 5)).toBe(0);
  expect(control.level).toEqual({ pixelRatio: 2, shadows: true, everyPoint: true, fps: 60 });
});

test("a slow one comes down within five seconds, to where it keeps its frames per second", () => {
  const control = new QualityControl(ladder(1, true));
  draw(control, 5, (_, pixelRatio) => 60 * pixelRatio);
  expect(control.level.pixelRatio).toBe(0.5);
  expect(60 * control.level.pixelRatio).toBeLessThan(1000 / control.level.fps);
});

test("software draws fewer frames before it draws coarser ones", () => {
  const control = software();
  draw(control, 5, () => 45);
  expect(control.level).toMatchObject({ pixelRatio: 1, fps: 20 });
  draw(control, 5, (_, pixelRatio) => 70 * pixelRatio, 5000);
  expect(control.level).toMatchObject({ pixelRatio: 0.75, fps: 20 });
});

test("software that has the time draws 60 frames per second, and 30 where it could not keep them up", () => {
  const fast = software();
  expect(fast.level.fps).toBe(30);
  draw(fast, 12, () => 12);
  expect(fast.level).toMatchObject({ pixelRatio: 1, fps: 60 });
  const slower = software();
  expect(draw(slower, 60, () => 28)).toBeLessThanOrEqual(6);
  expect(slower.level).toMatchObject({ pixelRatio: 1, fps: 30 });
});

test("what nothing helps ends at the last level", () => {
  const levels = ladder(1, false);
  const control = new QualityControl(levels, firstLevel(false));
  draw(control, 20, () => 400);
  expect(control.level).toEqual(levels.at(-1));
});

test("tries that fail become rare", () => {
  const control = software();
  const cost = (_: number, pixelRatio: number) => (pixelRatio > 0.6 ? 60 : 20);
  const first = draw(control, 60, cost);
  const later = draw(control, 60, cost, 60_000);
  const last = draw(control, 60, cost, 120_000);
  expect(later).toBeLessThan(first);
  expect(last).toBeLessThanOrEqual(2);
});

test("when load goes away, the picture gets better again", () => {
  const control = software();
  draw(control, 5, () => 90);
  const down = control.level.pixelRatio;
  draw(control, 120, () => 4, 5000);
  expect(control.level.pixelRatio).toBeGreaterThan(down);
});

test("a page that was not shown is not slow", () => {
  const control = new QualityControl(ladder(1, true));
  let now = 0;
  const frame = (duration: number) => {
    now += duration;
    return control.frame(duration, now);
  };
  for (let i = 0; i < 100; i += 1) expect([2000, 16, 16, 16, 16].map(frame)).not.toContain(true);
  // Two interruptions, each followed by a restart of the measurement.
  frame(2000);
  control.restart(now);
  expect(frame(2000)).toBe(false);
});

test("a machine that takes seconds for a frame comes down too, within a few of them", () => {
  const levels = ladder(1, false);
  const control = new QualityControl(levels, firstLevel(false));
  const changes = [1, 2, 3, 4, 5, 6].map((i) => control.frame(4000, 4000 * i));
  expect(changes).toEqual([false, true, false, true, false, false]);
  expect(control.level).toEqual(levels.at(-1));
});

test("at a frame per second the first step comes after three", () => {
  const control = software();
  expect([1, 2, 3].map((i) => control.frame(1000, 1000 * i))).toEqual([false, false, true]);
});
