// Binary messages of the server, as delta.rs, points.rs and sensor_data.rs in src/view/ write them.
import type { StateLayout } from "./layout";
import type { Layout, ReadingView, SceneView } from "./types";

export const GREETING = 1;
export const SCENE = 2;
export const STATE = 3;
export const SCAN = 4;
export const STATUS = 5;
export const ANSWER = 6;
export const NOTICE = 7;
export const CLOUD = 8;
export const PICTURE = 9;
export const READING = 10;
export const COMPACT_SCAN = 11;

/** Added to the second byte of a cloud that has labels. */
const LABELLED = 4;

/** Flags of a state. */
const KEY = 1;
const PARTIAL = 2;
/** One count of ranges in compact scans [m]. */
const STEP = 2e-3;

/** An instant: SI values, found by a `StateLayout`. */
export interface Sample {
  /** Simulated time [s]. */
  time: number;
  /** Of the scene that it belongs to. */
  revision: number;
  values: Float64Array;
  /**
   * Index of the only vehicle whose values are all of this instant, 65535 for none: of the others only those of the channels
   * `seen` of the layout are. Undefined: all values are.
   */
  only?: number;
}

/** A scan in the frame of its sensor, and where that was. */
export interface ScanMessage {
  time: number;
  revision: number;
  vehicle: number;
  sensor: number;
  /** x y z [m] yaw pitch roll [rad] of the sensor in the world. */
  pose: Float32Array;
  /** `ranges` contains every `stride`-th beam. */
  stride: number;
  /** [m]; NaN where there is nothing. */
  ranges: Float32Array;
}

/** The topic of a sensor, and when it was sampled. */
interface TopicMessage {
  time: number;
  revision: number;
  /** Indices. */
  vehicle: number;
  sensor: number;
  topic: number;
}

/** A cloud in the frame of its sensor, and where that was. */
export interface CloudMessage extends TopicMessage {
  /** x y z [m] yaw pitch roll [rad] of the sensor in the world. */
  pose: Float32Array;
  /** What the largest number of `points` stands for [m]. */
  extent: number;
  /** x y z of each point; 32767 is the extent. */
  points: Int16Array<ArrayBuffer>;
  /** 0: `tints` are nothing, 1: intensity and ring, 2: a colour of 16 bits. */
  tint: number;
  /** Two bytes for each point. */
  tints: Uint8Array<ArrayBuffer>;
  /** For each point the numbers of its class and, times 65536, of its body; 0: nothing was hit. Undefined: the cloud has no labels. */
  labels?: Uint32Array<ArrayBuffer>;
}

/** A picture. */
export interface PictureMessage extends TopicMessage {
  /** Depth of black [m]; 0: not a picture of depths. */
  black: number;
  jpeg: Uint8Array<ArrayBuffer>;
}

/** The numbers that a sensor measured. */
export interface ReadingMessage extends TopicMessage, ReadingView {}

/** The JSON behind the first byte. */
export function decodeJson<T>(message: DataView): T {
  const bytes = new Uint8Array(message.buffer, message.byteOffset + 1, message.byteLength - 1);
  return JSON.parse(new TextDecoder().decode(bytes)) as T;
}

/** A scene, in which the texts that shapes share are back in their places. */
export function decodeScene(message: DataView): SceneView {
  const { shared, ...scene } = decodeJson<SceneView>(message);
  if (shared === undefined) return scene;
  const whole = (text: string): string => (text.startsWith("#") ? (shared[Number(text.slice(1))] ?? "") : text);
  const bodies = [...scene.vehicles, ...scene.vehicles.flatMap((vehicle) => vehicle.wheels)];
  for (const { drawings } of [
    ...bodies,
    ...scene.blocks,
    ...scene.planes,
    ...scene.actors,
    { drawings: scene.fixed },
  ]) {
    for (const { shape } of drawings) {
      if (shape.is !== "triangles") continue;
      shape.corners = whole(shape.corners);
      shape.colors = whole(shape.colors);
      shape.on_picture = whole(shape.on_picture);
    }
  }
  return scene;
}

/** Reads whole numbers in LEB128. */
class Tokens {
  constructor(
    private readonly message: DataView,
    private at: number,
  ) {}

  next(): number {
    let token = 0;
    let weight = 1;
    let byte: number;
    do {
      byte = this.message.getUint8(this.at);
      this.at += 1;
      // Tokens reach beyond the 32 bits of shifts.
      token += (byte & 0x7f) * weight;
      weight *= 128;
    } while (byte & 0x80);
    return token;
  }

