// Driving goes on while the page is busy.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Repeater } from "./repeater";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Orders with the times at which they were sent [ms]; each is answered after `latency`. */
function setUp(latency = 5) {
  const sent: [string, number][] = [];
  const start = Date.now();
  const post = (order: string) => {
    sent.push([order, Date.now() - start]);
    return new Promise<void>((done) => setTimeout(done, latency));
  };
  return { sent, repeater: new Repeater(post, () => Date.now()) };
}

test("while the page is silent, what it held goes on for a while, without a gap", () => {
  const { sent, repeater } = setUp();
  repeater.take("ahead", true);
  return vi.advanceTimersByTimeAsync(5000).then(() => {
    const times = sent.map(([, time]) => time);
    const gaps = times.slice(1).map((time, i) => time - (times[i] ?? 0));
    expect(Math.max(...gaps)).toBeLessThan(100);
    expect(Math.max(...times)).toBeGreaterThan(1300);
    expect(Math.max(...times)).toBeLessThan(1600);
  });
});

test("a page in time sends its orders only", async () => {
  const { sent, repeater } = setUp();
  for (let i = 0; i < 10; i += 1) {
    repeater.take(`${i}`, true);
    await vi.advanceTimersByTimeAsync(50);
  }
  expect(sent.map(([order]) => order)).toEqual(["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]);
});

test("a stop is the last order, whatever was on its way", async () => {
  const { sent, repeater } = setUp(200);
  repeater.take("ahead", true);
  await vi.advanceTimersByTimeAsync(50);
  repeater.take("faster", true);
  await vi.advanceTimersByTimeAsync(50);
  repeater.take("stop", false);
  await vi.advanceTimersByTimeAsync(3000);
  expect(sent.map(([order]) => order)).toEqual(["ahead", "stop"]);
});

test("after a release nothing is repeated", async () => {
  const { sent, repeater } = setUp();
  repeater.take("ahead", true);
  await vi.advanceTimersByTimeAsync(10);
  repeater.release();
  await vi.advanceTimersByTimeAsync(3000);
  expect(sent.length).toBe(1);
});
