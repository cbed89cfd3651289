// Camera poses that show given points.
import { Box3, Vector3 } from "three";
import type { GuiView, SceneView } from "../../protocol/types";
import { matrixOf } from "../bodies/pose";

/** A camera by its target: it is `distance` away from it, in the direction of azimuth and elevation. */
export interface View {
  target: Vector3;
  /** [m] */
  distance: number;
  /** Direction to the camera [rad], counter-clockwise from the x axis of the world. */
  azimuth: number;
  /** Its elevation above the ground plane [rad]. */
  elevation: number;
}

/** From behind and the right, as one looks at a model on a table. */
const AZIMUTH = (-120 * Math.PI) / 180;
const ELEVATION = (42 * Math.PI) / 180;
/** Margin around the content of the picture. */
const MARGIN = 1.06;
/** Vehicles smaller than this share of the picture are invisible: then only their surroundings are shown. */
const MIN_SHARE = 1 / 110;
/** The same for the first picture of a world, in which one sees what the vehicles look like. */
const FIRST_SMALLEST = 1 / 14;
/** Where that picture does not show all of a world: how much of the surroundings it shows, in lengths of the vehicles. */
const FIRST_ROOM = 10;
/** Vehicles that are so many lengths apart, on a square full of them, are not shown in one picture at first. */
const SCATTERED = 25;
/** It shows all, too, where the camera is at most so many times as far away then. */
const SLIGHTLY = 1.4;

/** The camera's target and distance at which some points fill the picture. */
export function fitted(
  points: readonly Vector3[],
  fieldOfView: number,
  aspect: number,
  azimuth: number,
  elevation: number,
): View {
  const middle = new Box3().setFromPoints([...points]).getCenter(new Vector3());
  const back = directionOf(azimuth, elevation);
  const right = new Vector3(-Math.sin(azimuth), Math.cos(azimuth), 0);
  const up = new Vector3().crossVectors(back, right);
  const slope = Math.tan(0.5 * fieldOfView);
  const across = reachAlong(points, middle, right, back, slope * aspect);
  const upright = reachAlong(points, middle, up, back, slope);
  const needed = Math.max(
    (across.most + across.least) / (2 * slope * aspect),
    (upright.most + upright.least) / (2 * slope),
    0.5,
  );
  const target = middle
    .clone()
    .addScaledVector(right, shiftOf(across, slope * aspect * needed))
    .addScaledVector(up, shiftOf(upright, slope * needed));
  let distance = MARGIN * needed;
  // The target is at the height of the scene, so that the camera orbits around it.
  const rise = (target.z - middle.z) / Math.max(back.z, 0.1);
  if (distance + rise > 0.3 * distance) {
    target.addScaledVector(back, -rise);
    distance += rise;
  }
  return { target, distance, azimuth, elevation };
}

/**
 * The view from above instead of another one: as near and over the same place, unless some points would not be in the picture.
 * @param slope half the height of the picture per distance
 * @param isAll whether those are the whole world: then they are in the middle, and fill the picture
 */
export function raised(view: View, points: readonly Vector3[], slope: number, aspect: number, isAll = false): View {
  const raised = { ...view, target: view.target.clone() };
  if (points.length === 0) return raised;
  const { min, max } = new Box3().setFromPoints([...points]);
  const needed = (0.5 * MARGIN * Math.max(max.y - min.y, (max.x - min.x) / aspect)) / slope;
  if (isAll && needed > 0) {
    raised.distance = needed;
    raised.target.set(0.5 * (min.x + max.x), 0.5 * (min.y + max.y), view.target.z);
    return raised;
  }
  raised.distance = Math.max(view.distance, needed);
  const upright = (slope * raised.distance) / MARGIN;
  const near = (value: number, least: number, most: number, half: number) =>
    Math.min(Math.max(value, most - half), least + half);
  raised.target.x = near(view.target.x, min.x, max.x, upright * aspect);
  raised.target.y = near(view.target.y, min.y, max.y, upright);
  return raised;
}

/**
 * How far from the middle a camera looks so that all points are between two planes: not at all where there is room, so that what is in the
 * middle of the world is in the middle of the picture, which perspective would have above.
 * @param half of their distance at the middle [m]
 */
function shiftOf({ most, least }: Reach, half: number): number {
  return Math.min(Math.max(0, most - half), half - least);
}

/** How far points reach on both sides of a middle, at its distance from the camera [m]. */
interface Reach {
  most: number;
  least: number;
}

/** How far points reach to both sides, for planes of this slope. */
function reachAlong(points: readonly Vector3[], middle: Vector3, along: Vector3, back: Vector3, slope: number): Reach {
  let [most, least] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const offset = new Vector3();
  for (const point of points) {
    offset.subVectors(point, middle);
    const [place, near] = [offset.dot(along), slope * offset.dot(back)];
    most = Math.max(most, near + place);
    least = Math.max(least, near - place);
  }
  return { most, least };
}

/** The corners of a box. */
export function cornersOf({ min, max }: Box3): Vector3[] {
  return Array.from(
    { length: 8 },
    (_, i) => new Vector3(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z),
  );
}

/** Unit vector from the target to the camera. */
export function directionOf(azimuth: number, elevation: number): Vector3 {
  const flat = Math.cos(elevation);
  return new Vector3(flat * Math.cos(azimuth), flat * Math.sin(azimuth), Math.sin(elevation));
}

