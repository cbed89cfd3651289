// Binary messages of the server, as src/core/view/delta.rs and src/core/view/points.rs write them.
import type { StateLayout } from "./layout";

export const GREETING = 1;
export const SCENE = 2;
export const STATE = 3;
export const SCAN = 4;
export const STATUS = 5;
export const ANSWER = 6;
export const NOTICE = 7;

/** An instant: SI values, found by a `StateLayout`. */
export interface Sample {
  /** Simulated time [s]. */
  time: number;
  /** Of the scene that it belongs to. */
  revision: number;
  values: Float64Array;
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

/** The JSON behind the first byte. */
export function decodeJson<T>(message: DataView): T {
  const bytes = new Uint8Array(message.buffer, message.byteOffset + 1, message.byteLength - 1);
  return JSON.parse(new TextDecoder().decode(bytes)) as T;
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
    if (message.getUint8(1) & 1) this.counts.fill(0);
    const time = Number(message.getBigInt64(6, true)) * 1e-9;
    let at = 14;
    let index = 0;
    while (at < message.byteLength) {
      let token = 0;
      let weight = 1;
      let byte: number;
      do {
        byte = message.getUint8(at);
        at += 1;
        // Tokens reach beyond the 32 bits of shifts.
        token += (byte & 0x7f) * weight;
        weight *= 128;
      } while (byte & 0x80);
      if (token % 2 === 0) {
        index += token / 2;
        continue;
      }
      const zigzag = (token - 1) / 2;
      const difference = zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
      this.counts[index] = (this.counts[index] ?? 0) + difference;
      index += 1;
    }
    const values = this.counts.map((count, i) => count * (this.layout.resolutions[i] ?? 0));
    return { time, revision, values };
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
  return {
    stride: message.getUint16(2, true),
    revision: message.getUint32(4, true),
    time: Number(message.getBigInt64(8, true)) * 1e-9,
    vehicle: message.getUint16(16, true),
    sensor: message.getUint16(18, true),
    pose,
    ranges,
  };
}
