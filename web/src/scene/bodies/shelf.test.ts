// Files that outlast a scene.
import { expect, test } from "vitest";
import type { DrawingView } from "../../protocol/types";
import { car, scene } from "../fixture";
import { formerPaths, Shelf } from "./shelf";

function mesh(path: string): DrawingView {
  return {
    kind: "body",
    name: "",
    shape: { is: "mesh", path, format: "dae", scale: 1, clips: [], wheel_radius: null },
    pose: [0, 0, 0, 0, 0, 0],
    color: null,
    texture: null,
    is_lit: true,
    cull: "back",
    show_bounding_box: false,
  };
}

test("files keep with the vehicles that stay, whatever their numbers are now", () => {
  const before = scene({
    vehicles: [
      car({ id: 1, drawings: [mesh("api/files/0/meshes/base.dae")] }),
      car({ id: 2, drawings: [mesh("api/files/1/meshes/base.dae")] }),
    ],
  });
  const now = scene({
    vehicles: [
      car({ id: 2, drawings: [mesh("api/files/0/meshes/base.dae")] }),
      car({ id: 3, drawings: [mesh("api/files/1/meshes/base.dae")] }),
    ],
  });
  expect([...formerPaths(now, before)]).toEqual([["api/files/0/meshes/base.dae", "api/files/1/meshes/base.dae"]]);
  const other = scene({ vehicles: [car({ id: 2, drawings: [mesh("api/files/0/meshes/other.dae")] })] });
  expect(formerPaths(other, before).size).toBe(0);
});

test("what is handed on is not loaded again, and all the rest is freed", async () => {
  const freed: string[] = [];
  const [old, next] = [new Shelf<string>((file) => freed.push(file)), new Shelf<string>(() => undefined)];
  await Promise.all([old.get("0/a", async () => "a"), old.get("1/a", async () => "another a")]);
  const failed = old.get("2/b", () => Promise.reject(new Error("404")));
  await expect(failed).rejects.toThrow("404");
  next.takeOver(old, new Map([["0/a", "1/a"]]));
  old.dispose();
  expect(await next.get("0/a", async () => "loaded again")).toBe("another a");
  expect(freed).toEqual(["a"]);
});
