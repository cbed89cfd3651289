import { expect, test } from "vitest";
import { heading, labelOf, opaque, tidy } from "./fields";

test("values are named by the last tag and the attribute", () => {
  expect(labelOf("dynamics/chassis@mass")).toBe("chassis mass");
  expect(labelOf("sensor[1]/range_std_noise")).toBe("range std noise");
  expect(labelOf("@color")).toBe("color");
});

test("numbers have no digits that nobody asked for", () => {
  expect([tidy(0.1 + 0.2), tidy(-0), tidy(90), tidy(1.23456)]).toEqual(["0.3", "0", "90", "1.2346"]);
});

test("half a turn has no sign", () => {
  expect([heading(Math.PI), heading(-Math.PI), heading(-Math.PI / 2)]).toEqual([180, 180, -90]);
});

test("a colour field shows a colour without its transparency", () => {
  expect(opaque("#AABBCC80")).toBe("#aabbcc");
});
