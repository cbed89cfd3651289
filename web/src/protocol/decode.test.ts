// Messages that src/view/fixtures.rs wrote, decoded.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  CLOUD,
  COMPACT_SCAN,
  decodeCloud,
  decodeCompactScan,
  decodeJson,
  decodePicture,
  decodeReading,
  decodeScan,
  decodeScene,
  PICTURE,
  READING,
  SCAN,
  STATE,
  StateDecoder,
} from "./decode";
import { StateLayout } from "./layout";
import type { Layout, SceneView } from "./types";

const bytes = (name: string): DataView => {
  const file = readFileSync(new URL(`./fixtures/${name}`, import.meta.url));
  return new DataView(file.buffer, file.byteOffset, file.byteLength);
};
const json = <T>(name: string): T => JSON.parse(readFileSync(new URL(`./fixtures/${name}`, import.meta.url), "utf8"));

const layout = new StateLayout(json<Layout>("layout.json"), json<SceneView>("scene.json"));
const expected = json<{ time: number; values: number[] }[]>("states.json");
const FAR = 2 ** 48;

it("a scene has its shared texts where they belong", () => {
  const drawn = (corners: string, colors: string) => ({
    drawings: [{ shape: { is: "triangles", corners, colors, on_picture: "" } }, { shape: { is: "line", points: "#" } }],
  });
  const scene = (of: (text: string) => string) => ({
    vehicles: [{ ...drawn(of("YQ=="), ""), wheels: [drawn(of("YQ=="), of("Yg=="))] }],
    blocks: [drawn(of("YQ=="), "")],
    planes: [drawn("Yw==", "")],
    actors: [],
    fixed: drawn(of("YQ=="), of("Yg==")).drawings,
  });
  const shared = ["YQ==", "Yg=="];
  const short = { ...scene((text) => `#${shared.indexOf(text)}`), shared };
  const read = (document: unknown) =>
    decodeScene(new DataView(new TextEncoder().encode(` ${JSON.stringify(document)}`).buffer));
  expect(read(short)).toEqual(scene((text) => text));
  expect(read(scene((text) => text))).toEqual(scene((text) => text));
});

describe("states", () => {
  it("are what the simulation had, key and differences", () => {
    const decoder = new StateDecoder(layout, 7);
    for (const [instant, wanted] of expected.entries()) {
      const message = bytes(`state${instant}.bin`);
      expect(message.getUint8(0)).toBe(STATE);
      const sample = decoder.decode(message);
      expect(sample?.time).toBeCloseTo(wanted.time, 9);
      expect(sample?.revision).toBe(7);
      expect(sample?.values.length).toBe(wanted.values.length);
      for (const [index, value] of wanted.values.entries()) {
        expect(sample?.values[index]).toBeCloseTo(value, 9);
      }
    }
  });

  it("are found by name", () => {
    const decoder = new StateDecoder(layout, 7);
    const values = decoder.decode(bytes("state0.bin"))?.values ?? new Float64Array();
    expect(values.length).toBe(layout.size);
    const of = (vehicle: number, name: string) => values[layout.vehicleChannel(vehicle, name)];
    expect(of(0, "x")).toBe(4_000_000);
    expect(of(0, "vx")).toBeCloseTo(2.5, 9);
    expect(of(0, "driver")).toBe(2);
    expect(of(0, "tracking_error")).toBeCloseTo(0.5, 9);
    expect(of(1, "x")).toBe(-3);
    expect(of(1, "driver")).toBe(0);
    expect(values[layout.wheelChannel(0, 1, "force_y")]).toBeCloseTo(91.2, 9);
    expect(values[layout.wheelChannel(0, 0, "spin_angle")]).toBeCloseTo(101 % (2 * Math.PI), 2);
    expect(values[layout.block(0)]).toBe(1);
    expect(values[layout.plane(0)]).toBe(0);
    expect(Array.from(values.subarray(layout.actor(0), layout.actor(0) + 2))).toEqual([2, -2]);
    expect(values[layout.actor(0) + 6]).toBe(2);
  });

  it("are exact as far as counts reach", () => {
    const decoder = new StateDecoder(layout, 7);
    for (let instant = 0; instant < expected.length; instant += 1) decoder.decode(bytes(`state${instant}.bin`));
    const counts = (name: string) =>
      Array.from(decoder.decode(bytes(name))?.values ?? []).map((value, i) => value / (layout.resolutions[i] ?? 1));
    expect(counts("state_far.bin").every((count) => Math.abs(count - FAR) <= 1e-15 * FAR)).toBe(true);
    expect(counts("state_near.bin").every((count) => Math.abs(count + FAR) <= 1e-15 * FAR)).toBe(true);
  });

  it("have all numbers of one vehicle where the page asks for no more, and what is seen of the others", () => {
    const decoder = new StateDecoder(layout, 7);
    let before: Float64Array = new Float64Array(0);
    for (let instant = 0; instant < expected.length; instant += 1) {
      const sample = decoder.decode(bytes(`state${instant}.bin`));
      expect(sample?.only).toBeUndefined();
      before = sample?.values ?? before;
    }
    const sample = decoder.decode(bytes("state_partial.bin"));
    expect(sample?.only).toBe(1);
    const hasChanged = (at: number) => sample?.values[at] !== before[at];
    expect(hasChanged(layout.vehicleChannel(0, "x"))).toBe(true);
    expect(hasChanged(layout.wheelChannel(0, 1, "spin_angle"))).toBe(true);
    expect(hasChanged(layout.wheelChannel(0, 1, "torque")), "it grows").toBe(false);
    expect(hasChanged(layout.block(0))).toBe(true);
  });

  it("of another scene are left alone", () => {
    expect(new StateDecoder(layout, 8).decode(bytes("state0.bin"))).toBeUndefined();
  });
});

