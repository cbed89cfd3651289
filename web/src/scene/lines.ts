// Lines of some pixels' width, many of them in one draw call, whose ends may change. Each segment is a flat strip that the vertex shader
// turns to the page, with no more to compute for a pixel than its colour: that of three.js takes software several times as long.
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  DynamicDrawUsage,
  InstancedBufferGeometry,
  InstancedInterleavedBuffer,
  InterleavedBufferAttribute,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  ShaderMaterial,
  Vector2,
} from "three";

const WHITE = new Color(1, 1, 1);

const VERTEX = `
uniform vec2 page;
uniform float width;
uniform float cap;
attribute vec3 instanceStart;
attribute vec3 instanceEnd;
attribute vec3 instanceColor;
varying vec3 tint;
void main() {
  tint = instanceColor;
  vec4 start = projectionMatrix * modelViewMatrix * vec4(instanceStart, 1.0);
  vec4 end = projectionMatrix * modelViewMatrix * vec4(instanceEnd, 1.0);
  // An end behind the camera moves to where the picture begins.
  float a = start.z + start.w;
  float b = end.z + end.w;
  if (a < 0.0 && b < 0.0) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    return;
  }
  if (a < 0.0) start = mix(start, end, a / (a - b));
  if (b < 0.0) end = mix(end, start, b / (b - a));
  vec2 along = (end.xy / end.w - start.xy / start.w) * page;
  float size = length(along);
  along = size > 1e-6 ? along / size : vec2(1.0, 0.0);
  vec2 across = vec2(-along.y, along.x);
  gl_Position = position.y < 0.5 ? start : end;
  gl_Position.xy += width * (across * position.x + cap * along * (2.0 * position.y - 1.0)) / page * gl_Position.w;
}`;

const FRAGMENT = `
uniform float opacity;
varying vec3 tint;
void main() {
  gl_FragColor = vec4(tint, opacity);
}`;

/** Sets the number of segments, at most the capacity; buffers are kept. */
export class LineSet {
  readonly object: Mesh<InstancedBufferGeometry, ShaderMaterial> | LineSegments<BufferGeometry, LineBasicMaterial>;
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
    if (geometry instanceof InstancedBufferGeometry) geometry.instanceCount = this.used;
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

/** Across x from -0.5 to 0.5, along y from 0 to 1. */
const STRIP = new Float32Array([-0.5, 0, 0, 0.5, 0, 0, 0.5, 1, 0, -0.5, 1, 0]);

function wideLines(
  positions: InstancedInterleavedBuffer,
  colors: InstancedInterleavedBuffer,
  width: number,
  opacity: number,
): Mesh<InstancedBufferGeometry, ShaderMaterial> {
  const geometry = new InstancedBufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(STRIP, 3));
  geometry.setIndex([0, 1, 2, 0, 2, 3]);
  geometry.setAttribute("instanceStart", new InterleavedBufferAttribute(positions, 3, 0));
  geometry.setAttribute("instanceEnd", new InterleavedBufferAttribute(positions, 3, 3));
  geometry.setAttribute("instanceColor", new InterleavedBufferAttribute(colors, 3, 0));
  geometry.instanceCount = 0;
  const isSolid = opacity >= 1;
  /** Half the size of the canvas on the page: widths are in its pixels, however finely it is drawn. */
  const page = new Vector2(1, 1);
  // Solid ones reach a little beyond their ends, which closes gaps where paths bend.
  const cap = isSolid ? 0.5 : 0;
  const material = new ShaderMaterial({
    uniforms: { page: { value: page }, width: { value: width }, cap: { value: cap }, opacity: { value: opacity } },
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    transparent: !isSolid,
    depthWrite: isSolid,
    // Which way round a strip lies depends on where it leads.
    side: DoubleSide,
  });
  const object = new Mesh(geometry, material);
  object.onBeforeRender = (renderer) => {
    renderer.getSize(page).multiplyScalar(0.5);
    material.uniformsNeedUpdate = true;
  };
  return object;
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
