// Steps of the speed of time.
import { expect, test } from "vitest";
import { nextRate } from "./rates";

test("steps go through the list and stay at its ends", () => {
  expect([nextRate(1, 1), nextRate(1, -1), nextRate(10, 1), nextRate(null, -1)]).toEqual([2, 0.5, null, 10]);
  expect([nextRate(null, 1), nextRate(0.1, -1)]).toEqual([null, 0.1]);
});

test("speeds between the steps go to the next one", () => {
  expect([nextRate(0.7, 1), nextRate(0.7, -1), nextRate(50, 1), nextRate(50, -1)]).toEqual([1, 0.5, null, 10]);
});
