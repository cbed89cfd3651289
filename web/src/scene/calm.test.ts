// When pictures are sharp.
import { expect, test, vi } from "vitest";
import { Calm } from "./calm";

test("it is calm some time after the last motion", () => {
  const calm = new Calm(1, false);
  calm.disturb(1000);
  expect(calm.isCalm(1200)).toBe(false);
  expect(calm.isCalm(1300)).toBe(true);
  calm.disturb(1310);
  expect(calm.isCalm(1350)).toBe(false);
});

test("software draws finely and seldom, the more so the longer it takes", () => {
  const calm = new Calm(1, false);
  expect(calm.pixelRatio).toBe(2);
  expect(calm.gap).toBe(250);
  vi.useFakeTimers();
  calm.measure(() => vi.advanceTimersByTime(200));
  expect(calm.gap).toBe(800);
  calm.measure(() => vi.advanceTimersByTime(5));
  expect(calm.gap).toBe(250);
  vi.useRealTimers();
});

test("a graphics processor draws as ever", () => {
  const calm = new Calm(3, true);
  calm.measure(() => {
    throw new Error("nothing to wait for");
  });
  expect([calm.pixelRatio, calm.gap]).toEqual([2, 0]);
});
