// Blocks, planes and actors.
import { CapsuleGeometry, type Material, type Matrix4, Mesh, type Object3D, SphereGeometry } from "three";
import type { StateLayout } from "../../protocol/layout";
import type { BodyView, DrawingView, SceneView } from "../../protocol/types";
import type { Drawer } from "../drawing/drawer";
import { Rigid } from "./batch";
import type { Blend } from "./blend";
import { type ColorView, calmed } from "./colors";
import { Figure, RollingWheel } from "./figures";
import { lacksItsMesh } from "./fleet";
import { prismGeometry } from "./geometry";
import { scaled } from "./meshes";
import { listsOf } from "./parts";
import { drawPlaceholder } from "./placeholder";
import { matrixOf, poseMatrix } from "./pose";

const PLAIN: ColorView = [0xa9, 0xb3, 0xbf, 0xff];
const SKIN: ColorView = [0xe0, 0xb8, 0x98, 0xff];
const SHIRT: ColorView = [0x3f, 0x7c, 0xac, 0xff];
const TROUSERS: ColorView = [0x3a, 0x42, 0x4e, 0xff];

/** Above this a plane is a floor that one can be below [m]: it is translucent, so that one sees what is there. */
const HEADROOM = 1.5;
/** Opacity of such floors, as a byte. */
const CLEAR = 140;

/** The height of a plane's upper side at the start [m]. */
export function heightOf({ pose, z }: Pick<BodyView, "pose" | "z">): number {
  return pose[2] + z[1];
}

/** The colour of a body: of floors above others translucent. */
export function bodyColor(
  color: ColorView | null,
  view: Pick<BodyView, "pose" | "z">,
  isPlane: boolean,
): ReturnType<typeof calmed> {
  const quiet = calmed(color);
  if (!quiet || !isPlane || heightOf(view) < HEADROOM) return quiet;
  return [quiet[0], quiet[1], quiet[2], Math.min(quiet[3], CLEAR)];
}

/** A block, plane or actor as drawn. */
export interface Mover {
  view: BodyView;
  /** Index of its pose in states. */
  at: number;
  /** As drawn: x y z yaw pitch roll. */
  pose: Float64Array;
  body: Rigid;
}

interface Actor extends Mover {
  /** The legs of a figure. */
  legs: Rigid[];
  /** Its meshes. */
  figures: Figure[];
  /** Those of them that are wheels. */
  wheels: RollingWheel[];
  /** As drawn: the gait, the time of its clip [s], and the distance that it has moved over [m]. */
  limbs: { gait: number; time: number; distance: number };
}

/** All that moves but vehicles. */
export class Movers {
  readonly blocks: Mover[];
  readonly planes: Mover[];
  private readonly actors: Actor[];

  constructor(
    scene: SceneView,
    layout: StateLayout,
    private readonly drawer: Drawer,
  ) {
    this.blocks = scene.blocks.map((view, i) => this.build(view, layout.block(i)));
    this.planes = scene.planes.map((view, i) => this.build(view, layout.plane(i), true));
    this.actors = scene.actors.map((view, i) => this.buildActor(view, layout.actor(i)));
  }

  /** Moves all to where they are between the last two states. */
  place(blend: Blend): void {
    for (const mover of this.blocks) placeBody(mover, blend);
    for (const mover of this.planes) placeBody(mover, blend);
    for (const actor of this.actors) {
      placeBody(actor, blend);
      actor.limbs.gait = Math.round(blend.latest(actor.at + 6));
      actor.limbs.time = blend.value(actor.at + 7);
      actor.limbs.distance = blend.value(actor.at + 8);
      this.pose(actor);
    }
  }

  dispose(): void {
    for (const figure of this.actors.flatMap(({ figures }) => figures)) figure.dispose();
  }

  private build(view: BodyView, at: number, bears = false): Mover {
    const body = new Rigid();
    body.bears = bears;
    body.matrix.copy(matrixOf(view.pose));
    for (const name of view.missing) this.drawer.lack(name);
    if (lacksItsMesh(view)) {
      drawPlaceholder(this.drawer, body, view.outline, view.z);
      return { view, at, pose: Float64Array.from(view.pose), body };
    }
    const waiting = view.drawings.map((drawing) =>
      this.drawer.draw({ ...drawing, color: bodyColor(drawing.color, view, bears) }, body),
    );
    const isAwaited = view.drawings.some(({ shape }) => shape.is === "mesh" || !this.drawer.parts.has(listsOf(shape)));
    if ((isAwaited || waiting.length === 0) && view.outline.length > 2) {
      const key = `prism ${JSON.stringify([view.outline, view.z])}`;
      const geometry = this.drawer.shared(key, () => prismGeometry(view.outline, view.z));
      const look = { color: PLAIN, isLit: true, cull: "back", hasCornerColors: false };
      const remove = this.drawer.part(body, geometry, this.drawer.materials.material(look));
      this.drawer.whenAll(waiting, remove, () => {
        remove();
        drawPlaceholder(this.drawer, body, view.outline, view.z);
        body.place();
      });
    }
    return { view, at, pose: Float64Array.from(view.pose), body };
  }

