// When the recordings of a replay with a ghost begin and end.
import { expect, test } from "vitest";
import type { GhostView } from "../../protocol/types";
import { endOfShorter, standingOf } from "./ghost";

const ghost = (span: [number, number]): GhostView => ({ file: "b.mcap", vehicle: "r1", span, other_span: [1, 10] });

test("a ghost stands before its beginning and after its end", () => {
  const late = ghost([3, 8]);
  expect([0, 3, 8, 8.02].map((time) => standingOf(late, time))).toEqual(["waits", undefined, undefined, "ended"]);
});

test("the end of the shorter recording is told, whichever it is", () => {
  expect(endOfShorter(ghost([1, 8]), 8)).toBeUndefined();
  expect(endOfShorter(ghost([1, 8]), 8.02)).toBe("b.mcap ends here: its ghost stands");
  expect(endOfShorter(ghost([1, 12]), 10.5)).toBe("The recording ends here: only b.mcap goes on");
  expect(endOfShorter(ghost([1, 10]), 10)).toBeUndefined();
});
