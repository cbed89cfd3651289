// The drawn content of one scene document.
import { Box3, type BufferGeometry, Group, type Points, type Ray, type ShaderMaterial, Vector3 } from "three";
import type { CloudMessage, ReadingMessage, ScanMessage } from "../protocol/decode";
import type { StateLayout } from "../protocol/layout";
import type { BodyView, CloudView, MapView, SceneView } from "../protocol/types";
import { Rigid } from "./bodies/batch";
import type { Blend, Step } from "./bodies/blend";
import { calmed } from "./bodies/colors";
import { Fleet } from "./bodies/fleet";
import { heightOf, Movers } from "./bodies/movers";
import type { Parts } from "./bodies/parts";
import { matrixOf } from "./bodies/pose";
import { formerPaths } from "./bodies/shelf";
import { addOutline, cornersOf, lengthOf } from "./camera/framing";
import { Drawer } from "./drawing/drawer";
import { cloudObject, Grid } from "./drawing/still";
import type { Theme } from "./drawing/theme";
import { ContactShadows } from "./environment/contact";
import type { Footing } from "./environment/floors";
import { GroundMap } from "./environment/maps";
import { Frames } from "./frames";
import type { Pickable } from "./input/picking";
import { Clouds } from "./overlays/clouds";
import { Forces } from "./overlays/forces";
import { Joints, References } from "./overlays/links";
import { Measured } from "./overlays/measured";
import { Scans } from "./overlays/scans";
import { Trails } from "./overlays/trails";

/** Segments of all paths together. */
const MAX_SEGMENTS = 12_000;
const MAX_SEGMENTS_OF_SOFTWARE = 6_000;
const SEGMENTS_EACH = 1500;
const POINT_SIZE = 3;
const CLOUD_POINT_SIZE = 2;
/** Corners of one drawing that are looked at to see how far it reaches. */
const MAX_POINTS = 300;
/** Room that a person takes [m]. */
const PERSON = [
  [-1, -1],
  [1, 1],
];

/** Whether a plane lies at the height of the ground, 0. */
function liesOnGround(view: BodyView): boolean {
  return Math.abs(heightOf(view)) < 0.001;
}

/** The things of a scene, and how they change. */
export class Content {
  readonly root = new Group();
  readonly drawer: Drawer;
  readonly fleet: Fleet;
  readonly movers: Movers;
  readonly scans: Scans;
  readonly clouds = new Clouds(CLOUD_POINT_SIZE);
  readonly contacts: ContactShadows;
  readonly forces: Forces;
  readonly trails: Trails;
  readonly references: References;
  readonly frames: Frames;
  readonly measured: Measured;
  readonly pickables: Pickable[];
  /** Box around everything, and around the vehicles, as the document has them at first. */
  readonly extent = new Box3();
  /** Points of the actual content: a box may have corners where there is nothing. */
  readonly points: Vector3[] = [];
  readonly vehicles = new Box3();
  private readonly joints: Joints;
  private readonly grids: Grid[];
  private readonly maps: GroundMap[];
  private readonly fixedClouds: Points<BufferGeometry, ShaderMaterial>[] = [];

  /** @param before the previous scene of the same run, whose unchanged parts are reused */
  constructor(
    readonly scene: SceneView,
    private readonly layout: StateLayout,
    url: (path: string) => string,
    theme: Theme,
    hasProcessor: boolean,
    changed: () => void,
    parts: Parts,
    before: Content | undefined,
  ) {
    this.root.matrixAutoUpdate = false;
    this.drawer = new Drawer(this.root, url, changed, hasProcessor, parts);
    if (before) this.drawer.takeOver(before.drawer, formerPaths(scene, before.scene));
    this.drawFixed();
    this.fleet = new Fleet(scene, layout, this.drawer);
    this.movers = new Movers(scene, layout, this.drawer);
    this.contacts = new ContactShadows(this.fleet, this.movers, this.root);
    this.scans = new Scans(scene, POINT_SIZE);
    this.forces = new Forces(this.root, this.fleet, layout, scene.gui);
    const steps = scene.vehicles.map((vehicle) => Math.max(0.12 * lengthOf(vehicle), 0.02));
    const capacity = Math.min(
      SEGMENTS_EACH * Math.max(steps.length, 1),
      hasProcessor ? MAX_SEGMENTS : MAX_SEGMENTS_OF_SOFTWARE,
    );
    const ghosts = new Set(scene.vehicles.flatMap(({ ghost }, i) => (ghost ? [i] : [])));
    this.trails = new Trails(steps, capacity, theme, ghosts);
    if (before) this.trails.takeOver(before.trails, this.formerIndices(before.scene));
    this.joints = new Joints(scene, this.fleet, this.movers, this.root, theme);
    this.frames = new Frames(layout, this.root);
    this.measured = new Measured(scene, scene.vehicles.map(lengthOf), this.root);
    this.references = new References(this.fleet, layout, this.root, theme);
    this.grids = scene.grids.map((grid) => new Grid(grid, this.root, theme));
    for (const cloud of scene.clouds) this.drawCloud(cloud);
    this.maps = scene.maps.map((map) => {
      const known = before?.giveMap(map);
      if (known) return known;
      const drawn = new GroundMap(map, theme, hasProcessor);
      drawn.load(url(map.path)).then(changed, (error: unknown) => this.drawer.lose(map.path, error));
      return drawn;
    });
    for (const map of this.maps) this.root.add(map.object);
    this.root.add(this.scans.object, this.clouds.object, this.trails.lines.object);
    this.pickables = this.listPickables();
    this.measure();
    this.paint(theme);
  }

