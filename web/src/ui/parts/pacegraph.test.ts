// The history of the real-time factor.
import { expect, test } from "vitest";
import type { Status } from "../../protocol/types";
import { Paces } from "./pacegraph";

test("pauses do not count, and old factors go", () => {
  const paces = new Paces();
  const status = (real_time_factor: number, paused = false) => ({ real_time_factor, paused, ended: false }) as Status;
  expect(paces.summary).toBeUndefined();
  paces.add(status(0.01));
  for (let i = 0; i < 180; i += 1) paces.add(status(i % 2 === 0 ? 1 : 0.5));
  paces.add(status(0, true));
  paces.add(status(0.2, true));
  expect(paces.values.length).toBe(180);
  expect(paces.summary).toEqual({ least: 0.5, mean: 0.75 });
});
