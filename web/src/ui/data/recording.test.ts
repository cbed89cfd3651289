// A recording in one line.
import { expect, test } from "vitest";
import { inOneLine } from "./recording";

test("the line has what is known and nothing else", () => {
  const bare = { file: "a.mcap", world: "", seed: "", program: "", details: [] };
  expect(inOneLine(bare)).toBe("a.mcap");
  const full = { ...bare, world: "worlds/racecar.world.xml", seed: "7", program: "skidpad 0.9.0 (1a2b3c4)" };
  expect(inOneLine(full)).toBe("a.mcap  ·  seed 7  ·  v0.9.0 (1a2b3c4)");
});
