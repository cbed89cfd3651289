// Links to a view.
import { expect, test } from "vitest";
import type { Lookout } from "../../scene/view3d";
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
  expect(viewOf("#camera=sideways&at=1+x+3")).toEqual({});
  expect(viewOf("#camera=sideways&at=1+2+3")).toEqual({ lookout: { target: [1, 2, 3] } });
  for (const at of ["1", "1+x", "1+1e99"]) expect(viewOf(`#camera=top&at=${at}`)).toEqual({ lookout: { mode: "top" } });
  expect(viewOf("#time=soon&show=everything")).toEqual({});
  expect(viewOf("#camera=top&at=1+2&distance=NaN&azimuth=").lookout).toEqual({ mode: "top", target: [1, 2, 0] });
});

test("parts stand alone, and the others stay as they are", () => {
  expect(viewOf("#camera=follow&distance=1")).toEqual({ lookout: { mode: "follow", distance: 1 } });
  expect(viewOf("#elevation=90").lookout?.elevation).toBeCloseTo(Math.PI / 2, 9);
  expect(viewOf("#distance=-3")).toEqual({ lookout: { distance: 0.1 } });
});
