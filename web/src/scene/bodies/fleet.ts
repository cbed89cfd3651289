// The vehicles: chassis with mounted parts, steering and turning wheels.
import { type BufferGeometry, type Material, Matrix4 } from "three";
import type { StateLayout } from "../../protocol/layout";
import type { DrawingView, SceneView, VehicleView, WheelView } from "../../protocol/types";
import { lengthOf } from "../camera/framing";
import type { Drawer } from "../drawing/drawer";
import { isBacking, isBraking } from "../environment/lamps";
import { ghostly } from "../overlays/ghosts";
import { type Batch, Rigid } from "./batch";
import type { Blend } from "./blend";
import { type ColorView, colorViewOf, isDarkColor } from "./colors";
import { chevronGeometry, prismGeometry, simpleWheelGeometry, wheelGeometry } from "./geometry";
import { drawHousings } from "./housings";
import { vehicleColor } from "./palette";
import { listsOf, type Parts } from "./parts";
import { drawPlaceholder } from "./placeholder";
import { type Point, poseMatrix, turnAbout } from "./pose";

/** More wheels than this are drawn with few corners: by a graphics processor, and by software. */
const FINE_WHEELS = { fast: 60, slow: 16 };

interface Wheel {
  view: WheelView;
  body: Rigid;
  steer: number;
  angle: number;
  rate: number;
  travel: number;
}

/** Wheels smaller than this on the page are not drawn where there are many [px]. */
const MIN_WHEEL = 7;

/** A drawing that turns with a wheel's steering. */
interface Linked {
  drawing: DrawingView;
  /** The point that it turns about [m]; null: its own place. */
  pivot: Point | null;
  offset: number;
  steer: number;
  body: Rigid;
}

/** A vehicle as drawn. */
export interface Vehicle {
  view: VehicleView;
  index: number;
  /** Index of its pose in states. */
  at: number;
  /** Index of its speed. */
  speed: number;
  /** Index of its brake pedal. */
  brake: number;
  /** Whether it has a mesh, which may have lamps. */
  hasModel: boolean;
  /** Whether its brake lights shine. */
  isBraking: boolean;
  /** As drawn: x y z yaw pitch roll. */
  pose: Float64Array;
  /** Chassis: its matrix is the vehicle's pose. */
  body: Rigid;
  /** Its length [m], for the size of marks. */
  length: number;
  wheels: Wheel[];
  linked: Linked[];
}

/** Whether a body has mesh files and none of them is on the server: then its drawings are only its outline. */
export function lacksItsMesh({ missing, drawings }: Pick<VehicleView, "missing" | "drawings">): boolean {
  return missing.length > 0 && drawings.every(({ shape }) => shape.is !== "mesh");
}

/** Whether a drawing has the colour of the vehicle's body. */
function isPainted({ shape, texture, color }: DrawingView, view: VehicleView): boolean {
  return shape.is === "triangles" && shape.colors === "" && !texture && color?.join() === view.color.join();
}

/** The colour of the paint of a drawing: the vehicle's tint, or else, on meshes, its colour; undefined: it has none. */
function paintOf(drawing: DrawingView, view: VehicleView, tint: ColorView | undefined): ColorView | undefined {
  if (drawing.shape.is === "mesh") return tint ?? view.color;
  return isPainted(drawing, view) ? tint : undefined;
}

/** Whether a drawing is what a chassis without visuals of its own has: the prism over its outline, which has soft edges here. */
function isChassis(drawing: DrawingView, view: VehicleView, parts: Parts): boolean {
  const { shape, pose } = drawing;
  if (!isPainted(drawing, view) || shape.is !== "triangles" || pose.some((value) => value !== 0)) return false;
  const { count, box } = parts.extent(shape.corners);
  const isAsHigh = Math.abs(box.min.z - view.z[0]) < 1e-4 && Math.abs(box.max.z - view.z[1]) < 1e-4;
  return isAsHigh && count === 9 * (4 * view.outline.length - 4);
}

/** Switches the lamps of a vehicle on and off. */
function light(vehicle: Vehicle, blend: Blend): void {
  const { body, speed, brake } = vehicle;
  const driving = { pedal: blend.latest(brake), speed: blend.latest(speed), change: blend.rate(speed) };
  vehicle.isBraking = isBraking(driving, vehicle.isBraking);
  body.shine("brake_light", vehicle.isBraking);
  body.shine("reverse_light", isBacking(driving));
}

/** All vehicles of a scene. */
export class Fleet {
  readonly vehicles: Vehicle[];
  private readonly local = new Matrix4();
  private readonly at: Point = [0, 0];
  private readonly isFleet: boolean;
  private readonly hasManyWheels: boolean;
  private readonly wheelBatches = new Set<Batch>();
  private showsWheels = true;
  /** How many vehicles have a colour. */
  private readonly sharers = new Map<string, number>();

