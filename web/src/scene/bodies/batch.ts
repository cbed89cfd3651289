// Equal parts of many bodies in one draw call each: one geometry with one material, and a matrix for each part.
import {
  type BufferGeometry,
  type Color,
  DynamicDrawUsage,
  InstancedBufferAttribute,
  InstancedMesh,
  type Material,
  Matrix4,
  type Object3D,
} from "three";
import { Lamp } from "../environment/lamps";
import { formFor, type Grain } from "./detail";
import { multiplyInto } from "./pose";

/** All parts that share geometry and material. */
export class Batch {
  mesh: InstancedMesh;
  private used = 0;
  private shown = true;

  constructor(
    private readonly parent: Object3D,
    readonly geometry: BufferGeometry,
    readonly material: Material,
    private readonly castsShadow: boolean,
  ) {
    this.mesh = this.make(1);
  }

  /** A place for one more part. */
  add(): number {
    const slot = this.used;
    this.used += 1;
    const capacity = this.mesh.instanceMatrix.count;
    if (this.used > capacity) {
      const { instanceColor: colors, instanceMatrix } = this.mesh;
      const { array } = instanceMatrix;
      this.parent.remove(this.mesh);
      this.mesh.dispose();
      this.mesh = this.make(2 * capacity);
      this.mesh.instanceMatrix.array.set(array);
      if (colors) this.tints.array.set(colors.array);
    }
    this.mesh.count = this.used;
    this.hide(slot);
    return slot;
  }

  /** Gives a part a colour of its own, by which that of the material is multiplied. */
  tint(slot: number, color: Color): void {
    color.toArray(this.tints.array, 3 * slot);
    this.tints.needsUpdate = true;
  }

  /** Draws the corners that can be told apart in a picture, or all. */
  fit(grain: Grain | undefined): void {
    const { mesh, geometry } = this;
    const pixel = grain?.at(geometry, mesh.instanceMatrix.array, mesh.count) ?? 0;
    mesh.geometry = grain ? formFor(geometry, pixel, mesh.geometry) : geometry;
  }

  set isShown(shown: boolean) {
    this.shown = shown;
    this.mesh.visible = shown;
  }

  /** Puts a part at a·b. */
  place(slot: number, a: Matrix4, b: Matrix4): void {
    const { instanceMatrix } = this.mesh;
    multiplyInto(a, b, instanceMatrix.array as Float32Array, 16 * slot);
    instanceMatrix.needsUpdate = true;
  }

  /** Hides a part until it is placed again. */
  hide(slot: number): void {
    const { instanceMatrix } = this.mesh;
    instanceMatrix.array.fill(0, 16 * slot, 16 * slot + 16);
    instanceMatrix.needsUpdate = true;
  }

  /** The colours of all parts, white until they are given one. */
  private get tints(): InstancedBufferAttribute {
    const { mesh } = this;
    mesh.instanceColor ??= new InstancedBufferAttribute(new Float32Array(3 * mesh.instanceMatrix.count).fill(1), 3);
    return mesh.instanceColor;
  }

  private make(capacity: number): InstancedMesh {
    const mesh = new InstancedMesh(this.geometry, this.material, capacity);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.frustumCulled = false;
    mesh.matrixAutoUpdate = false;
    mesh.castShadow = this.castsShadow && !this.material.transparent;
    mesh.receiveShadow = this.castsShadow;
    mesh.count = 0;
    mesh.visible = this.shown;
    this.parent.add(mesh);
    return mesh;
  }
}

/** The batches of a scene. */
export class Batches {
  private readonly batches = new Map<string, Batch>();

  constructor(private readonly parent: Object3D) {}

  /** The batch of a geometry with a material. */
  of(geometry: BufferGeometry, material: Material, castsShadow = true): Batch {
    const key = `${geometry.uuid} ${material.uuid} ${castsShadow}`;
    let batch = this.batches.get(key);
    if (!batch) {
      batch = new Batch(this.parent, geometry, material, castsShadow);
      this.batches.set(key, batch);
    }
    return batch;
  }

  /** Draws the corners that can be told apart in a picture, or all. */
  fit(grain: Grain | undefined): void {
    for (const batch of this.batches.values()) batch.fit(grain);
  }

  clear(): void {
    for (const batch of this.batches.values()) {
      this.parent.remove(batch.mesh);
      batch.mesh.dispose();
    }
    this.batches.clear();
  }
}

interface Part {
  batch: Batch;
  slot: number;
  local: Matrix4;
}

const IDENTITY = new Matrix4();

/** Parts and other objects that move together. */
export class Rigid {
  readonly matrix = new Matrix4();
  /** Whether bodies can stand on its surfaces. */
  bears = false;
  private readonly lamps: Lamp[] = [];
  private readonly shining = new Map<Lamp["role"], boolean>();
  private readonly parts: Part[] = [];
  private readonly objects: { object: Object3D; local: Matrix4 }[] = [];
  private isShown = true;

  /** Adds a part, with a colour of its own if it has one; the returned function removes it. */
  add(batch: Batch, local: Matrix4 = IDENTITY, color?: Color): () => void {
    const part = { batch, slot: batch.add(), local };
    if (color) batch.tint(part.slot, color);
    this.parts.push(part);
    if (this.isShown) batch.place(part.slot, this.matrix, local);
    return () => {
      this.parts.splice(this.parts.indexOf(part), 1);
      batch.hide(part.slot);
    };
  }

  /** Adds a part that shines at times. @param own its colour when it does not */
  addLamp(batch: Batch, local: Matrix4, role: Lamp["role"], own: Color): void {
    this.add(batch, local);
    const slot = this.parts.at(-1)?.slot ?? 0;
    const lamp = new Lamp(role, own, (color) => batch.tint(slot, color));
    lamp.isOn = this.shining.get(role) ?? false;
    this.lamps.push(lamp);
  }

  /** Switches its lamps of a kind on or off, those too that come later. */
  shine(role: Lamp["role"], isOn: boolean): void {
    if (isOn === this.shining.get(role)) return;
    this.shining.set(role, isOn);
    for (const lamp of this.lamps) if (lamp.role === role) lamp.isOn = isOn;
  }

  /** Adds an object that is drawn separately and is already in the scene. */
  attach(object: Object3D, local: Matrix4 = IDENTITY): void {
    object.matrixAutoUpdate = false;
    this.objects.push({ object, local });
    this.place();
  }

  /** Takes over `matrix`, which was changed. */
  place(): void {
    if (!this.isShown) return;
    for (const { batch, slot, local } of this.parts) batch.place(slot, this.matrix, local);
    for (const { object, local } of this.objects) {
      object.matrix.multiplyMatrices(this.matrix, local);
      object.matrixWorldNeedsUpdate = true;
    }
  }
}
