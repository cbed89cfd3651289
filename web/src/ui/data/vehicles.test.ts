// Filtering of vehicles by typed text.
import { expect, test } from "vitest";
import type { VehicleView } from "../../protocol/types";
import { matching } from "./vehicles";

const FLEET = ["r1 small", "r2 small", "truck10 heavy"].map((text) => {
  const [name = "", kind = ""] = text.split(" ");
  return { name, class: kind } as VehicleView;
});

test("every word has to be in name or class", () => {
  expect(matching(FLEET, "")).toEqual([0, 1, 2]);
  expect(matching(FLEET, " R  small ")).toEqual([0, 1]);
  expect(matching(FLEET, "truck heavy")).toEqual([2]);
  expect(matching(FLEET, "truck small")).toEqual([]);
});