  constructor(
    scene: SceneView,
    layout: StateLayout,
    private readonly drawer: Drawer,
  ) {
    const own = scene.vehicles.filter(({ ghost }) => ghost === undefined);
    this.isFleet = own.length > 1;
    for (const { color } of own) this.sharers.set(color.join(), (this.sharers.get(color.join()) ?? 0) + 1);
    const most = drawer.hasProcessor ? FINE_WHEELS.fast : FINE_WHEELS.slow;
    this.hasManyWheels = scene.vehicles.reduce((sum, { wheels }) => sum + wheels.length, 0) > most;
    this.vehicles = scene.vehicles.map((view, index) => this.build(view.ghost ? ghostly(view) : view, index, layout));
  }

  /**
   * Hides wheels too small to be seen if there are many. Returns whether they are visible again and have to be placed.
   * @param pixel size of a pixel of the page at the camera's target [m]
   */
  showWheels(pixel: number): boolean {
    if (!this.hasManyWheels) return false;
    const largest = Math.max(...this.vehicles.map(({ wheels }) => wheels[0]?.view.radius ?? 0));
    // Those in front are nearer than the camera's target.
    const shows = 2 * largest > MIN_WHEEL * 0.6 * pixel;
    if (shows === this.showsWheels) return false;
    this.showsWheels = shows;
    for (const batch of this.wheelBatches) batch.isShown = shows;
    return shows;
  }

  /** Moves all vehicles to their poses between the last two states. */
  place(blend: Blend): void {
    for (const vehicle of this.vehicles) {
      const { pose, body } = vehicle;
      blend.pose(vehicle.at, blend.latest(vehicle.speed), pose);
      const [x = 0, y = 0, z = 0, yaw = 0, pitch = 0, roll = 0] = pose;
      poseMatrix(x, y, z, yaw, pitch, roll, body.matrix);
      body.place();
      if (vehicle.hasModel) light(vehicle, blend);
      for (const wheel of this.showsWheels ? vehicle.wheels : []) {
        const steer = blend.angle(wheel.steer);
        const { position, pivot, radius } = wheel.view;
        turnAbout(pivot, position, steer, this.at);
        const turned = blend.spin(wheel.angle, wheel.rate);
        // A wheel turns about its axle, y, behind the steering.
        // On a body on springs a wheel moves up and down.
        poseMatrix(this.at[0], this.at[1], radius + blend.value(wheel.travel), steer, turned, 0, this.local);
        wheel.body.matrix.multiplyMatrices(body.matrix, this.local);
        wheel.body.place();
      }
      for (const { drawing, pivot, offset, steer, body: linked } of vehicle.linked) {
        const [lx, ly, lz, lyaw, lpitch, lroll] = drawing.pose;
        const turn = offset + blend.angle(steer);
        turnAbout(pivot, [lx, ly], turn, this.at);
        poseMatrix(this.at[0], this.at[1], lz, lyaw + turn, lpitch, lroll, this.local);
        linked.matrix.multiplyMatrices(body.matrix, this.local);
        linked.place();
      }
    }
  }

  private build(view: VehicleView, index: number, layout: StateLayout): Vehicle {
    const body = new Rigid();
    const tint = this.tintOf(view, index);
    const wheels = view.wheels.map((wheel, i) => this.buildWheel(wheel, index, i, layout, tint ?? view.color));
    const linked: Linked[] = [];
    const waiting: Promise<boolean>[] = [];
    for (const name of [view, ...view.wheels].flatMap(({ missing }) => missing)) this.drawer.lack(name);
    const isStandIn = lacksItsMesh(view);
    const drawings = isStandIn ? [] : view.drawings.filter((drawing) => !isChassis(drawing, view, this.drawer.parts));
    for (const drawing of drawings) {
      const link =
        drawing.name === "" ? undefined : wheels.find((wheel) => wheel.view.linked_yaw?.[0] === drawing.name);
      const paint = paintOf(drawing, view, tint);
      if (!link?.view.linked_yaw) {
        waiting.push(this.drawer.draw(drawing, body, undefined, paint));
        continue;
      }
      const own = new Rigid();
      linked.push({ drawing, pivot: link.view.pivot, offset: link.view.linked_yaw[1], steer: link.steer, body: own });
      waiting.push(this.drawer.draw(drawing, own, new Matrix4(), paint));
    }
    const arrow = this.addChevron(view, index, body, tint !== undefined);
    if (isStandIn) drawPlaceholder(this.drawer, body, view.outline, view.z);
    else {
      const isPlain = view.drawings.every(({ shape }) => shape.is !== "mesh");
      const isWhole = isPlain && drawings.length > 0 && drawings.length === view.drawings.length;
      const isAwaited = drawings.some(({ shape }) => !this.drawer.parts.has(listsOf(shape)));
      const roof = this.addPrism(view, body, isWhole && !isAwaited, tint);
      if (isPlain || view.show_housings) drawHousings(this.drawer, body, view, isPlain);
      if (!isPlain) this.whenMeshes(waiting, view, body, roof, arrow);
      else if (isWhole && isAwaited) this.drawer.whenAll(waiting, roof);
    }
    return {
      view,
      index,
      at: layout.vehicle(index),
      speed: layout.vehicleChannel(index, "vx"),
      brake: layout.vehicleChannel(index, "brake"),
      hasModel: view.drawings.some(({ shape }) => shape.is === "mesh"),
      isBraking: false,
      pose: new Float64Array(6),
      body,
      length: lengthOf(view),
      wheels,
      linked,
    };
  }

