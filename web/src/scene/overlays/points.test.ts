// Points, paths and arrows: buffers that are filled again and again.
import { expect, test } from "vitest";
import { gridLines } from "../drawing/still";
import { themeOf } from "../drawing/theme";
import { car, scene } from "../fixture";
import { arrowParts, forceScale } from "./forces";
import { Scans } from "./scans";
import { Trails } from "./trails";

function scan(ranges: number[], changes: object = {}) {
  const pose = Float32Array.of(10, 20, 1, Math.PI / 2, 0, 0);
  return {
    time: 0,
    revision: 1,
    vehicle: 0,
    sensor: 0,
    pose,
    stride: 1,
    ranges: Float32Array.from(ranges),
    ...changes,
  };
}

test("points lie where they were measured, and beams without a range give none", () => {
  const scans = new Scans(scene({ vehicles: [car()] }), 3);
  // Beams are 1° apart, the first straight ahead, which is along y.
  expect(scans.push(scan([2, Number.NaN, 3], { stride: 45 }))).toBe(true);
  const at = (i: number) => [...scans.positions.slice(3 * i, 3 * i + 3)];
  expect(at(0).map((v) => Number(v.toFixed(4)))).toEqual([10, 22, 1]);
  expect(at(1).map((v) => Number(v.toFixed(4)))).toEqual([7, 20, 1]);
  expect(at(2)[0]).toBeGreaterThan(1e8);
});

test("a scan takes the place of the one before, and of no other sensor", () => {
  const scans = new Scans(scene({ vehicles: [car(), car({ id: 2 })] }), 3);
  scans.push(scan([1, 1, 1], { vehicle: 1 }));
  scans.push(scan([2, 2, 2]));
  scans.push(scan([3]));
  const y = (i: number) => scans.positions[3 * i + 1];
  expect([y(0), (y(1) ?? 0) > 1e8, y(360)]).toEqual([23, true, 21]);
  expect(scans.push(scan([1], { vehicle: 7 }))).toBe(false);
});

test("what is drawn are the points that are there, of all vehicles or of one", () => {
  const scans = new Scans(scene({ vehicles: [car(), car({ id: 2 })] }), 3);
  const drawn = () => {
    scans.list();
    const { drawRange, index } = scans.object.geometry;
    return [...(index?.array.slice(drawRange.start, drawRange.start + drawRange.count) ?? [])];
  };
  expect(drawn()).toEqual([]);
  scans.push(scan([2, Number.NaN, 3]));
  scans.push(scan([1], { vehicle: 1 }));
  expect(drawn()).toEqual([0, 1, 360]);
  scans.only(1);
  expect(drawn()).toEqual([360]);
  scans.only(undefined);
  scans.push(scan([2]));
  expect(drawn()).toEqual([0, 360]);
  scans.clear();
  expect(drawn()).toEqual([]);
});

test("paths grow by steps, keep to their buffer, and begin anew after jumps", () => {
  const trails = new Trails([1, 1], 4, themeOf(true));
  expect(trails.add(0, 0, 0, 0)).toBe(false);
  expect(trails.add(0, 0.5, 0, 0)).toBe(false);
  for (let x = 1; x <= 6; x += 1) expect(trails.add(0, x, 0, 0)).toBe(true);
  expect(trails.lines.count).toBe(4);
  // The oldest two are overwritten: those from 4 and 5.
  expect([...trails.lines.ends(0)]).toEqual([4, 0, 0, 5, 0, 0]);
  trails.add(1, 0, 5, 0);
  trails.add(1, 0, 7, 0);
  trails.restart(0);
  expect([...trails.lines.ends(2)]).toEqual([0, 5, 0, 0, 7, 0]);
  expect(trails.lines.ends(0)[2]).toBeLessThan(-1e5);
  expect(trails.add(0, 90, 0, 0)).toBe(false);
  trails.clear();
  expect(trails.lines.count).toBe(0);
});

test("paths of vehicles that stay go on in the next scene, under their new index", () => {
  const old = new Trails([1, 1], 4, themeOf(true));
  for (let x = 0; x <= 3; x += 1) {
    old.add(0, 0, x, 0);
    old.add(1, x, 0, 0);
  }
  const next = new Trails([1], 4, themeOf(true));
  next.takeOver(old, new Map([[0, 1]]));
  // Six segments went into four places: two of each vehicle are left.
  expect(next.lines.count).toBe(2);
  expect([0, 1].map((i) => next.lines.ends(i)[0])).toEqual([1, 2]);
  expect(next.add(0, 4, 0, 0)).toBe(true);
  expect([...next.lines.ends(2)]).toEqual([3, 0, 0, 4, 0, 0]);
  next.interrupt();
  expect([next.add(0, 50, 0, 0), next.add(0, 51, 0, 0), next.lines.count]).toEqual([false, true, 4]);
});

test("arrows are as long as their force, and none where there is none", () => {
  const { shaft, head } = arrowParts(2, 0.1);
  expect(shaft + head).toBeCloseTo(2, 9);
  expect(head).toBeCloseTo(0.3, 9);
  const short = arrowParts(0.1, 0.1);
  expect(short.shaft + short.head).toBeCloseTo(0.1, 9);
  expect(arrowParts(0.01, 0.1)).toEqual({ shaft: 0, head: 0 });
});

test("the scale of forces is that of a world that shows them, or else the vehicle's", () => {
  expect(forceScale({ show_forces: true, force_scale: 0.02 }, car())).toBe(0.02);
  expect(forceScale({ show_forces: false, force_scale: 0.01 }, car())).toBe(0.0005);
});

test("grids have their lines", () => {
  expect(gridLines([-1, 1], 0.5)).toEqual([-1, -0.5, 0, 0.5, 1]);
  expect(gridLines([0, 1e6], 1).length).toBeLessThanOrEqual(2001);
});
