// Places on the time bar.
import { expect, test } from "vitest";
import { isAtEnd, shareOf, timeAt, timeByKey } from "./timeline";

const SPAN = { start: 5, end: 25 };

test("places and times belong together and stay within the recording", () => {
  expect([0, 5, 10, 25, 99].map((time) => shareOf(time, SPAN))).toEqual([0, 0, 0.25, 1, 1]);
  expect([-1, 0.25, 2].map((share) => timeAt(share, SPAN))).toEqual([5, 10, 25]);
  expect(shareOf(3, { start: 3, end: 3 })).toBe(0);
});

test("a recording is at its end when it says so, or when its time is there", () => {
  const at = (time: number, ended = false) => isAtEnd({ span: SPAN, ended, time });
  expect([at(5), at(24.9), at(25), at(24.9, true)]).toEqual([false, false, true, true]);
  expect(isAtEnd({ span: null, ended: true, time: 9 })).toBe(false);
});

test("keys lead by 1 s, by 10 s, and to the ends", () => {
  const from12 = (key: string, shift = false) => timeByKey(key, shift, 12, SPAN);
  expect([from12("ArrowRight"), from12("ArrowLeft"), from12("ArrowRight", true), from12("ArrowLeft", true)]).toEqual([
    13, 11, 22, 5,
  ]);
  expect([from12("Home"), from12("End"), from12("PageUp"), from12("x")]).toEqual([5, 25, 22, undefined]);
  expect(timeByKey("ArrowRight", true, 20, SPAN)).toBe(25);
});