  /** Distance of the lines that the world file draws on the ground itself [m], if it does. */
  get gridInterval(): number | undefined {
    return this.scene.grids[0]?.interval;
  }

  /** Whether planes of the world lie on the ground. */
  get hasFloor(): boolean {
    return this.scene.planes.some(liesOnGround);
  }

  /** Moves everything to where it is between the last two states. */
  place(blend: Blend): void {
    this.fleet.place(blend);
    this.movers.place(blend);
    this.forces.place(blend);
    this.joints.place();
    this.references.place(blend);
    this.contacts.place();
    for (const grid of this.grids) grid.place(this.fleet);
  }

  /** Extends paths by the newest state. @param step how time moved there, to `time` [s], from the previous one */
  follow(blend: Blend, step: Step, time: number): void {
    // Where time leaps ahead, paths have a gap.
    if (step !== "on") {
      this.scans.clear();
      this.clouds.leap(time);
      this.measured.clear();
    }
    if (step === "back") this.trails.clear();
    else if (step === "ahead") this.trails.interrupt();
    for (const vehicle of this.fleet.vehicles) {
      const { at, index, speed, view } = vehicle;
      if (step === "on" && blend.jumped(at, blend.latest(speed))) this.trails.restart(index);
      // Paths of ghosts are below those of what is there.
      const lift = (0.01 + 0.1 * (view.wheels[0]?.radius ?? 0)) * (view.ghost ? 0.5 : 1);
      this.trails.add(index, blend.latest(at), blend.latest(at + 1), blend.latest(at + 2) + lift);
    }
  }

  /** Points that tell which parts of the world are in a picture: static content, and vehicles and blocks at their current poses. */
  landmarks(): Vector3[] {
    const points = [...this.points];
    for (const { outline, z, matrix } of this.pickables) {
      for (const [x = 0, y = 0] of outline) points.push(new Vector3(x, y, z[1] ?? 0).applyMatrix4(matrix));
    }
    return points;
  }

  push(scan: ScanMessage): boolean {
    return scan.revision === this.scene.revision && this.scans.push(scan);
  }

  pushCloud(cloud: CloudMessage): boolean {
    const isOfScene = cloud.revision === this.scene.revision;
    if (isOfScene) this.clouds.push(cloud);
    return isOfScene;
  }

  pushReading(reading: ReadingMessage): boolean {
    return reading.revision === this.scene.revision && this.measured.push(reading);
  }

  /** Draws the points of sensors, if at all, of one vehicle or of all. */
  showPoints(shown: boolean, vehicle: number | undefined): void {
    this.measured.isShown = shown;
    for (const points of [this.scans, this.clouds]) {
      points.object.visible = shown;
      points.only(vehicle);
    }
  }

  /** @param pixelRatio pixels of the picture per pixel of the page */
  scalePoints(pixelRatio: number): void {
    for (const points of [this.scans, this.clouds]) points.pixelRatio = pixelRatio;
  }

  paint(theme: Theme): void {
    this.scans.paint(theme);
    this.forces.paint(theme.warning);
    this.trails.paint(theme);
    this.joints.paint(theme);
    this.references.paint(theme);
    for (const map of this.maps) map.paint(theme);
    for (const grid of this.grids) grid.paint(theme);
  }

  /** Where a ray meets the ground. */
  ground(ray: Ray): Footing | undefined {
    return this.drawer.floors.under(ray);
  }

  dispose(): void {
    this.root.removeFromParent();
    this.movers.dispose();
    this.drawer.dispose();
    this.scans.dispose();
    this.clouds.dispose();
    this.contacts.dispose();
    this.forces.dispose();
    this.trails.lines.dispose();
    this.joints.dispose();
    this.references.dispose();
    this.frames.dispose();
    this.measured.dispose();
    for (const grid of this.grids) grid.dispose();
    for (const map of this.maps) map.dispose();
    for (const cloud of this.fixedClouds) {
      cloud.geometry.dispose();
      cloud.material.dispose();
    }
  }

