// What has changed since a picture was drawn, and where: software then draws that part of the picture alone. It sees positions, matrices and
// buffers of what is drawn; colours, layers and lights change with a whole picture.
import {
  type BufferGeometry,
  type Camera,
  InstancedMesh,
  Matrix4,
  type Object3D,
  Points,
  type Scene,
  SkinnedMesh,
} from "three";
import { boxOf, colorsOf, type Drawn, eachDrawn, Hull, Lens, matricesOf, type Rect } from "../camera/lens";
import { touchedBy } from "../overlays/lines";

/** As it was in the picture. */
interface Known {
  geometry: BufferGeometry;
  material: unknown;
  /** How often the numbers of its buffers were replaced. */
  version: number;
  world: Float32Array;
  /** Matrix and colour of each of its instances. */
  instances: Float32Array;
  colors: Float32Array;
}

/** The largest part that is drawn alone, as a share of the picture: what has to be done besides is about as much for a whole one. */
const MAX_SHARE = 0.35;
/**
 * Parts grow while things move away from where they were in the whole picture. Once so much more has been drawn than what moves, in pictures, the
 * next one is whole.
 */
const DEAREST = 1;

/** Compares what is drawn with what was. */
export class Changes {
  private readonly known = new Map<Object3D, Known>();
  private readonly lens = new Lens();
  private readonly matrix = new Matrix4();
  private readonly instance = new Matrix4();
  private isKnown = false;
  /** How much more has been drawn since then than what moved [pixels]. */
  private excess = 0;

  /** A whole picture of this size [pixels] is drawn. */
  note(scene: Scene, camera: Camera, width: number, height: number): void {
    this.excess = 0;
    // While the camera moves no picture is like the one before.
    this.isKnown = this.lens.take(camera, width, height);
    if (!this.isKnown) {
      this.known.clear();
      return;
    }
    const left = new Set(this.known.keys());
    eachDrawn(scene, (drawn) => {
      left.delete(drawn);
      this.keep(drawn);
    });
    for (const gone of left) this.known.delete(gone);
  }

  /** Nothing is known about the picture. */
  forget(): void {
    this.isKnown = false;
  }

  /** The part of the picture in which everything lies that looks otherwise than then; none: a whole picture has to be drawn. */
  since(scene: Scene, camera: Camera, width: number, height: number): Rect | undefined {
    if (!this.isKnown || !this.lens.has(camera, width, height)) return undefined;
    scene.updateMatrixWorld();
    const [all, now] = [new Hull(), new Hull()];
    let count = 0;
    let isClear = true;
    eachDrawn(scene, (drawn) => {
      count += 1;
      isClear &&= this.compare(drawn, all, now);
    });
    if (!isClear || count !== this.known.size) return undefined;
    const rect = all.rect(width, height);
    const area = rect.width * rect.height;
    if (area > MAX_SHARE * width * height) return undefined;
    const moving = now.rect(width, height);
    this.excess += area - moving.width * moving.height;
    return this.excess > DEAREST * width * height ? undefined : rect;
  }

  /** Notes something as it is. */
  private keep(drawn: Drawn): void {
    const before = this.known.get(drawn);
    const world = before?.world ?? new Float32Array(16);
    world.set(drawn.matrixWorld.elements);
    touchedBy(drawn)?.makeEmpty();
    this.known.set(drawn, {
      geometry: drawn.geometry,
      material: drawn.material,
      version: versionOf(drawn.geometry),
      world,
      instances: copied(matricesOf(drawn), before?.instances),
      colors: copied(colorsOf(drawn), before?.colors),
    });
  }

  /** Adds where something looks otherwise. Returns whether that can be told. */
  private compare(drawn: Drawn, all: Hull, now: Hull): boolean {
    const before = this.known.get(drawn);
    if (!before || before.geometry !== drawn.geometry || before.material !== drawn.material) return false;
    // Its bones move.
    if (drawn instanceof SkinnedMesh) return false;
    const hasMoved = drawn.matrixWorld.elements.some((value, i) => Math.fround(value) !== before.world[i]);
    const touched = touchedBy(drawn);
    if (touched) {
      if (hasMoved) return false;
      return touched.isEmpty() || this.lens.cover(touched, drawn.matrixWorld, all, now);
    }
    // Points of sensors are all over the picture: whoever takes them says when they are drawn there.
    if (drawn instanceof Points) return !hasMoved;
    if (before.version !== versionOf(drawn.geometry)) return false;
    const isMany = drawn instanceof InstancedMesh;
    if (!isMany && !hasMoved) return true;
    const box = boxOf(drawn.geometry);
    if (!box) return false;
    if (!isMany) {
      this.matrix.fromArray(before.world);
      return this.lens.cover(box, this.matrix, all) && this.lens.cover(box, drawn.matrixWorld, all, now);
    }
    const { matrix, instance } = this;
    const [matrices, colors] = [matricesOf(drawn), colorsOf(drawn)];
    if (hasMoved || before.instances.length !== matrices.length || before.colors.length !== colors.length) return false;
    for (let i = 0; i < drawn.count; i += 1) {
      if (isSame(before.instances, matrices, 16, 16 * i) && isSame(before.colors, colors, 3, 3 * i)) continue;
      matrix.multiplyMatrices(drawn.matrixWorld, instance.fromArray(before.instances, 16 * i));
      if (!this.lens.cover(box, matrix, all)) return false;
      matrix.multiplyMatrices(drawn.matrixWorld, instance.fromArray(matrices, 16 * i));
      if (!this.lens.cover(box, matrix, all, now)) return false;
    }
    return true;
  }
}

/** How often the numbers of its buffers were replaced. */
function versionOf({ attributes, index }: BufferGeometry): number {
  let sum = index?.version ?? 0;
  for (const name in attributes) {
    const attribute = attributes[name];
    if (attribute) sum += "data" in attribute ? attribute.data.version : attribute.version;
  }
  return sum;
}

/** A copy, in the place of the one before if that is as large. */
function copied(numbers: Float32Array, before?: Float32Array): Float32Array {
  if (before?.length !== numbers.length) return numbers.slice();
  before.set(numbers);
  return before;
}

/** Whether so many numbers are the same from there on. */
function isSame(a: ArrayLike<number>, b: ArrayLike<number>, count: number, from: number): boolean {
  for (let i = from; i < from + count; i += 1) if (a[i] !== b[i]) return false;
  return true;
}
