// Links to a view.
import { expect, test } from "vitest";
import type { Lookout } from "../scene/view3d";
import { fragmentOf, viewOf } from "./link";

test("a link says what it was made of", () => {
  const lookout: Lookout = { mode: "orbit", target: [1.25, -3, 0.5], distance: 12.5, azimuth: -2.1, elevation: 0.7 };
  const fragment = fragmentOf({
    lookout,
    vehicle: "car & co #1",
    show: ["names"],
    hide: ["paths", "points"],
    time: 12.5,
  });
  expect(fragment).not.toContain("#");
  const view = viewOf(`#${fragment}`);
  expect(view).toMatchObject({ vehicle: "car & co #1", show: ["names"], hide: ["points", "paths"], time: 12.5 });
  expect(view.lookout?.target).toEqual([1.25, -3, 0.5]);
  expect(view.lookout?.distance).toBe(12.5);
  expect(view.lookout?.azimuth).toBeCloseTo(-2.1, 3);
  expect(view.lookout?.elevation).toBeCloseTo(0.7, 3);
});

test("without a view there is no fragment, and nothing is asked for", () => {
  expect(fragmentOf({})).toBe("");
  expect(viewOf("")).toEqual({});
  expect(viewOf("#token=1f")).toEqual({});
});

test("what makes no sense is left out", () => {
  expect(viewOf("#camera=sideways&at=1+2+3")).toEqual({});
  expect(viewOf("#camera=top&at=1")).toEqual({});
  expect(viewOf("#camera=top&at=1+x")).toEqual({});
  expect(viewOf("#camera=top&at=1+1e99")).toEqual({});
  expect(viewOf("#time=soon&show=everything")).toEqual({});
  expect(viewOf("#camera=top&at=1+2&distance=NaN&azimuth=").lookout).toMatchObject({ distance: 20, target: [1, 2, 0] });
});
