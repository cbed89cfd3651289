// How ghosts look.
import { expect, test } from "vitest";
import { car, drawing } from "../fixture";
import { ghostly } from "./ghosts";

test("a ghost has the shapes of its vehicle, translucent and in no colour of its own", () => {
  const painted = drawing({ color: [200, 0, 0, 255], texture: { path: "api/files/0/a.png" } });
  if (painted.shape.is === "triangles") painted.shape.colors = "AAAA";
  const view = car({ drawings: [painted, drawing({ color: null, name: "mast" })] });
  const drawn = ghostly(view);
  expect(drawn.outline).toEqual(view.outline);
  expect(drawn.drawings.map(({ name }) => name)).toEqual(["", "mast"]);
  const colors = [drawn.color, ...drawn.drawings.map(({ color }) => color), ...drawn.wheels.map(({ color }) => color)];
  for (const [red = 0, green = 0, blue = 0, alpha = 255] of colors as number[][]) {
    expect(alpha).toBeLessThan(128);
    expect(Math.max(red, green, blue) - Math.min(red, green, blue)).toBeLessThan(30);
  }
  expect(drawn.drawings[0]?.texture).toBeNull();
  expect(drawn.drawings[0]?.shape).toMatchObject({ is: "triangles", colors: "" });
  expect(view.drawings[0]?.color).toEqual([200, 0, 0, 255]);
});
