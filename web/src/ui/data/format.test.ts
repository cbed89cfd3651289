// Numbers, times and file names as text.
import { expect, test } from "vitest";
import { brief, clock, degrees, factor, fileName, fixed, pace, spoken, worldName } from "./format";

test("numbers have a true minus and no negative zero", () => {
  expect([fixed(-1.234, 2), fixed(-0.001, 2), fixed(2, 1), fixed(Number.NaN, 1), fixed(undefined, 1)]).toEqual([
    "−1.23",
    "0.00",
    "2.0",
    "–",
    "–",
  ]);
  expect([brief(0.1), brief(10), brief(-1.23456)]).toEqual(["0.1", "10", "−1.235"]);
});

test("times carry over", () => {
  expect([0, 9.94, 59.96, 61.5, 3599.99, 3661.2, -2].map(clock)).toEqual([
    "0:00.0",
    "0:09.9",
    "1:00.0",
    "1:01.5",
    "1:00:00.0",
    "1:01:01.2",
    "−0:02.0",
  ]);
  expect([spoken(5.4), spoken(65)]).toEqual(["5 seconds", "1 minutes 5 seconds"]);
});

test("speeds of time", () => {
  expect([pace(null), pace(0.5), pace(1)]).toEqual(["max", "0.5×", "1×"]);
  expect([factor(0.999), factor(12.34), factor(251.4)]).toEqual(["1.00×", "12.3×", "251×"]);
});

test("angles go around", () => {
  expect(degrees(Math.PI / 2)).toBeCloseTo(90);
  expect(degrees(-Math.PI / 2)).toBeCloseTo(-90);
  expect(degrees(3.5 * Math.PI)).toBeCloseTo(-90);
});

test("worlds are called by their file", () => {
  expect([
    worldName("worlds/racecar.world.xml"),
    worldName("C:\\w\\a.xml"),
    worldName("office"),
    worldName(""),
  ]).toEqual(["racecar", "a", "office", "skidpad"]);
});

test("file names hold the world and the time", () => {
  expect(fileName("worlds/racecar.world.xml", 12.345, "png")).toBe("racecar_12.35s.png");
  expect(fileName("", -1, "webm")).toBe("skidpad_0.00s.webm");
});