  /** Goes through the changes that are left: even tokens skip so many places, odd ones change the next by a difference. */
  eachChange(change: (index: number, difference: number) => void): void {
    let index = 0;
    while (this.at < this.message.byteLength) {
      const token = this.next();
      if (token % 2 === 0) {
        index += token / 2;
        continue;
      }
      change(index, signed((token - 1) / 2));
      index += 1;
    }
  }
}

/** The whole number for which one that is not negative stands. */
function signed(zigzag: number): number {
  return zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
}

/** Follows the states of one connection. */
export class StateDecoder {
  private readonly counts: Float64Array;

  constructor(
    private readonly layout: StateLayout,
    private readonly revision: number,
  ) {
    this.counts = new Float64Array(layout.size);
  }

  /** The state of a message; none when it belongs to another scene. */
  decode(message: DataView): Sample | undefined {
    const revision = message.getUint32(2, true);
    if (revision !== this.revision) return undefined;
    const flags = message.getUint8(1);
    if (flags & KEY) this.counts.fill(0);
    const time = Number(message.getBigInt64(6, true)) * 1e-9;
    const isPartial = (flags & PARTIAL) !== 0;
    new Tokens(message, isPartial ? 16 : 14).eachChange((index, difference) => {
      this.counts[index] = (this.counts[index] ?? 0) + difference;
    });
    const values = this.counts.map((count, i) => count * (this.layout.resolutions[i] ?? 0));
    return isPartial ? { time, revision, values, only: message.getUint16(14, true) } : { time, revision, values };
  }
}

/** The scan of a message. */
export function decodeScan(message: DataView): ScanMessage {
  const pose = Float32Array.from({ length: 6 }, (_, i) => message.getFloat32(20 + 4 * i, true));
  const scale = message.getFloat32(44, true) / 65534;
  const count = (message.byteLength - 48) / 2;
  const ranges = Float32Array.from({ length: count }, (_, i) => {
    const value = message.getUint16(48 + 2 * i, true);
    return value === 65535 ? Number.NaN : value * scale;
  });
  return scan(message, pose, ranges);
}

/** A scan whose message has the stride where others have the topic. */
function scan(message: DataView, pose: Float32Array, ranges: Float32Array): ScanMessage {
  const { topic: stride, time, revision, vehicle, sensor } = decodeTopic(message);
  return { stride, time, revision, vehicle, sensor, pose, ranges };
}

/** The scan of a compact message. */
export function decodeCompactScan(message: DataView, pose: Layout["pose"]): ScanMessage {
  const tokens = new Tokens(message, 20);
  const at = Float32Array.from(pose, ({ resolution }) => signed(tokens.next()) * resolution);
  const ranges = new Float32Array(tokens.next()).fill(Number.NaN);
  let count = 0;
  tokens.eachChange((index, difference) => {
    count += difference;
    ranges[index] = count * STEP;
  });
  return scan(message, at, ranges);
}

function decodeTopic(message: DataView): TopicMessage {
  return {
    topic: message.getUint16(2, true),
    revision: message.getUint32(4, true),
    time: Number(message.getBigInt64(8, true)) * 1e-9,
    vehicle: message.getUint16(16, true),
    sensor: message.getUint16(18, true),
  };
}

/** A copy of some bytes, aligned for any numbers. */
function part(message: DataView, start: number, end = message.byteLength): ArrayBuffer {
  return new Uint8Array(message.buffer, message.byteOffset + start, end - start).slice().buffer;
}

/** The cloud of a message. Every machine with a browser is little-endian, as messages are. */
export function decodeCloud(message: DataView): CloudMessage {
  const hasLabels = (message.getUint8(1) & LABELLED) !== 0;
  const count = Math.floor((message.byteLength - 48) / (hasLabels ? 12 : 8));
  return {
    ...decodeTopic(message),
    tint: message.getUint8(1) & ~LABELLED,
    pose: Float32Array.from({ length: 6 }, (_, i) => message.getFloat32(20 + 4 * i, true)),
    extent: message.getFloat32(44, true),
    points: new Int16Array(part(message, 48, 48 + 6 * count)),
    tints: new Uint8Array(part(message, 48 + 6 * count, 48 + 8 * count)),
    ...(hasLabels && { labels: new Uint32Array(part(message, 48 + 8 * count, 48 + 12 * count)) }),
  };
}

/** The reading of a message. */
export function decodeReading(message: DataView): ReadingMessage {
  const view = JSON.parse(new TextDecoder().decode(part(message, 20))) as ReadingView;
  return { ...decodeTopic(message), ...view };
}

/** The picture of a message. */
export function decodePicture(message: DataView): PictureMessage {
  return { ...decodeTopic(message), black: message.getFloat32(20, true), jpeg: new Uint8Array(part(message, 24)) };
}
