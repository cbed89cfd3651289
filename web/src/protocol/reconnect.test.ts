// Pauses between attempts to connect.
import { expect, test } from "vitest";
import { MAX_PAUSE, pauseBefore } from "./reconnect";

test("pauses grow and stay at five seconds", () => {
  const pauses = [0, 1, 2, 3, 4, 5, 6, 50, 5000].map(pauseBefore);
  expect(pauses).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000, 5000, 5000]);
  expect(MAX_PAUSE).toBe(5000);
});
