// Vehicles with models: few draw calls for many, told apart by their paint, with lamps that shine.
import { type Color, Group, InstancedMesh } from "three";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { StateLayout } from "../../protocol/layout";
import type { DrawingView } from "../../protocol/types";
import { Drawer } from "../drawing/drawer";
import { car, drawing, layoutOf, sample, scene, wheel } from "../fixture";
import { Blend } from "./blend";
import { Fleet } from "./fleet";
import { matrixOf } from "./pose";

/** A file of one triangle for each material. */
function glb(materials: string[]): ArrayBuffer {
  const json = JSON.stringify({
    asset: { version: "2.0" },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: materials.map((_, material) => ({ attributes: { POSITION: 0 }, material })) }],
    materials: materials.map((name) => ({ name, pbrMetallicRoughness: { baseColorFactor: [0.2159, 0, 0, 1] } })),
    accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: "VEC3", min: [0, 0, 0], max: [1, 1, 0] }],
    bufferViews: [{ buffer: 0, byteLength: 36 }],
    buffers: [{ byteLength: 36 }],
  });
  const text = new TextEncoder().encode(json.padEnd(4 * Math.ceil(json.length / 4)));
  const whole = new ArrayBuffer(12 + 8 + text.length + 8 + 36);
  const view = new DataView(whole);
  const words = [0x46546c67, 2, whole.byteLength, text.length, 0x4e4f534a];
  for (const [i, word] of words.entries()) view.setUint32(4 * i, word, true);
  new Uint8Array(whole, 20).set(text);
  view.setUint32(20 + text.length, 36, true);
  view.setUint32(24 + text.length, 0x004e4942, true);
  for (const [i, value] of [0, 0, 0, 1, 0, 0, 0, 1, 0].entries()) {
    view.setFloat32(28 + text.length + 4 * i, value, true);
  }
  return whole;
}

const mesh = (path: string): DrawingView =>
  drawing({
    shape: { is: "mesh", path, format: "glb", scale: 1, clips: [], wheel_radius: null },
    color: null,
    name: "",
  });

beforeEach(() => {
  vi.stubGlobal("self", globalThis);
  vi.stubGlobal("fetch", async (path: string) =>
    path === "car.glb"
      ? new Response(glb(["paint", "chrome", "brake_light", "reverse_light"]))
      : path === "wheel.glb"
        ? new Response(glb(["rubber"]))
        : new Response("", { status: 404 }),
  );
});
afterEach(() => vi.unstubAllGlobals());

/** Cars of one class, drawn, with their models there. @param meanwhile called before these are */
async function fleetOf(count: number, meanwhile?: (fleet: Fleet, layout: StateLayout) => void) {
  const wheels = [wheel(0, 1), wheel(0, -1)].map((view) => ({ ...view, drawings: [mesh("wheel.glb")] }));
  const vehicles = Array.from({ length: count }, (_, id) => car({ id, drawings: [mesh("car.glb")], wheels }));
  const view = scene({ vehicles });
  const layout = layoutOf(view);
  const parent = new Group();
  const drawer = new Drawer(
    parent,
    (path) => path,
    () => undefined,
  );
  const fleet = new Fleet(view, layout, drawer);
  const shown = () =>
    parent.children.filter(
      (child): child is InstancedMesh =>
        child instanceof InstancedMesh && child.instanceMatrix.array.some((value, i) => i < 16 * child.count && value),
    );
  const before = shown().length;
  meanwhile?.(fleet, layout);
  await vi.waitFor(() =>
    expect(shown().every(({ geometry }) => geometry.getAttribute("position").count === 3)).toBe(true),
  );
  return { fleet, layout, shown, before, drawer };
}

/** The colours of all parts that have one of their own. */
function dyes({ instanceColor, count }: InstancedMesh): string[] {
  const hex = (share: number) =>
    Math.round(255 * share)
      .toString(16)
      .padStart(2, "0");
  return Array.from({ length: instanceColor ? count : 0 }, (_, i) =>
    [0, 1, 2].map((axis) => hex(instanceColor?.array[3 * i + axis] ?? 0)).join(""),
  );
}

test("a fleet of one model is drawn by one call for each of its materials, and its paint tells vehicles apart", async () => {
  const { shown, before } = await fleetOf(25);
  expect(before).toBeGreaterThan(0);
  // Paint, chrome, rubber, and the lamps, which have one shape here.
  expect(shown()).toHaveLength(4);
  const painted = shown().filter((batch) => new Set(dyes(batch)).size === 25);
  expect(painted).toHaveLength(1);
  expect(painted[0]?.count).toBe(25);
});

test("a vehicle alone has the paint of its own colour", async () => {
  const { shown } = await fleetOf(1);
  expect(shown().flatMap(dyes)).toContain("c83c32");
});

test("brake lights shine while a vehicle brakes, and lamps in white while it goes backwards", async () => {
  const { fleet, layout, shown } = await fleetOf(2);
  const blend = new Blend();
  const speed = layout.vehicleChannel(1, "vx");
  let time = 0;
  const at = (value: number) => {
    time += 0.1;
    blend.push(sample(layout, time, { [speed]: value }), 1000 * time);
    fleet.place(blend);
    return shown()
      .flatMap(dyes)
      .filter((color) => color === "ff3322" || color === "fffbe8");
  };
  expect(at(3)).toEqual([]);
  expect(at(3)).toEqual([]);
  expect(at(2.5)).toEqual(["ff3322"]);
  expect(at(2.4)).toEqual(["ff3322"]);
  expect(at(2.39)).toEqual([]);
  expect(at(-0.3)).toEqual(["fffbe8"]);
});

test("lamps of a model that comes late shine at once", async () => {
  const { shown } = await fleetOf(1, (fleet, layout) => {
    const blend = new Blend();
    blend.push(sample(layout, 1, { [layout.vehicleChannel(0, "brake")]: 1 }), 1000);
    fleet.place(blend);
  });
  expect(shown().flatMap(dyes)).toContain("ff3322");
});

test("parts that are not a vehicle's have the colours of the file", async () => {
  const { drawer, shown, fleet } = await fleetOf(1);
  const count = shown().length;
  const [vehicle] = fleet.vehicles;
  if (!vehicle) throw new Error("no vehicle");
  await drawer.draw(mesh("car.glb"), vehicle.body, matrixOf([0, 0, 0, 0, 0, 0]));
  const materials = shown().map(({ material }) => (material as unknown as { color: Color }).color.getHexString());
  expect(shown()).toHaveLength(count + 3);
  expect(materials.filter((color) => color === "800000").length).toBeGreaterThan(3);
});

test("a wheel moves on the body as its spring does", async () => {
  const { fleet, layout } = await fleetOf(1);
  const blend = new Blend();
  blend.push(sample(layout, 0, { [layout.wheelChannel(0, 1, "travel")]: -0.05 }), 0);
  fleet.place(blend);
  expect(fleet.vehicles[0]?.wheels.map(({ body }) => body.matrix.elements[14])).toEqual([0.3, 0.25]);
});
