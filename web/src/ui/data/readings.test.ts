// Numbers of sensors.
import { expect, test } from "vitest";
import { car } from "../../scene/fixture";
import { readingTopics, textOf } from "./readings";

test("sensors of few numbers are found by the types of their topics", () => {
  const [scan] = car().sensors;
  if (scan === undefined) throw new Error("a car without a sensor");
  const topics = (...list: [string, string][]) => list.map(([suffix, message]) => ({ name: "", suffix, message }));
  const mocap = { ...scan, name: "mocap", topics: topics(["/pose", "geometry_msgs/msg/PoseStamped"]) };
  const bumper = {
    ...scan,
    name: "bumper",
    topics: topics(["", "skidpad/msg/Contacts"], ["/pressed", "std_msgs/msg/Bool"]),
  };
  expect(readingTopics(car({ sensors: [scan, mocap, bumper] }))).toEqual([
    { sensor: 1, topic: 0, name: "mocap/pose" },
    { sensor: 2, topic: 1, name: "bumper/pressed" },
  ]);
  expect(readingTopics(undefined)).toEqual([]);
});

test("numbers have their unit and the decimals that mean something", () => {
  expect(textOf({ name: "x", unit: "m", value: -1.23456, digits: 4 })).toBe("\u22121.2346 m");
  expect(textOf({ name: "yaw", unit: "°", value: 90, digits: 2 })).toBe("90.00°");
  expect(textOf({ name: "range", unit: "m", value: null, digits: 3 })).toBe("–");
  expect(textOf({ name: "pressed", unit: "", value: 1, digits: 0 })).toBe("yes");
});
