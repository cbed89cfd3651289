// Switching between cameras.
import { Box3, Vector3 } from "three";
import { beforeAll, expect, test, vi } from "vitest";
import { car, scene } from "../fixture";
import { CameraRig } from "./camera";
import { cornersOf, homeView } from "./framing";

beforeAll(() => {
  // The camera's goal, reached at once.
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
});

const SIZE = { x: 1280, y: 674 };
const INSET = { left: 246, right: 362, top: 0, bottom: 52 };
/** A hall, longer in depth than the picture is high. */
const HALL = new Box3(new Vector3(-6, -9, 0), new Vector3(6, 9, 0.5));

function rig(): CameraRig {
  const made = new CameraRig();
  made.configure(scene().gui);
  made.resize(SIZE.x, SIZE.y);
  made.cover(INSET);
  return made;
}

function isFree(made: CameraRig, point: Vector3): boolean {
  const { x, y, isBefore } = made.project(point);
  const [right, bottom] = [SIZE.x - INSET.right, SIZE.y - INSET.bottom];
  return isBefore && x >= INSET.left && x <= right && y >= INSET.top && y <= bottom;
}

/** Where a camera around a point shows all of the hall. */
function home(made: CameraRig): void {
  const [width, height] = [SIZE.x - INSET.left - INSET.right, SIZE.y - INSET.top - INSET.bottom];
  const view = homeView(scene({ vehicles: [car()] }), HALL, new Box3(), width / height);
  view.distance *= SIZE.y / height;
  made.show(view, true);
  made.advance(16);
}

test("from the top nothing is cut that orbit showed", () => {
  const made = rig();
  home(made);
  const corners = cornersOf(HALL);
  expect(corners.every((corner) => isFree(made, corner))).toBe(true);
  made.setMode("top", corners);
  made.advance(16);
  expect(corners.map((corner) => isFree(made, corner))).toEqual(corners.map(() => true));
});

test("what orbit did not show does not make the picture from the top smaller", () => {
  const made = rig();
  home(made);
  const { distance } = made;
  const away = [new Vector3(300, 0, 0), new Vector3(0, -40, 0)];
  made.setMode("top", away);
  made.advance(16);
  expect(made.distance).toBe(distance);
});

test("back in orbit the camera is where it was, but for what was moved from the top", () => {
  const made = rig();
  home(made);
  const [distance, azimuth, target] = [made.distance, made.azimuth, made.target.clone()];
  made.setMode("top", cornersOf(HALL));
  made.advance(16);
  made.setMode("orbit");
  made.advance(16);
  expect([made.distance, made.azimuth]).toEqual([distance, azimuth]);
  expect(made.target.distanceTo(target)).toBeLessThan(1e-9);
  made.setMode("top", cornersOf(HALL));
  made.zoom(0.5);
  made.pan(100, 0);
  made.advance(16);
  const targetBefore = made.target.clone();
  made.setMode("orbit");
  made.advance(16);
  expect(made.azimuth).toBe(azimuth);
  expect(made.distance).toBeLessThan(distance);
  expect(made.target.distanceTo(targetBefore)).toBeLessThan(1e-9);
});

test("the camera is aimed once it has come to where it goes", () => {
  const made = rig();
  home(made);
  made.advance(16);
  expect(made.isAimed).toBe(true);
  made.zoom(0.5);
  expect(made.isAimed).toBe(false);
  made.advance(16);
  expect(made.isAimed).toBe(true);
});
