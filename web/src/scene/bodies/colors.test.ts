// Colours of documents.
import { expect, test } from "vitest";
import { calmed, colorViewOf } from "./colors";

test("colours of the page have the form of the document", () => {
  expect(colorViewOf("#4cc2ff")).toEqual([0x4c, 0xc2, 0xff, 255]);
});

test("only the defaults of world files are calmed", () => {
  expect(calmed([0, 0, 255, 255])).not.toEqual([0, 0, 255, 255]);
  expect(calmed([0, 0, 254, 255])).toEqual([0, 0, 254, 255]);
  expect(calmed([0, 0, 255, 128])).toEqual([0, 0, 255, 128]);
  expect(calmed(null)).toBeNull();
});
