// What is asked for follows what is looked at.
import { expect, test } from "vitest";
import { type Looking, watchFor } from "./watch";

const LOOKING: Looking = { hidden: false, points: true, everyPoint: true, fps: undefined, vehicle: 7 };

test("all that is shown, smoothly", () => {
  expect(watchFor(LOOKING)).toEqual({ do: "watch", rate: 30, points: "all", stride: 1 });
  expect(watchFor({ ...LOOKING, points: false })).toMatchObject({ points: "none" });
});

test("less on weak machines", () => {
  const weak = { ...LOOKING, everyPoint: false, fps: 17.4 };
  expect(watchFor(weak)).toEqual({ do: "watch", rate: 17, points: { vehicle: 7 }, stride: 4 });
  expect(watchFor({ ...weak, vehicle: undefined })).toMatchObject({ points: "none" });
  expect(watchFor({ ...weak, fps: 2 })).toMatchObject({ rate: 10 });
});

test("next to nothing in a hidden tab", () => {
  expect(watchFor({ ...LOOKING, hidden: true })).toMatchObject({ rate: 1, points: "none" });
});
