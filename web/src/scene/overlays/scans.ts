// Points that lidars measured, where they were measured: all of them in one object with buffers of fixed size.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Matrix4, Points, ShaderMaterial } from "three";
import type { ScanMessage } from "../../protocol/decode";
import type { SceneView, SensorView } from "../../protocol/types";
import { poseMatrix } from "../bodies/pose";
import { colorOf, type Theme } from "../drawing/theme";

/** Most points of all sensors together; further sensors get none. */
const MAX_POINTS = 400_000;
/** Where points are that are not there: behind everything that is drawn. */
const NOWHERE = 1e9;

interface Slot {
  sensor: SensorView;
  first: number;
  /** How many points it has. */
  count: number;
}

/** The points of all sensors. */
export class Scans {
  readonly object: Points<BufferGeometry, ShaderMaterial>;
  readonly positions: Float32Array;
  private readonly slots: Slot[][] = [];
  /** First point of each vehicle, and of the one that is not there any more. */
  private readonly firsts: number[] = [];
  private readonly position: BufferAttribute;
  private readonly color: BufferAttribute;
  /** The points that are there: software takes as long for the others. */
  private readonly index: BufferAttribute;
  private isListed = true;
  private vehicle: number | undefined;
  private readonly matrix = new Matrix4();

  constructor(
    scene: SceneView,
    private readonly size: number,
  ) {
    let total = 0;
    for (const vehicle of scene.vehicles) {
      this.firsts.push(total);
      this.slots.push(
        vehicle.sensors.map((sensor) => {
          const first = total;
          total = Math.min(total + sensor.count, MAX_POINTS);
          return { sensor, first, count: 0 };
        }),
      );
    }
    this.firsts.push(total);
    this.positions = new Float32Array(3 * total).fill(NOWHERE);
    this.position = new BufferAttribute(this.positions, 3).setUsage(DynamicDrawUsage);
    this.color = new BufferAttribute(new Float32Array(3 * total), 3);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", this.position);
    geometry.setAttribute("color", this.color);
    this.index = new BufferAttribute(new Uint32Array(total), 1).setUsage(DynamicDrawUsage);
    geometry.setIndex(this.index);
    geometry.setDrawRange(0, 0);
    this.object = new Points(geometry, pointMaterial(size));
    this.object.frustumCulled = false;
    this.object.renderOrder = 2;
  }

  /** Replaces the points of a sensor by those of its new scan. Returns whether the sensor exists. */
  push(scan: ScanMessage): boolean {
    const slot = this.slots[scan.vehicle]?.[scan.sensor];
    const { positions } = this;
    if (!slot) return false;
    const { sensor, first } = slot;
    const last = Math.min(first + sensor.count, positions.length / 3);
    const [px = 0, py = 0, pz = 0, yaw = 0, pitch = 0, roll = 0] = scan.pose;
    const e = poseMatrix(px, py, pz, yaw, pitch, roll, this.matrix).elements;
    let at = 3 * first;
    const end = 3 * last;
    for (let i = 0; i < scan.ranges.length && at < end; i += 1) {
      const range = scan.ranges[i] as number;
      if (Number.isNaN(range)) continue;
      const angle = sensor.angle_min + i * scan.stride * sensor.angle_increment;
      const x = range * Math.cos(angle);
      const y = range * Math.sin(angle);
      positions[at] = e[0] * x + e[4] * y + e[12];
      positions[at + 1] = e[1] * x + e[5] * y + e[13];
      positions[at + 2] = e[2] * x + e[6] * y + e[14];
      at += 3;
    }
    positions.fill(NOWHERE, at, end);
    slot.count = at / 3 - first;
    this.isListed = false;
    this.position.addUpdateRange(3 * first, end - 3 * first);
    this.position.needsUpdate = true;
    return true;
  }

  /** Removes all points. */
  clear(): void {
    this.positions.fill(NOWHERE);
    for (const slot of this.slots.flat()) slot.count = 0;
    this.isListed = false;
    this.position.addUpdateRange(0, this.positions.length);
    this.position.needsUpdate = true;
  }

  /** Draws the points of one vehicle only, or of all. */
  only(vehicle: number | undefined): void {
    if (vehicle === this.vehicle) return;
    this.vehicle = vehicle;
    this.isListed = false;
  }

  /** Lists the points that are drawn, before a picture is. */
  list(): void {
    if (this.isListed) return;
    this.isListed = true;
    const slots = this.vehicle === undefined ? this.slots : [this.slots[this.vehicle] ?? []];
    let listed = 0;
    for (const { first, count } of slots.flat()) {
      for (let i = 0; i < count; i += 1) this.index.array[listed + i] = first + i;
      listed += count;
    }
    this.object.geometry.setDrawRange(0, listed);
    this.index.clearUpdateRanges();
    this.index.addUpdateRange(0, listed);
    this.index.needsUpdate = true;
  }

  /** Pixels of the picture per pixel of the page. */
  set pixelRatio(ratio: number) {
    const { size } = this.object.material.uniforms;
    if (size) size.value = Math.max(this.size * ratio, 1.5);
  }

  /** Colours the points by vehicle. */
  paint(theme: Theme): void {
    for (let vehicle = 0; vehicle + 1 < this.firsts.length; vehicle += 1) {
      const color = colorOf(theme, vehicle);
      for (let i = this.firsts[vehicle] ?? 0; i < (this.firsts[vehicle + 1] ?? 0); i += 1)
        color.toArray(this.color.array, 3 * i);
    }
    this.color.needsUpdate = true;
  }

  dispose(): void {
    this.object.removeFromParent();
    this.object.geometry.dispose();
    this.object.material.dispose();
  }
}

const POINT_VERTEX = `
attribute vec3 color;
uniform float size;
varying vec3 tint;
void main() {
  tint = color;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  gl_PointSize = size;
}`;

const POINT_FRAGMENT = `
varying vec3 tint;
void main() {
  gl_FragColor = vec4(tint, 1.0);
}`;

/** Points of some pixels [px of the page]: square, which is least work. */
export function pointMaterial(size: number): ShaderMaterial {
  return new ShaderMaterial({
    uniforms: { size: { value: size } },
    vertexShader: POINT_VERTEX,
    fragmentShader: POINT_FRAGMENT,
  });
}