  private buildActor(view: BodyView, at: number): Actor {
    const body = new Rigid();
    body.matrix.copy(matrixOf(view.pose));
    for (const name of view.missing) this.drawer.lack(name);
    const actor: Actor = {
      view,
      at,
      pose: Float64Array.from(view.pose),
      body,
      legs: [],
      figures: [],
      wheels: [],
      limbs: { gait: 0, time: 0, distance: 0 },
    };
    const removals = this.addFigure(view, actor);
    const waiting = view.drawings.map((drawing) => {
      const { shape, pose, color, cull } = drawing;
      if (shape.is !== "mesh") return Promise.resolve(false);
      return this.animate(actor, pose, shape, { color, cull }).catch((error: unknown) =>
        this.drawer.lose(shape.path, error),
      );
    });
    if (waiting.length > 0) {
      this.drawer.whenAll(waiting, () => {
        for (const remove of removals) remove();
      });
    }
    return actor;
  }

  /** A person of simple shapes, by height and breadth of the outline. */
  private addFigure(view: BodyView, actor: Actor): (() => void)[] {
    const height = view.z[1] - view.z[0] > 0.3 ? view.z[1] - view.z[0] : 1.75;
    const add = (
      body: Rigid,
      key: string,
      make: () => CapsuleGeometry | SphereGeometry,
      color: ColorView,
      at: Matrix4,
    ) => {
      const look = { color, isLit: true, cull: "back", hasCornerColors: false };
      return this.drawer.part(body, this.drawer.shared(key, make), this.drawer.materials.material(look), at);
    };
    // Capsules of three stand along y.
    const upright = (x: number, y: number, z: number) =>
      matrixOf([x * height, y * height, z * height, 0, 0, Math.PI / 2]);
    const trunk = () => new CapsuleGeometry(0.085 * height, 0.24 * height, 4, 12);
    const limb = () => new CapsuleGeometry(0.048 * height, 0.36 * height, 3, 8);
    const ball = () => new SphereGeometry(0.072 * height, 14, 10);
    const removals = [
      add(actor.body, `trunk ${height}`, trunk, SHIRT, upright(0, 0, 0.64)),
      add(actor.body, `head ${height}`, ball, SKIN, upright(0.012, 0, 0.91)),
    ];
    for (const side of [-1, 1]) {
      const leg = new Rigid();
      actor.legs.push(leg);
      removals.push(add(leg, `leg ${height}`, limb, TROUSERS, upright(0, side * 0.052, -0.23)));
    }
    return removals;
  }

  private async animate(
    actor: Actor,
    pose: readonly number[],
    shape: Extract<DrawingView["shape"], { is: "mesh" }>,
    { color, cull }: { color: ColorView | null; cull: string },
  ): Promise<boolean> {
    const [content, { clone }] = await Promise.all([
      this.drawer.meshes.load(shape.path, shape.format),
      import("three/examples/jsm/utils/SkeletonUtils.js"),
    ]);
    if (this.drawer.isDisposed) return false;
    const root: Object3D = clone(content.root);
    root.traverse((object) => {
      object.castShadow = true;
      object.frustumCulled = false;
      if (!(object instanceof Mesh)) return;
      // In the colours and the light of everything else.
      const look = (material: Material) => this.drawer.materials.simplified(material, color, cull);
      object.material = Array.isArray(object.material) ? object.material.map(look) : look(object.material);
    });
    root.updateMatrix();
    actor.figures.push(new Figure(root, content.clips, shape.clips));
    this.drawer.parent.add(root);
    const local = scaled(root.matrix, shape.scale);
    if (shape.wheel_radius) {
      const wheel = new RollingWheel(pose, shape.wheel_radius);
      wheel.body.attach(root, wheel.wheelFromMesh.multiply(local));
      actor.wheels.push(wheel);
    } else {
      actor.body.attach(root, matrixOf(pose).multiply(local));
    }
    // The world may stand still, so that nothing is placed for a while.
    this.pose(actor);
    this.drawer.changed();
    return true;
  }

  private pose(actor: Actor): void {
    const { body, legs, view } = actor;
    const { gait, time, distance } = actor.limbs;
    const height = view.z[1] - view.z[0] > 0.3 ? view.z[1] - view.z[0] : 1.75;
    const swing = gait === 0 ? 0 : (gait === 1 ? 0.5 : 0.8) * Math.sin(2 * Math.PI * time);
    for (const [i, leg] of legs.entries()) {
      poseMatrix(0, 0, 0.48 * height, 0, i === 0 ? swing : -swing, 0, leg.matrix);
      leg.matrix.premultiply(body.matrix);
      leg.place();
    }
    for (const figure of actor.figures) figure.pose(gait, time);
    for (const wheel of actor.wheels) wheel.place(body.matrix, distance);
  }
}

function placeBody(mover: Mover, blend: Blend): void {
  const { pose, body } = mover;
  // Pushed or carried bodies are not faster than that.
  blend.pose(mover.at, 20, pose);
  const [x = 0, y = 0, z = 0, yaw = 0, pitch = 0, roll = 0] = pose;
  poseMatrix(x, y, z, yaw, pitch, roll, body.matrix);
  body.place();
}
