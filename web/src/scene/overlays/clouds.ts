// Clouds that sensors measured, where they were measured, coloured by height, intensity, ring or label on the graphics card.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Group, Matrix4, Points, ShaderMaterial } from "three";
import type { CloudMessage } from "../../protocol/decode";
import { poseMatrix } from "../bodies/pose";

/** What the colours of points tell. */
export type PointColors = "height" | "intensity" | "ring" | "label";

const MODES: Record<PointColors, number> = { height: 0, intensity: 1, ring: 2, label: 3 };

/** How long a cloud stays when time leaps: the same one is not sent again [s]. */
const MAX_STAND = 1;

/** The cloud of one topic. */
interface Cloud {
  vehicle: number;
  object: Points<BufferGeometry, ShaderMaterial>;
  position: BufferAttribute;
  tint: BufferAttribute;
  /** The colours of labels. */
  label: BufferAttribute;
  /** The labels of its points, as they were sent. */
  labels: CloudMessage["labels"];
  count: number;
  /** When it was measured [s]. */
  time: number;
  /** Lowest and highest point [m]. */
  reach: [number, number];
}

/** The clouds of all sensors. */
export class Clouds {
  readonly object = new Group();
  private readonly clouds = new Map<string, Cloud>();
  private vehicle: number | undefined;
  /** Uniforms that all clouds share. */
  private readonly size = { value: 1 };
  private readonly mode = { value: 0 };
  private readonly reach = { value: [0, 1] };

  constructor(private readonly pixels: number) {
    this.size.value = pixels;
    this.object.matrixAutoUpdate = false;
  }

  /** Number of points, and the lowest and the highest [m]. */
  get stats(): { points: number; reach: number[] } {
    let points = 0;
    for (const { count } of this.clouds.values()) points += count;
    return { points, reach: [...this.reach.value] };
  }

  /** Replaces the cloud of a topic. */
  push(message: CloudMessage): void {
    const { vehicle, sensor, topic, points, tints, labels, pose, extent } = message;
    const key = `${vehicle} ${sensor} ${topic}`;
    let cloud = this.clouds.get(key);
    if (cloud === undefined || cloud.position.array.length < points.length) {
      if (cloud !== undefined) remove(cloud);
      cloud = this.make(vehicle, points.length);
      this.clouds.set(key, cloud);
    }
    const { object, position, tint, label } = cloud;
    position.array.set(points);
    tint.array.set(tints);
    cloud.count = points.length / 3;
    cloud.time = message.time;
    for (const attribute of [position, tint]) attribute.needsUpdate = true;
    if (labels !== undefined) {
      if (this.mode.value === MODES.label) paint(labels, label);
    }
    cloud.labels = labels;
    object.geometry.setDrawRange(0, cloud.count);
    const { kind, labelled } = object.material.uniforms;
    if (kind) kind.value = message.tint;
    if (labelled) labelled.value = labels === undefined ? 0 : 1;
    const [x = 0, y = 0, z = 0, yaw = 0, pitch = 0, roll = 0] = pose;
    poseMatrix(x, y, z, yaw, pitch, roll, object.matrix).multiply(new Matrix4().makeScale(extent, extent, extent));
    cloud.reach = heights(points, object.matrix);
    this.measure();
  }

  /** Removes the points that were measured long before or after this time [s]. */
  leap(time: number): void {
    for (const cloud of this.clouds.values()) {
      if (Math.abs(cloud.time - time) <= MAX_STAND) continue;
      cloud.count = 0;
      cloud.object.geometry.setDrawRange(0, 0);
    }
  }

  /** Draws the points of one vehicle only, or of all. */
  only(vehicle: number | undefined): void {
    this.vehicle = vehicle;
    for (const cloud of this.clouds.values()) this.choose(cloud);
  }

  colorBy(colors: PointColors): void {
    this.mode.value = MODES[colors];
    if (colors !== "label") return;
    for (const { labels, label } of this.clouds.values()) if (labels !== undefined) paint(labels, label);
  }

  /** Pixels of the picture per pixel of the page. */
  set pixelRatio(ratio: number) {
    this.size.value = Math.max(this.pixels * ratio, 1.5);
  }

  dispose(): void {
    for (const cloud of this.clouds.values()) remove(cloud);
    this.clouds.clear();
    this.object.removeFromParent();
  }

