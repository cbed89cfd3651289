// When pictures are sharp.
import { expect, test, vi } from "vitest";
import { Resting } from "./resting";

test("it is resting some time after the last motion", () => {
  const resting = new Resting(1, false);
  resting.disturb(1000);
  expect(resting.isResting(1200)).toBe(false);
  expect(resting.isResting(1300)).toBe(true);
  resting.disturb(1310);
  expect(resting.isResting(1350)).toBe(false);
});

test("software draws finely and seldom, the more so the longer it takes", () => {
  const resting = new Resting(1, false);
  expect(resting.pixelRatio).toBe(2);
  expect(resting.gap).toBe(250);
  vi.useFakeTimers();
  resting.measure(() => vi.advanceTimersByTime(200));
  expect(resting.gap).toBe(800);
  resting.measure(() => vi.advanceTimersByTime(5));
  expect(resting.gap).toBe(250);
  vi.useRealTimers();
});

test("a graphics processor draws as ever", () => {
  const resting = new Resting(3, true);
  resting.measure(() => {
    throw new Error("nothing to wait for");
  });
  expect([resting.pixelRatio, resting.gap]).toEqual([2, 0]);
});