  /** Indices that vehicles had in the scene before, by those that they have now. */
  private formerIndices(before: SceneView): Map<number, number> {
    const former = this.scene.vehicles.map(({ id }, i) => [
      i,
      before.vehicles.findIndex((vehicle) => vehicle.id === id),
    ]);
    return new Map(former.filter(([, index = -1]) => index >= 0) as [number, number][]);
  }

  /** Hands a map over to the next scene, if it is the same one and its picture has been loaded. */
  private giveMap(view: MapView): GroundMap | undefined {
    const index = this.maps.findIndex((map) => map.isThere && JSON.stringify(map.view) === JSON.stringify(view));
    return index < 0 ? undefined : this.maps.splice(index, 1)[0];
  }

  private drawFixed(): void {
    const body = new Rigid();
    for (const drawing of this.scene.fixed) this.drawer.draw({ ...drawing, color: calmed(drawing.color) }, body);
    body.place();
  }

  private drawCloud(cloud: CloudView): void {
    const { drawer } = this;
    drawer.whenThere([cloud.points], matrixOf(cloud.pose), new Rigid(), () => {
      const drawn = cloudObject(cloud, drawer.parts.floats(cloud.points));
      this.fixedClouds.push(drawn);
      this.root.add(drawn);
    });
  }

  private listPickables(): Pickable[] {
    const ownVehicles = this.fleet.vehicles.filter(({ view }) => view.ghost === undefined);
    const vehicles = ownVehicles.map(({ view, index, body }) => ({
      id: view.id,
      vehicle: index,
      isMovable: view.is_movable,
      outline: view.outline,
      z: view.z,
      matrix: body.matrix,
    }));
    const blocks = this.movers.blocks
      .filter(({ view }) => view.outline.length > 2)
      .map(({ view, body }) => ({
        id: view.id,
        vehicle: undefined,
        isMovable: view.is_movable,
        outline: view.outline,
        z: view.z,
        matrix: body.matrix,
      }));
    return [...vehicles, ...blocks];
  }

  private measure(): void {
    const { scene, extent } = this;
    // The ground around a map reaches farther than what there is to see.
    const floors = scene.maps.length > 0 ? scene.planes.filter((view) => !liesOnGround(view)) : scene.planes;
    for (const view of [...scene.blocks, ...floors, ...scene.actors]) this.reach(view.pose, view.outline, view.z);
    for (const { pose } of scene.actors) this.reach(pose, PERSON, [0, 1.8]);
    for (const { pose, cells, resolution } of scene.maps) {
      const [w, h] = [cells[0] * resolution, cells[1] * resolution];
      this.reach(
        [pose[0], pose[1], 0, pose[2], 0, 0],
        [
          [0, 0],
          [w, 0],
          [w, h],
          [0, h],
        ],
        [0],
      );
    }
    const corner = new Vector3();
    for (const { kind, shape, pose } of scene.fixed) {
      if (shape.is === "mesh") continue;
      const matrix = matrixOf(pose);
      const corners = this.drawer.parts.landmarks(shape.is === "line" ? shape.points : shape.corners);
      const stride = 3 * Math.ceil(corners.length / 3 / MAX_POINTS);
      for (let i = 0; i + 2 < corners.length; i += 3) {
        corner.fromArray(corners, i).applyMatrix4(matrix);
        // Regions may be infinitely high.
        if (kind === "region") corner.setZ(0);
        extent.expandByPoint(corner);
        if (i % stride === 0) this.points.push(corner.clone());
      }
    }
    for (const { path } of scene.vehicles.map(({ reference_path: path }) => ({ path }))) {
      for (const [x, y] of path) {
        extent.expandByPoint(corner.set(x, y, 0));
        this.points.push(corner.clone());
      }
    }
  }

  private reach(pose: readonly number[], outline: readonly (readonly number[])[], z: readonly number[]): void {
    const box = new Box3();
    addOutline(box, pose, outline, z);
    this.extent.union(box);
    if (!box.isEmpty()) this.points.push(...cornersOf(box));
  }

  /** Measures where the vehicles are in the first state. */
  measureVehicles(blend: Blend): void {
    this.vehicles.makeEmpty();
    for (const { view, index } of this.fleet.vehicles) {
      const at = this.layout.vehicle(index);
      const pose = [0, 1, 2, 3, 4, 5].map((i) => blend.latest(at + i));
      addOutline(this.vehicles, pose, view.outline, view.z);
    }
  }
}
