// Where boxes of the world are in the picture, in pixels.
import { type Box3, type BufferGeometry, type Camera, InstancedMesh, Matrix4, type Object3D, type Scene } from "three";

/** A part of a picture, from its upper left corner [pixels of the picture]. */
export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

const NOTHING = new Float32Array(0);

/** Something that is drawn: three's meshes, lines and points. */
export type Drawn = Object3D & { geometry: BufferGeometry; material: unknown };

/** Space around what has changed [pixels of the picture]: lines are some pixels wide. */
const MARGIN = 6;
/** Sides of parts are multiples of this, so that buffers of their size are seldom made, and whole pixels of the page at every quality [pixels]. */
const GRID = 48;
/** The smallest rectangle around points of a picture. */
export class Hull {
  left = Number.POSITIVE_INFINITY;
  right = Number.NEGATIVE_INFINITY;
  top = Number.POSITIVE_INFINITY;
  bottom = Number.NEGATIVE_INFINITY;

  add(x: number, y: number): void {
    if (x < this.left) this.left = x;
    if (x > this.right) this.right = x;
    if (y < this.top) this.top = y;
    if (y > this.bottom) this.bottom = y;
  }

  get isEmpty(): boolean {
    return !(this.left <= this.right);
  }

  /** Whether some of it is in a part of the picture. */
  isIn({ x, y, width, height }: Rect): boolean {
    return this.left <= x + width && this.right >= x && this.top <= y + height && this.bottom >= y;
  }

  /** With its margin, on the grid, within a picture of this size. */
  rect(width: number, height: number): Rect {
    if (this.isEmpty) return { x: 0, y: 0, width: 0, height: 0 };
    const before = (value: number) => Math.max(GRID * Math.floor((value - MARGIN) / GRID), 0);
    const after = (value: number, most: number) => Math.min(GRID * Math.ceil((value + MARGIN) / GRID), most);
    const [x, y] = [before(this.left), before(this.top)];
    return {
      x,
      y,
      width: Math.max(after(this.right, width) - x, 0),
      height: Math.max(after(this.bottom, height) - y, 0),
    };
  }
}

/** What a camera sees on a picture of some size. */
export class Lens {
  private readonly matrix = new Matrix4();
  private readonly product = new Matrix4();
  private width = 0;
  private height = 0;

  /** Takes the camera, and the size of its picture [pixels]. Returns whether both are as before. */
  take(camera: Camera, width: number, height: number): boolean {
    const isSame = this.has(camera, width, height);
    this.matrix.copy(this.product);
    [this.width, this.height] = [width, height];
    return isSame;
  }

  /** Whether they are those that it has. */
  has(camera: Camera, width: number, height: number): boolean {
    camera.updateMatrixWorld();
    this.product.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    return width === this.width && height === this.height && this.product.equals(this.matrix);
  }

  /** Adds where a box is in the picture. Returns whether all of it is before the camera. */
  cover({ min, max }: Box3, world: Matrix4, ...hulls: Hull[]): boolean {
    const e = world.elements;
    // A hidden part of a batch has no size.
    if (e[0] === 0 && e[1] === 0 && e[2] === 0 && e[4] === 0 && e[5] === 0 && e[6] === 0 && e[15] === 0) return true;
    const m = this.product.multiplyMatrices(this.matrix, world).elements;
    for (let corner = 0; corner < 8; corner += 1) {
      const x = corner & 1 ? max.x : min.x;
      const y = corner & 2 ? max.y : min.y;
      const z = corner & 4 ? max.z : min.z;
      const w = m[3] * x + m[7] * y + m[11] * z + m[15];
      if (!(w > 1e-6) || !(m[2] * x + m[6] * y + m[10] * z + m[14] > -w)) return false;
      const right = (m[0] * x + m[4] * y + m[8] * z + m[12]) / w;
      const up = (m[1] * x + m[5] * y + m[9] * z + m[13]) / w;
      for (const hull of hulls) hull.add(0.5 * (1 + right) * this.width, 0.5 * (1 - up) * this.height);
    }
    return true;
  }
}

/** Goes through all that is drawn. */
export function eachDrawn(scene: Scene, take: (drawn: Drawn) => void): void {
  scene.traverseVisible((object) => {
    if ("geometry" in object && "material" in object) take(object as Drawn);
  });
}

/** The box around a geometry, in its own coordinates [m]. */
export function boxOf(geometry: BufferGeometry): Box3 | null {
  if (!geometry.boundingBox) geometry.computeBoundingBox();
  return geometry.boundingBox;
}

/** The matrices of the instances of a batch. */
export function matricesOf(drawn: Object3D): Float32Array {
  if (!(drawn instanceof InstancedMesh)) return NOTHING;
  return (drawn.instanceMatrix.array as Float32Array).subarray(0, 16 * drawn.count);
}

/** Their colours, if they have any. */
export function colorsOf(drawn: Object3D): Float32Array {
  if (!(drawn instanceof InstancedMesh) || !drawn.instanceColor) return NOTHING;
  return (drawn.instanceColor.array as Float32Array).subarray(0, 3 * drawn.count);
}
