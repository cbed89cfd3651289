// Steps of the speed of time.
import { expect, test } from "vitest";
import { nextRate, ratesOf } from "./rates";

const LIVE = ratesOf(false);

test("steps go through the list and stay at its ends", () => {
  expect([nextRate(LIVE, 1, 1), nextRate(LIVE, 1, -1), nextRate(LIVE, 10, 1), nextRate(LIVE, null, -1)]).toEqual([
    2,
    0.5,
    null,
    10,
  ]);
  expect([nextRate(LIVE, null, 1), nextRate(LIVE, 0.1, -1)]).toEqual([null, 0.1]);
});

test("speeds between the steps go to the next one", () => {
  expect([nextRate(LIVE, 0.7, 1), nextRate(LIVE, 0.7, -1), nextRate(LIVE, 50, 1), nextRate(LIVE, 50, -1)]).toEqual([
    1,
    0.5,
    null,
    10,
  ]);
});

test("a recording is played as fast as can be at no step", () => {
  expect(ratesOf(true)).not.toContain(null);
  expect(nextRate(ratesOf(true), 10, 1)).toBe(10);
});