describe("a scan", () => {
  it("has its beams, its sensor and where that was", () => {
    const message = bytes("scan.bin");
    expect(message.getUint8(0)).toBe(SCAN);
    const scan = decodeScan(message);
    expect(scan.time).toBeCloseTo(1234.567891, 9);
    expect([scan.revision, scan.vehicle, scan.sensor, scan.stride]).toEqual([7, 1, 2, 2]);
    expect(Array.from(scan.pose)).toEqual([1.5, -2.25, 0.5, 3, -0.125, 0]);
    expect(scan.ranges.length).toBe(4);
    expect(scan.ranges[0]).toBeCloseTo(0.5, 3);
    expect(scan.ranges[1]).toBeCloseTo(10, 3);
    expect(scan.ranges[2]).toBeNaN();
    expect(scan.ranges[3]).toBeNaN();
  });
});

describe("a compact scan", () => {
  it("has its beams to two millimetres", () => {
    const message = bytes("scan_compact.bin");
    expect(message.getUint8(0)).toBe(COMPACT_SCAN);
    const scan = decodeCompactScan(message, layout.layout.pose);
    expect(scan.time).toBeCloseTo(1234.567891, 9);
    expect([scan.revision, scan.vehicle, scan.sensor, scan.stride]).toEqual([7, 1, 2, 1]);
    expect(Array.from(scan.pose)).toEqual([1.5, -2.25, 0.5, 3, -0.125, 0]);
    expect(Array.from(scan.ranges)).toEqual([0.5, 1, 10, Number.NaN, Number.NaN, Number.NaN, Number.NaN]);
  });
});

describe("JSON", () => {
  it("stands behind the first byte", () => {
    const text = new TextEncoder().encode('\u0005{"time":1.5,"name":"größe"}');
    expect(decodeJson(new DataView(text.buffer))).toEqual({ time: 1.5, name: "größe" });
  });
});

describe("clouds, pictures and readings", () => {
  const topic = { revision: 7, vehicle: 1, sensor: 2, topic: 3 };

  it("are points where they were measured, with what they say", () => {
    const message = bytes("cloud.bin");
    expect(message.getUint8(0)).toBe(CLOUD);
    const cloud = decodeCloud(message);
    expect(cloud).toMatchObject({ ...topic, tint: 1, extent: 20 });
    expect(cloud.time).toBeCloseTo(1234.567891, 9);
    expect([...cloud.pose]).toEqual([1.5, -2.25, 0.5, 3, -0.125, 0]);
    const metres = [...cloud.points].map((value) => Number(((value * cloud.extent) / 32767).toFixed(3)));
    expect(metres).toEqual([20, -10, 0, 0, 5, -20, 1, 2, 3]);
    expect([...cloud.tints]).toEqual([255, 0, 128, 7, 1, 15]);
    expect([...(cloud.labels ?? [])]).toEqual([0x00010003, 0x02010004, 0]);
  });

  it("are JPEGs, and the depth of black", () => {
    const message = bytes("picture.bin");
    expect(message.getUint8(0)).toBe(PICTURE);
    const picture = decodePicture(message);
    expect(picture).toMatchObject({ ...topic, black: 5 });
    expect([...picture.jpeg.subarray(0, 3), ...picture.jpeg.subarray(-2)]).toEqual([0xff, 0xd8, 0xff, 0xff, 0xd9]);
  });

  it("are numbers with their units, and the pose that was measured", () => {
    const message = bytes("reading.bin");
    expect(message.getUint8(0)).toBe(READING);
    const reading = decodeReading(message);
    expect(reading).toMatchObject({ ...topic, pose: [1.5, -2.25, 0.5, 3, -0.125, 0] });
    expect(reading.values).toEqual([
      { name: "x", unit: "m", value: 1.5, digits: 4 },
      { name: "größe", unit: "", value: null, digits: 4 },
    ]);
  });
});
