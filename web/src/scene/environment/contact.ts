// Soft dark patches under vehicles and blocks, where little light of the sky comes: they tie them to the ground, alone where shadows cost too much.
import { CanvasTexture, InstancedMesh, Matrix4, MeshBasicMaterial, type Object3D, PlaneGeometry } from "three";
import type { BodyView } from "../../protocol/types";
import type { Rigid } from "../bodies/batch";
import type { Fleet } from "../bodies/fleet";
import type { Movers } from "../bodies/movers";
import { multiplyInto } from "../bodies/pose";

const SIDE = 64;
/** Opacity of the patches: alone, and with the shadows of the sun. */
const [ALONE, WITH_SHADOWS] = [1, 0.6];

/** Where there are more blocks than this they have none: each patch takes its time. */
const MAX_BLOCKS = 64;
/** Blocks whose lower side is higher than this have none [m], nor have those that are lower than the patch could be told from. */
const [HOVERING, MIN_HEIGHT] = [0.05, 0.15];
/** Share of the box around it that a block fills at least: patches are boxes. */
const FILLED = 0.7;

/** What stands on the ground. */
interface Standing {
  view: Pick<BodyView, "outline" | "z">;
  body: Rigid;
}

/** Blocks that stand on the ground, unless they are many. */
export function standing<T extends { view: Standing["view"] }>(blocks: readonly T[]): T[] {
  const near = blocks.filter(
    ({ view: { z, outline } }) => z[0] < HOVERING && z[1] - z[0] > MIN_HEIGHT && shareOf(outline) > FILLED,
  );
  return near.length > MAX_BLOCKS ? [] : near;
}

/** The patches of all vehicles and blocks. */
export class ContactShadows {
  readonly object: InstancedMesh<PlaneGeometry, MeshBasicMaterial>;
  private readonly locals: Matrix4[];
  private readonly bodies: Standing[];

  constructor(fleet: Fleet, movers: Movers, parent: Object3D) {
    const material = new MeshBasicMaterial({ map: softPatch(), transparent: true, depthWrite: false });
    material.polygonOffset = true;
    material.polygonOffsetFactor = material.polygonOffsetUnits = -3;
    // Ghosts take no light away.
    const vehicles = fleet.vehicles.filter(({ view }) => view.ghost === undefined);
    this.bodies = [...vehicles, ...standing(movers.blocks)];
    this.object = new InstancedMesh(new PlaneGeometry(1, 1), material, Math.max(this.bodies.length, 1));
    this.object.count = this.bodies.length;
    this.object.frustumCulled = false;
    this.object.renderOrder = -3;
    this.locals = this.bodies.map(patchUnder);
    parent.add(this.object);
  }

  /** Whether the sun casts shadows too. */
  set hasShadows(on: boolean) {
    this.object.material.opacity = on ? WITH_SHADOWS : ALONE;
  }

  /** Vehicles and blocks have been placed. */
  place(): void {
    const { instanceMatrix } = this.object;
    for (const [i, { body }] of this.bodies.entries()) {
      const local = this.locals[i];
      if (local) multiplyInto(body.matrix, local, instanceMatrix.array as Float32Array, 16 * i);
    }
    instanceMatrix.needsUpdate = true;
  }

  dispose(): void {
    this.object.removeFromParent();
    this.object.material.map?.dispose();
    this.object.material.dispose();
    this.object.geometry.dispose();
    this.object.dispose();
  }
}

/** How much of the box around it an outline fills. */
function shareOf(outline: Standing["view"]["outline"]): number {
  const area = outline.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = outline[(i + 1) % outline.length] ?? [x, y];
    return sum + 0.5 * (x * nextY - nextX * y);
  }, 0);
  const { x0, x1, y0, y1 } = boundsOf(outline);
  return Math.abs(area) / Math.max((x1 - x0) * (y1 - y0), 1e-9);
}

function boundsOf(outline: Standing["view"]["outline"]) {
  const xs = outline.map(([x]) => x);
  const ys = outline.map(([, y]) => y);
  return { x0: Math.min(...xs), x1: Math.max(...xs), y0: Math.min(...ys), y1: Math.max(...ys) };
}

function patchUnder({ view }: Standing): Matrix4 {
  const { x0, x1, y0, y1 } = boundsOf(view.outline);
  const margin = 0.35 * (y1 - y0);
  return new Matrix4()
    .makeScale(x1 - x0 + margin, y1 - y0 + margin, 1)
    .setPosition(0.5 * (x0 + x1), 0.5 * (y0 + y1), 0.006);
}

function softPatch(): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIDE;
  const context = canvas.getContext("2d");
  if (context) {
    const image = context.createImageData(SIDE, SIDE);
    // Dark in the middle, gone at the rim.
    const edge = (i: number) => Math.min(1, (SIDE / 2 - Math.abs(i + 0.5 - SIDE / 2)) / (0.28 * SIDE));
    for (let y = 0; y < SIDE; y += 1) {
      for (let x = 0; x < SIDE; x += 1) image.data[4 * (y * SIDE + x) + 3] = 130 * (edge(x) * edge(y)) ** 1.3;
    }
    context.putImageData(image, 0, 0);
  }
  return new CanvasTexture(canvas);
}
