// Requested states and scans follow what is shown.
import { expect, test } from "vitest";
import { type Looking, watchFor } from "./watch";

const PICTURES = [{ vehicle: 7, sensor: 1, topic: 0 }];
const LOOKING: Looking = {
  hidden: false,
  points: true,
  everyPoint: true,
  fps: undefined,
  refreshRate: 20,
  vehicle: 7,
  pictures: [],
  minor: 4,
};

test("all that is shown, smoothly", () => {
  expect(watchFor(LOOKING)).toEqual({
    do: "watch",
    rate: 30,
    points: "all",
    stride: 1,
    clouds: true,
    pictures: [],
    numbers: { vehicle: 7 },
  });
  expect(watchFor({ ...LOOKING, points: false })).toMatchObject({ points: "none", clouds: false });
  expect(watchFor({ ...LOOKING, points: false, pictures: PICTURES })).toMatchObject({ pictures: PICTURES });
});

test("readings of the selected vehicle, where somebody looks at them", () => {
  expect(watchFor({ ...LOOKING, readings: true })).toMatchObject({ readings: 7 });
  expect(watchFor({ ...LOOKING, readings: true, vehicle: undefined })).not.toHaveProperty("readings");
  expect(watchFor({ ...LOOKING, readings: true, hidden: true })).not.toHaveProperty("readings");
});

test("all numbers of the selected vehicle, and of all where the picture shows them", () => {
  expect(watchFor({ ...LOOKING, vehicle: undefined })).toMatchObject({ numbers: "none" });
  expect(watchFor({ ...LOOKING, everyNumber: true })).not.toHaveProperty("numbers");
  expect(watchFor({ ...LOOKING, minor: 3 }), "an older server").not.toHaveProperty("numbers");
});

test("no more than the world file wants, where it says so", () => {
  expect(watchFor({ ...LOOKING, refreshRate: 5 })).toMatchObject({ rate: 5 });
  expect(watchFor({ ...LOOKING, refreshRate: 25 })).toMatchObject({ rate: 25 });
  expect(watchFor({ ...LOOKING, refreshRate: 25, fps: 17 })).toMatchObject({ rate: 17 });
  expect(watchFor({ ...LOOKING, refreshRate: 60 })).toMatchObject({ rate: 30 });
  expect(watchFor({ ...LOOKING, refreshRate: 0.1 })).toMatchObject({ rate: 1 });
  expect(watchFor({ ...LOOKING, refreshRate: 0 })).toMatchObject({ rate: 30 });
});

test("less on weak machines", () => {
  const weak = { ...LOOKING, everyPoint: false, fps: 17.4 };
  expect(watchFor(weak)).toMatchObject({ rate: 17, points: { vehicle: 7 }, stride: 4, clouds: true });
  expect(watchFor({ ...weak, vehicle: undefined })).toMatchObject({ points: "none" });
  expect(watchFor({ ...weak, fps: 2 })).toMatchObject({ rate: 10 });
});

test("next to nothing in a hidden tab", () => {
  const hidden = watchFor({ ...LOOKING, hidden: true, pictures: PICTURES });
  expect(hidden).toMatchObject({ rate: 1, points: "none", clouds: false, pictures: [] });
});