  private make(vehicle: number, numbers: number): Cloud {
    // The next clouds of a lidar have about as many points.
    const count = Math.ceil((1.25 * numbers) / 3);
    const position = new BufferAttribute(new Int16Array(3 * count), 3, true).setUsage(DynamicDrawUsage);
    const tint = new BufferAttribute(new Uint8Array(2 * count), 2).setUsage(DynamicDrawUsage);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", position);
    geometry.setAttribute("tint", tint);
    const label = new BufferAttribute(new Uint8Array(3 * count), 3, true).setUsage(DynamicDrawUsage);
    geometry.setAttribute("label", label);
    const own = { kind: { value: 0 }, labelled: { value: 0 } };
    const uniforms = { size: this.size, mode: this.mode, reach: this.reach, ...own };
    const object = new Points(
      geometry,
      new ShaderMaterial({ uniforms, vertexShader: VERTEX, fragmentShader: FRAGMENT }),
    );
    object.frustumCulled = false;
    object.matrixAutoUpdate = false;
    object.renderOrder = 2;
    this.object.add(object);
    const cloud: Cloud = {
      vehicle,
      object,
      position,
      tint,
      label,
      labels: undefined,
      count: 0,
      time: 0,
      reach: [0, 0],
    };
    this.choose(cloud);
    return cloud;
  }

  private choose({ object, vehicle }: Cloud): void {
    object.visible = this.vehicle === undefined || this.vehicle === vehicle;
  }

  /** Finds the heights between which the colours run. */
  private measure(): void {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const { count, reach } of this.clouds.values()) {
      if (count === 0) continue;
      low = Math.min(low, reach[0]);
      high = Math.max(high, reach[1]);
    }
    if (high >= low) this.reach.value = [low, Math.max(high, low + 0.1)];
  }
}

function remove({ object }: Cloud): void {
  object.removeFromParent();
  object.geometry.dispose();
  object.material.dispose();
}

/** Writes the colours of labels. */
function paint(labels: NonNullable<CloudMessage["labels"]>, attribute: BufferAttribute): void {
  const { array } = attribute;
  for (let i = 0; i < labels.length; i += 1) {
    const [red, green, blue] = labelColor(labels[i] ?? 0);
    array[3 * i] = red;
    array[3 * i + 1] = green;
    array[3 * i + 2] = blue;
  }
  attribute.needsUpdate = true;
}

/** The colour of a label in pictures and clouds, as `label_color` of src/ros-data/message/labels.rs; none is too dark to be seen. */
export function labelColor(label: number): [number, number, number] {
  if (label === 0) return [0, 0, 0];
  const hash = Math.imul(label, 2654435761) >>> 8;
  const part = (shift: number) => 64 + ((((hash >> shift) & 255) * 3) >> 2);
  return [part(0), part(8), part(16)];
}

/** Lowest and highest point in the world [m]. */
function heights(points: Int16Array, { elements: e }: Matrix4): [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i + 2 < points.length; i += 3) {
    const [x = 0, y = 0, z = 0] = [points[i], points[i + 1], points[i + 2]];
    const height = (e[2] * x + e[6] * y + e[10] * z) / 32767 + e[14];
    if (height < low) low = height;
    if (height > high) high = height;
  }
  return [low, high];
}

// The kinds are those of `Tint` in src/view/sensor_data.rs: 1 intensity and ring, 2 a colour of 16 bits.
const VERTEX = `
attribute vec2 tint;
attribute vec3 label;
uniform float size;
uniform float mode;
uniform float kind;
uniform float labelled;
uniform float reach[2];
varying vec3 shade;
vec3 ramp(float share) {
  // From blue below to orange above, at medium lightness, so that it is visible in both themes.
  float hue = 0.6 - 0.52 * clamp(share, 0.0, 1.0);
  vec3 pure = clamp(abs(mod(hue * 6.0 + vec3(0.0, 4.0, 2.0), 6.0) - 3.0) - 1.0, 0.0, 1.0);
  return 0.5 + 0.75 * (pure - 0.5);
}
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  if (mode > 2.5 && labelled > 0.5) {
    shade = label;
  } else if (mode < 0.5 || mode > 2.5 || kind < 0.5 || (mode > 1.5 && kind > 1.5)) {
    shade = ramp((world.z - reach[0]) / (reach[1] - reach[0]));
  } else if (kind > 1.5) {
    float packed = tint.x + 256.0 * tint.y;
    shade = vec3(floor(packed / 2048.0) / 31.0, floor(mod(packed, 2048.0) / 32.0) / 63.0, mod(packed, 32.0) / 31.0);
  } else if (mode < 1.5) {
    // Most surfaces are dim.
    shade = ramp(sqrt(tint.x / 255.0));
  } else {
    // Neighbours differ.
    shade = ramp(fract(tint.y * 0.381966));
  }
  gl_Position = projectionMatrix * viewMatrix * world;
  gl_PointSize = size;
}`;

const FRAGMENT = `
varying vec3 shade;
void main() {
  gl_FragColor = vec4(shade, 1.0);
}`;
