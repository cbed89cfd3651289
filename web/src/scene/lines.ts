// Lines of some pixels' width, many of them in one draw call, whose ends may change.
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DynamicDrawUsage,
  InstancedInterleavedBuffer,
  InterleavedBufferAttribute,
  LineBasicMaterial,
  LineSegments,
} from "three";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";

const WHITE = new Color(1, 1, 1);

/** Sets the number of segments, at most the capacity; buffers are kept. */
export class LineSet {
  readonly object: LineSegments2 | LineSegments<BufferGeometry, LineBasicMaterial>;
  private readonly positions: Float32Array<ArrayBuffer>;
  private readonly colors: Float32Array<ArrayBuffer>;
  private readonly positionBuffer: BufferAttribute | InstancedInterleavedBuffer;
  private readonly colorBuffer: BufferAttribute | InstancedInterleavedBuffer;
  private shown = true;
  private used = 0;

  /** @param width [px of the page]; 0: thinnest, at a fourth of the cost */
  constructor(
    readonly capacity: number,
    width: number,
    opacity = 1,
  ) {
    this.positions = new Float32Array(6 * capacity);
    this.colors = new Float32Array(6 * capacity);
    if (width === 0) {
      this.positionBuffer = new BufferAttribute(this.positions, 3).setUsage(DynamicDrawUsage);
      this.colorBuffer = new BufferAttribute(this.colors, 3).setUsage(DynamicDrawUsage);
      this.object = thinLines(this.positionBuffer, this.colorBuffer);
    } else {
      const interleaved = (numbers: Float32Array<ArrayBuffer>) => {
        const buffer = new InstancedInterleavedBuffer(numbers, 6, 1);
        buffer.setUsage(DynamicDrawUsage);
        return buffer;
      };
      this.positionBuffer = interleaved(this.positions);
      this.colorBuffer = interleaved(this.colors);
      this.object = wideLines(this.positionBuffer, this.colorBuffer, width, opacity);
    }
    this.object.frustumCulled = false;
    this.object.visible = false;
  }

  /** How many of the segments are drawn. */
  set count(count: number) {
    this.used = Math.min(count, this.capacity);
    const { geometry } = this.object;
    if (geometry instanceof LineSegmentsGeometry) geometry.instanceCount = this.used;
    else geometry.setDrawRange(0, 2 * this.used);
    this.object.visible = this.shown && count > 0;
  }

  set isShown(shown: boolean) {
    this.shown = shown;
    this.object.visible = shown && this.count > 0;
  }

  get count(): number {
    return this.used;
  }

  /** Sets a segment. */
  set(segment: number, x0: number, y0: number, z0: number, x1: number, y1: number, z1: number, color = WHITE): void {
    const at = 6 * segment;
    if (at < 0 || at >= this.positions.length) return;
    const { positions, colors } = this;
    positions[at] = x0;
    positions[at + 1] = y0;
    positions[at + 2] = z0;
    positions[at + 3] = x1;
    positions[at + 4] = y1;
    positions[at + 5] = z1;
    color.toArray(colors, at);
    color.toArray(colors, at + 3);
    this.touch(this.positionBuffer, at);
    this.touch(this.colorBuffer, at);
  }

  /** Changes the colour of a segment. */
  paint(segment: number, color: Color): void {
    color.toArray(this.colors, 6 * segment);
    color.toArray(this.colors, 6 * segment + 3);
    this.touch(this.colorBuffer, 6 * segment);
  }

  /** The two ends of a segment, x y z each. */
  ends(segment: number): Float32Array {
    return this.positions.subarray(6 * segment, 6 * segment + 6);
  }

  dispose(): void {
    this.object.removeFromParent();
    this.object.geometry.dispose();
    this.object.material.dispose();
  }

  private touch(buffer: BufferAttribute | InstancedInterleavedBuffer, at: number): void {
    // Many ranges cost more than all at once.
    if (buffer.updateRanges.length < 64) buffer.addUpdateRange(at, 6);
    else if (buffer.updateRanges.length === 64) buffer.updateRanges.push({ start: 0, count: buffer.array.length });
    buffer.needsUpdate = true;
  }
}

function wideLines(
  positions: InstancedInterleavedBuffer,
  colors: InstancedInterleavedBuffer,
  width: number,
  opacity: number,
): LineSegments2 {
  const geometry = new LineSegmentsGeometry();
  geometry.setAttribute("instanceStart", new InterleavedBufferAttribute(positions, 3, 0));
  geometry.setAttribute("instanceEnd", new InterleavedBufferAttribute(positions, 3, 3));
  geometry.setAttribute("instanceColorStart", new InterleavedBufferAttribute(colors, 3, 0));
  geometry.setAttribute("instanceColorEnd", new InterleavedBufferAttribute(colors, 3, 3));
  geometry.instanceCount = 0;
  const material = new LineMaterial({ linewidth: width, vertexColors: true, transparent: opacity < 1, opacity });
  material.depthWrite = opacity >= 1;
  return new LineSegments2(geometry, material);
}

function thinLines(
  positions: BufferAttribute,
  colors: BufferAttribute,
): LineSegments<BufferGeometry, LineBasicMaterial> {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", positions);
  geometry.setAttribute("color", colors);
  geometry.setDrawRange(0, 0);
  return new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true }));
}
