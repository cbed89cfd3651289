// Lines of some pixels' width, many of them in one draw call, whose ends may change. Each segment is a flat strip that the vertex shader
// turns to the page, with no more to compute for a pixel than its colour: that of three.js takes software several times as long. Each corner of
// a strip has its numbers, because software takes as long for each instance as for a draw call.
import {
  Box3,
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  DynamicDrawUsage,
  InterleavedBuffer,
  InterleavedBufferAttribute,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  type Object3D,
  ShaderMaterial,
  Vector2,
  Vector3,
} from "three";

const WHITE = new Color(1, 1, 1);

const VERTEX = `
uniform vec2 page;
uniform float width;
uniform float cap;
attribute vec3 lineStart;
attribute vec3 lineEnd;
attribute vec3 lineColor;
varying vec3 tint;
void main() {
  tint = lineColor;
  vec4 start = projectionMatrix * modelViewMatrix * vec4(lineStart, 1.0);
  vec4 end = projectionMatrix * modelViewMatrix * vec4(lineEnd, 1.0);
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

const TOUCHED = new WeakMap<Object3D, Box3>();
/** More segments than this come and go as if they were everywhere. */
const MAX_TOUCHED = 64;
const EVERYWHERE = new Box3(new Vector3(-1e9, -1e9, -1e9), new Vector3(1e9, 1e9, 1e9));
const POINT = new Vector3();

/** Where the segments of an object were changed since whoever asks emptied this box [m]; none: it has no segments. */
export function touchedBy(object: Object3D): Box3 | undefined {
  return TOUCHED.get(object);
}

/** Sets the number of segments, at most the capacity; buffers are kept. */
export class LineSet {
  readonly object: Mesh<BufferGeometry, ShaderMaterial> | LineSegments<BufferGeometry, LineBasicMaterial>;
  /** x y z of both ends of each segment, and its colour. */
  private readonly positions: Float32Array;
  private readonly colors: Float32Array;
  /** The corners as they are drawn. */
  private readonly corners: InterleavedBuffer;
  private readonly isWide: boolean;
  private readonly touched = new Box3();
  private shown = true;
  private used = 0;

  /** @param width [px of the page]; 0: thinnest, at a fourth of the cost */
  constructor(
    readonly capacity: number,
    width: number,
    opacity = 1,
  ) {
    this.positions = new Float32Array(6 * capacity);
    this.colors = new Float32Array(3 * capacity);
    this.isWide = width > 0;
    const [count, stride] = this.isWide ? WIDE : THIN;
    this.corners = new InterleavedBuffer(new Float32Array(count * stride * capacity), stride);
    this.corners.setUsage(DynamicDrawUsage);
    this.object = this.isWide ? wideLines(this.corners, capacity, width, opacity) : thinLines(this.corners);
    this.object.frustumCulled = false;
    this.object.visible = false;
    TOUCHED.set(this.object, this.touched);
  }

  /** How many of the segments are drawn. */
  set count(count: number) {
    const before = this.used;
    this.used = Math.min(count, this.capacity);
    const [first, last] = [Math.min(before, this.used), Math.max(before, this.used)];
    if (last - first > MAX_TOUCHED) this.touched.set(EVERYWHERE.min, EVERYWHERE.max);
    else for (let segment = first; segment < last; segment += 1) this.note(segment);
    this.object.geometry.setDrawRange(0, (this.isWide ? STRIP_CORNERS.length : THIN[0]) * this.used);
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
    const { positions } = this;
    if (this.has(at, x0, y0, z0, x1, y1, z1, color)) return;
    const isUsed = segment < this.used;
    if (isUsed) this.note(segment);
    positions[at] = x0;
    positions[at + 1] = y0;
    positions[at + 2] = z0;
    positions[at + 3] = x1;
    positions[at + 4] = y1;
    positions[at + 5] = z1;
    if (isUsed) this.note(segment);
    this.paint(segment, color);
  }

  /** Changes the colour of a segment. */
  paint(segment: number, color: Color): void {
    const { positions, colors, corners } = this;
    color.toArray(colors, 3 * segment);
    const [count, stride] = this.isWide ? WIDE : THIN;
    const size = count * stride;
    const array = corners.array as Float32Array;
    for (let corner = 0; corner < count; corner += 1) {
      const to = segment * size + corner * stride;
      const from = 6 * segment + (this.isWide ? 0 : 3 * corner);
      for (let i = 0; i < stride - 3; i += 1) array[to + i] = positions[from + i] ?? 0;
      color.toArray(array, to + stride - 3);
    }
    // Many ranges cost more than all at once.
    const { updateRanges } = corners;
    if (updateRanges.length < 64) corners.addUpdateRange(segment * size, size);
    else if (updateRanges.length === 64) updateRanges.push({ start: 0, count: array.length });
    corners.needsUpdate = true;
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

  /** Whether a segment is like that already. */
  private has(
    at: number,
    x0: number,
    y0: number,
    z0: number,
    x1: number,
    y1: number,
    z1: number,
    color: Color,
  ): boolean {
    const { positions: p, colors: c } = this;
    return (
      p[at] === Math.fround(x0) &&
      p[at + 1] === Math.fround(y0) &&
      p[at + 2] === Math.fround(z0) &&
      p[at + 3] === Math.fround(x1) &&
      p[at + 4] === Math.fround(y1) &&
      p[at + 5] === Math.fround(z1) &&
      c[at / 2] === Math.fround(color.r) &&
      c[at / 2 + 1] === Math.fround(color.g) &&
      c[at / 2 + 2] === Math.fround(color.b)
    );
  }

  /** A segment was changed, or is about to be. */
  private note(segment: number): void {
    const at = 6 * segment;
    this.touched
      .expandByPoint(POINT.fromArray(this.positions, at))
      .expandByPoint(POINT.fromArray(this.positions, at + 3));
  }
}

/** Corners of a segment, and numbers of each: both ends and the colour, or its own end and the colour. */
const WIDE = [4, 9] as const;
const THIN = [2, 6] as const;
/** Across x from -0.5 to 0.5, along y from 0 to 1. */
const STRIP = [-0.5, 0, 0, 0.5, 0, 0, 0.5, 1, 0, -0.5, 1, 0];
/** The corners of its two triangles. */
const STRIP_CORNERS = [0, 1, 2, 0, 2, 3];

function wideLines(
  corners: InterleavedBuffer,
  capacity: number,
  width: number,
  opacity: number,
): Mesh<BufferGeometry, ShaderMaterial> {
  const geometry = new BufferGeometry();
  const strips = new Float32Array(STRIP.length * capacity);
  const index = new Uint32Array(STRIP_CORNERS.length * capacity);
  for (let segment = 0; segment < capacity; segment += 1) {
    strips.set(STRIP, STRIP.length * segment);
    for (const [i, corner] of STRIP_CORNERS.entries()) index[STRIP_CORNERS.length * segment + i] = 4 * segment + corner;
  }
  geometry.setAttribute("position", new BufferAttribute(strips, 3));
  geometry.setIndex(new BufferAttribute(index, 1));
  geometry.setAttribute("lineStart", new InterleavedBufferAttribute(corners, 3, 0));
  geometry.setAttribute("lineEnd", new InterleavedBufferAttribute(corners, 3, 3));
  geometry.setAttribute("lineColor", new InterleavedBufferAttribute(corners, 3, 6));
  geometry.setDrawRange(0, 0);
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

function thinLines(corners: InterleavedBuffer): LineSegments<BufferGeometry, LineBasicMaterial> {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new InterleavedBufferAttribute(corners, 3, 0));
  geometry.setAttribute("color", new InterleavedBufferAttribute(corners, 3, 3));
  geometry.setDrawRange(0, 0);
  return new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true }));
}
