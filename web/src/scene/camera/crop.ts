// Leaves out what is not in a picture, or in a part of it: software takes its time for each instance of a batch, and each of its corners, wherever
// they are.
import { type Box3, type Camera, InstancedMesh, Matrix4, Mesh, type Object3D, type Scene, SkinnedMesh } from "three";
import { touchedBy } from "../overlays/lines";
import { boxOf, colorsOf, eachDrawn, Hull, Lens, matricesOf, type Rect } from "./lens";

/** A batch of which a part is drawn, as it is otherwise. */
interface Cropped {
  mesh: InstancedMesh;
  count: number;
  matrices: Float32Array;
  colors: Float32Array;
}

/** Draws less. */
export class Crop {
  private readonly lens = new Lens();
  private readonly cropped: Cropped[] = [];
  private readonly hidden: { object: Object3D; layers: number }[] = [];
  private readonly matrix = new Matrix4();

  /** Draws a part of a picture of this size [pixels], without what is elsewhere. */
  draw(scene: Scene, camera: Camera, part: Rect, width: number, height: number, draw: () => void): void {
    this.lens.take(camera, width, height);
    scene.updateMatrixWorld();
    eachDrawn(scene, (drawn) => {
      // Bones and ends of lines are not where their geometry says.
      if (!(drawn instanceof Mesh) || drawn instanceof SkinnedMesh || touchedBy(drawn)) return;
      const box = boxOf(drawn.geometry);
      if (!box) return;
      if (drawn instanceof InstancedMesh) this.crop(drawn, box, part);
      else if (!this.isWithin(box, drawn.matrixWorld, part)) this.hide(drawn);
    });
    draw();
    this.restore();
  }

  private isWithin(box: Box3, world: Matrix4, part: Rect): boolean {
    const hull = new Hull();
    return !this.lens.cover(box, world, hull) || hull.isIn(part);
  }

  /** Its children are drawn all the same. */
  private hide(object: Object3D): void {
    this.hidden.push({ object, layers: object.layers.mask });
    object.layers.mask = 0;
  }

  /** The instances that are drawn move to the front. */
  private crop(mesh: InstancedMesh, box: Box3, part: Rect): void {
    const { matrix } = this;
    const [matrices, colors] = [matricesOf(mesh), colorsOf(mesh)];
    const kept: number[] = [];
    for (let i = 0; i < mesh.count; i += 1) {
      if (this.isWithin(box, matrix.fromArray(matrices, 16 * i).premultiply(mesh.matrixWorld), part)) kept.push(i);
    }
    if (kept.length === mesh.count) return;
    if (kept.length === 0) {
      this.hide(mesh);
      return;
    }
    const { count, instanceMatrix, instanceColor } = mesh;
    this.cropped.push({ mesh, count, matrices: matrices.slice(), colors: colors.slice() });
    for (const [to, from] of kept.entries()) {
      matrices.copyWithin(16 * to, 16 * from, 16 * from + 16);
      colors.copyWithin(3 * to, 3 * from, 3 * from + 3);
    }
    mesh.count = kept.length;
    instanceMatrix.addUpdateRange(0, 16 * kept.length);
    instanceMatrix.needsUpdate = true;
    if (!instanceColor) return;
    instanceColor.addUpdateRange(0, 3 * kept.length);
    instanceColor.needsUpdate = true;
  }

  private restore(): void {
    for (const { object, layers } of this.hidden) object.layers.mask = layers;
    this.hidden.length = 0;
    for (const { mesh, count, matrices, colors } of this.cropped) {
      mesh.count = count;
      matricesOf(mesh).set(matrices);
      colorsOf(mesh).set(colors);
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
    this.cropped.length = 0;
  }
}