  /** Once its meshes are there, they replace the prism; if none can be had, the sign for a missing one does. */
  private whenMeshes(waiting: Promise<boolean>[], view: VehicleView, body: Rigid, roof: () => void, arrow: () => void) {
    Promise.all(waiting).then((loaded) => {
      if (this.drawer.isDisposed) return;
      if (loaded.every(Boolean)) arrow();
      if (loaded.every(Boolean) || !loaded.some(Boolean)) roof();
      if (!loaded.some(Boolean)) {
        drawPlaceholder(this.drawer, body, view.outline, view.z);
        body.place();
      }
      this.drawer.changed();
    });
  }

  private buildWheel(view: WheelView, vehicle: number, index: number, layout: StateLayout, paint: ColorView): Wheel {
    const body = new Rigid();
    const channel = (name: string) => layout.wheelChannel(vehicle, index, name);
    const wheel = {
      view,
      body,
      steer: channel("steer"),
      angle: channel("spin_angle"),
      rate: channel("spin"),
      travel: channel("travel"),
    };
    const { radius, width, color } = view;
    const key = `wheel ${radius} ${width} ${color}`;
    const make = this.hasManyWheels ? simpleWheelGeometry : wheelGeometry;
    const geometry = this.drawer.shared(key, () => make(radius, width, color));
    const tint: ColorView = [255, 255, 255, color[3]];
    const remove = this.add(body, geometry, tint, true);
    this.wheelBatches.add(this.drawer.batches.of(geometry, this.material(tint, true)));
    if (view.drawings.length > 0) {
      const waiting = view.drawings.map((drawing) => this.drawer.draw(drawing, body, undefined, paint));
      Promise.all(waiting).then((loaded) => {
        if (loaded.every(Boolean)) remove();
        this.drawer.changed();
      });
    }
    return wheel;
  }

  /** The prism over the outline, unless something plain is drawn instead. */
  private addPrism(view: VehicleView, body: Rigid, isDrawn: boolean, tint: ColorView | undefined): () => void {
    if (isDrawn || view.outline.length < 3) return () => undefined;
    const bevel = 0.06 * lengthOf(view);
    const key = `chassis ${JSON.stringify([view.outline, view.z])}`;
    const geometry = this.drawer.shared(key, () => prismGeometry(view.outline, view.z, bevel));
    return this.addTinted(body, geometry, tint ?? view.color);
  }

  private addChevron(view: VehicleView, index: number, body: Rigid, isTinted: boolean): () => void {
    if (view.outline.length < 3) return () => undefined;
    const [low, high] = view.z;
    const key = `chevron ${JSON.stringify([view.outline, view.z])}`;
    const geometry = this.drawer.shared(key, () => chevronGeometry(view.outline, high + 0.02 * (high - low)));
    const isDark = isTinted || isDarkColor(view.color);
    const plain: ColorView = isDark ? [255, 255, 255, 255] : [20, 24, 30, 255];
    if (view.ghost) return this.addTinted(body, geometry, [plain[0], plain[1], plain[2], view.color[3]]);
    const isAlike = this.isFleet && !isTinted;
    return this.addTinted(body, geometry, isAlike ? colorViewOf(vehicleColor(isDark, index)) : plain);
  }

  /** The colour of a body that others would look like: that of its path, by which vehicles are told apart. */
  private tintOf(view: VehicleView, index: number): ColorView | undefined {
    if (view.ghost) return undefined;
    const isAlone = this.sharers.get(view.color.join()) === 1;
    const hasPaint = view.drawings.length === 0 || view.drawings.some((drawing) => paintOf(drawing, view, view.color));
    return isAlone || !hasPaint ? undefined : colorViewOf(vehicleColor(false, index));
  }

  /** Adds a part whose colour is its own: one draw call for all that differ only in it. */
  private addTinted(body: Rigid, geometry: BufferGeometry, color: ColorView): () => void {
    const material = this.material([255, 255, 255, color[3]], false);
    return this.drawer.part(body, geometry, material, undefined, true, color);
  }

  private add(body: Rigid, geometry: BufferGeometry, color: ColorView, hasCornerColors: boolean): () => void {
    return this.drawer.part(body, geometry, this.material(color, hasCornerColors));
  }

  private material(color: ColorView, hasCornerColors: boolean): Material {
    return this.drawer.materials.material({ color, isLit: true, cull: "back", hasCornerColors });
  }
}
