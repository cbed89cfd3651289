// The ruler.
import { Group, Vector3 } from "three";
import { expect, test } from "vitest";
import { themeOf } from "../drawing/theme";
import { measured, Ruler } from "./ruler";

test("distances count heights, headings do not", () => {
  const { distance, dx, dy, dz, heading } = measured(new Vector3(1, 1, 0), new Vector3(4, 5, 12));
  expect([distance, dx, dy, dz]).toEqual([13, 3, 4, 12]);
  expect(heading).toBeCloseTo(Math.atan2(4, 3));
});

test("two points make a measurement, which the pointer changes until the second", () => {
  const ruler = new Ruler(new Group());
  ruler.point(new Vector3(9, 9, 0));
  expect(ruler.measured).toBeUndefined();
  ruler.set(new Vector3(0, 0, 0));
  ruler.point(new Vector3(2, 0, 0));
  expect(ruler.measured?.distance).toBe(2);
  ruler.set(new Vector3(0, 3, 0));
  ruler.point(new Vector3(2, 0, 0));
  expect(ruler.measured?.distance).toBe(3);
  ruler.place(themeOf(true), 0.1);
  expect(ruler.label(({ distance }) => `${distance} m`)).toMatchObject({ text: "3 m", x: 0, y: 1.5 });
  // The third point begins the next one.
  ruler.set(new Vector3(5, 5, 0));
  expect(ruler.measured).toBeUndefined();
  ruler.clear();
  expect(ruler.label(() => "")).toBeUndefined();
});