/**
 * The camera of the world file, or else one that shows everything recognizable.
 * @param isFirst whether nothing has been seen of the world yet: then vehicles are seen from near
 */
export function homeView(
  scene: SceneView,
  extent: Box3,
  vehicles: Box3,
  aspect: number,
  points: readonly Vector3[] = [],
  isFirst = false,
): View {
  const { gui } = scene;
  if (gui.has_camera) {
    return {
      target: new Vector3(...gui.camera_target),
      distance: Math.max(gui.camera_distance, 0.1),
      azimuth: gui.camera_azimuth,
      elevation: gui.camera_elevation,
    };
  }
  const { box, isAll } = framed(scene, extent, vehicles, isFirst ? FIRST_SMALLEST : MIN_SHARE);
  const fieldOfView = gui.field_of_view || 1;
  if (isFirst && !isAll) {
    const closest = near(scene, vehicles, fieldOfView, aspect);
    const all = homeView(scene, extent, vehicles, aspect, points);
    return all.distance < SLIGHTLY * closest.distance ? all : closest;
  }
  // The corners of a box may lie where there is nothing.
  const inside = points.filter((point) => box.containsPoint(point));
  const shown = inside.length > 3 ? [...inside, ...cornersOf(around(scene, vehicles))] : cornersOf(box);
  return fitted(shown, fieldOfView, aspect, AZIMUTH, ELEVATION);
}

/** The vehicles in the middle, with the nearest of their surroundings. */
function near(scene: SceneView, vehicles: Box3, fieldOfView: number, aspect: number): View {
  const view = fitted(cornersOf(around(scene, vehicles)), fieldOfView, aspect, AZIMUTH, ELEVATION);
  const room = FIRST_ROOM * Math.max(...scene.vehicles.map(lengthOf));
  const distance = room / (2 * Math.tan(0.5 * fieldOfView) * Math.min(aspect, 1));
  if (distance <= view.distance) return view;
  return { ...view, distance, target: vehicles.getCenter(new Vector3()) };
}

/**
 * All, or the surroundings of the vehicles where they would be too small to see.
 * @param smallest share of the picture that vehicles take at least
 */
function framed(scene: SceneView, extent: Box3, vehicles: Box3, smallest: number): { box: Box3; isAll: boolean } {
  if (vehicles.isEmpty()) {
    const box = extent.isEmpty() ? new Box3(new Vector3(-5, -5, 0), new Vector3(5, 5, 1)) : extent;
    return { box, isAll: true };
  }
  const length = Math.max(...scene.vehicles.map(lengthOf), 0.1);
  const most = length / smallest;
  const all = extent.clone().union(around(scene, vehicles));
  const size = all.getSize(new Vector3());
  if (Math.max(size.x, size.y) <= most) return { box: all, isAll: true };
  // Of what is too large, the part around the vehicles.
  const room = new Vector3(0.3 * most, 0.3 * most, 0);
  const near = new Box3(vehicles.min.clone().sub(room), vehicles.max.clone().add(room));
  near.min.x = Math.max(near.min.x, all.min.x);
  near.min.y = Math.max(near.min.y, all.min.y);
  near.max.x = Math.min(near.max.x, all.max.x);
  near.max.y = Math.min(near.max.y, all.max.y);
  return { box: near, isAll: false };
}

/** Whether vehicles are too far apart for a picture of all of them to show what they are. */
export function isScattered(scene: SceneView, vehicles: Box3): boolean {
  if (scene.vehicles.length < 2 || vehicles.isEmpty()) return false;
  const { x, y } = vehicles.getSize(new Vector3());
  return Math.max(x, y) > SCATTERED * Math.sqrt(scene.vehicles.length) * Math.max(...scene.vehicles.map(lengthOf));
}

/** The vehicles with room around them; nothing where there are none. */
function around(scene: SceneView, vehicles: Box3): Box3 {
  if (vehicles.isEmpty()) return new Box3(new Vector3(), new Vector3());
  const length = Math.max(...scene.vehicles.map(lengthOf), 0.1);
  return vehicles.clone().expandByVector(new Vector3(length, length, 0));
}

/** Length of a vehicle [m]. */
export function lengthOf(vehicle: { outline: readonly (readonly number[])[] }): number {
  const xs = vehicle.outline.map(([x = 0]) => x);
  const ys = vehicle.outline.map(([, y = 0]) => y);
  if (xs.length === 0) return 1;
  return Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys), 0.1);
}

/** Adds the outline of a body at a pose. */
export function addOutline(
  box: Box3,
  pose: readonly number[],
  outline: readonly (readonly number[])[],
  z: readonly number[],
): void {
  const matrix = matrixOf(pose);
  for (const [x = 0, y = 0] of outline) {
    for (const height of z) box.expandByPoint(new Vector3(x, y, height).applyMatrix4(matrix));
  }
}

/** Nearest and farthest distance drawn, such that depths can be told apart at any zoom [m]. */
export function clipOf(gui: GuiView, distance: number): [number, number] {
  const [near, far] = gui.clip;
  const farthest = Math.max(far > near && far > 0 ? far : 1e4, 4 * distance);
  return [Math.min(Math.max(near, 0.01, 0.02 * distance, farthest * 1e-6), 0.3 * distance), farthest];
}
