// Lines on the ground, drawn in two ways that look alike: pixel by pixel, smooth at any angle; and as thin lines, where software draws, at a tenth
// of the cost.
import {
  BufferAttribute,
  BufferGeometry,
  type Camera,
  Color,
  CustomBlending,
  DynamicDrawUsage,
  Frustum,
  LineSegments,
  Matrix4,
  Mesh,
  OneFactor,
  OneMinusSrcAlphaFactor,
  PlaneGeometry,
  ShaderMaterial,
  Vector2,
  Vector3,
} from "three";

/** Lines of one distance. */
export interface Level {
  /** [m] */
  interval: number;
  opacity: number;
}

/** How far lines are seen, in distances of the camera. */
const REACH = 12;
/** The same for each level, in their own intervals: farther away they would be a veil. */
const MAX_LINES = 20;

/** Blended, and yet drawn before everything else. */
const FIRST = {
  blending: CustomBlending,
  blendSrcAlpha: OneFactor,
  blendDstAlpha: OneMinusSrcAlphaFactor,
  depthTest: false,
  depthWrite: false,
} as const;

const SMOOTH_VERTEX = `
uniform float reach;
uniform vec2 middle;
varying vec2 place;
varying vec2 off;
void main() {
  off = position.xy;
  // From a crossing of all lines nearby, so that numbers stay small.
  place = middle + reach * position.xy;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

const SMOOTH_FRAGMENT = `
uniform vec3 color;
uniform vec3 intervals;
uniform vec3 opacities;
varying vec2 place;
varying vec2 off;
float lines(float interval) {
  vec2 at = place / interval;
  // How many intervals a pixel has: where that is many, lines would shimmer.
  vec2 pixel = fwidth(at);
  vec2 line = 1.0 - smoothstep(0.4, 1.2, abs(fract(at - 0.5) - 0.5) / pixel);
  line *= 1.0 - smoothstep(0.1, 0.35, pixel);
  return max(line.x, line.y);
}
void main() {
  float shown = max(max(opacities.x * lines(intervals.x), opacities.y * lines(intervals.y)), opacities.z * lines(intervals.z));
  gl_FragColor = vec4(color, shown * (1.0 - smoothstep(0.15, 1.0, length(off))));
}`;

/** Lines of which each pixel is computed. */
export class SmoothLines {
  readonly object: Mesh<PlaneGeometry, ShaderMaterial>;
  readonly color = new Color();
  private readonly middle = new Vector2();
  private readonly reach = { value: 1 };
  private readonly intervals = new Vector3();
  private readonly opacities = new Vector3();

  constructor() {
    const material = new ShaderMaterial({
      uniforms: {
        color: { value: this.color },
        middle: { value: this.middle },
        reach: this.reach,
        intervals: { value: this.intervals },
        opacities: { value: this.opacities },
      },
      vertexShader: SMOOTH_VERTEX,
      fragmentShader: SMOOTH_FRAGMENT,
      ...FIRST,
    });
    this.object = new Mesh(new PlaneGeometry(2, 2), material);
  }

  /** Draws these levels around the place that a camera looks at from `distance` away [m]. */
  frame(levels: readonly Level[], target: Vector3, distance: number): void {
    const { object, intervals, opacities } = this;
    const coarsest = Math.max(...levels.map(({ interval }) => interval));
    const reach = REACH * distance;
    this.reach.value = reach;
    this.middle.set(target.x % coarsest, target.y % coarsest);
    object.position.set(target.x, target.y, 0);
    object.scale.set(reach, reach, 1);
    for (let i = 0; i < 3; i += 1) {
      intervals.setComponent(i, levels[i]?.interval ?? 1);
      opacities.setComponent(i, levels[i]?.opacity ?? 0);
    }
  }
}

const THIN_VERTEX = `
attribute vec2 look;
varying vec3 place;
varying float opacity;
void main() {
  place = vec3(position.xy, look.y);
  opacity = look.x;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position.xy, 0.0, 1.0);
}`;

const THIN_FRAGMENT = `
uniform vec3 color;
varying vec3 place;
varying float opacity;
void main() {
  gl_FragColor = vec4(color, opacity * (1.0 - smoothstep(0.15, 1.0, length(place.xy) / place.z)));
}`;

/** Most lines of all levels. */
const CAPACITY = 3 * 2 * (2 * MAX_LINES + 1);

/** Thin lines, cut to what the camera sees: software rendering loses those with an end behind it, and takes its time for each piece. */
export class ThinLines {
  readonly object: LineSegments<BufferGeometry, ShaderMaterial>;
  readonly color = new Color();
  private readonly places = new BufferAttribute(new Float32Array(2 * 3 * CAPACITY), 3).setUsage(DynamicDrawUsage);
  private readonly opacities = new BufferAttribute(new Float32Array(2 * 2 * CAPACITY), 2).setUsage(DynamicDrawUsage);
  private readonly view = new Frustum();
  private readonly matrix = new Matrix4();
  private readonly from = new Vector3();
  private readonly to = new Vector3();
  private readonly drawn = new Matrix4();
  private drawnFor = "";
  private count = 0;

  constructor() {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", this.places);
    geometry.setAttribute("look", this.opacities);
    const material = new ShaderMaterial({
      uniforms: { color: { value: this.color } },
      vertexShader: THIN_VERTEX,
      fragmentShader: THIN_FRAGMENT,
      ...FIRST,
    });
    this.object = new LineSegments(geometry, material);
  }

  /**
   * Draws these levels around the place that a camera looks at from `distance` away [m].
   * @param pixelRatio pixels of the picture per pixel of the page: lines are one of the picture wide, and as visible as if it were one of the page
   */
  frame(levels: readonly Level[], target: Vector3, distance: number, camera: Camera, pixelRatio: number): void {
    const { object, view, matrix, places, opacities } = this;
    matrix.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    const drawnFor = [pixelRatio, distance, ...levels.flatMap(({ interval, opacity }) => [interval, opacity])].join();
    // They are those of the picture before.
    if (drawnFor === this.drawnFor && matrix.equals(this.drawn)) return;
    this.drawnFor = drawnFor;
    this.drawn.copy(matrix);
    object.position.set(target.x, target.y, 0);
    view.setFromProjectionMatrix(matrix);
    this.count = 0;
    for (const [i, { interval, opacity: wanted }] of levels.entries()) {
      const opacity = Math.min(pixelRatio * wanted, 1);
      const coarser = levels[i + 1]?.interval;
      const reach = Math.min(REACH * distance, MAX_LINES * interval);
      for (const isAcross of [false, true]) {
        const [middle, across] = isAcross ? [target.y, target.x] : [target.x, target.y];
        for (let n = Math.ceil((middle - reach) / interval); n * interval <= middle + reach; n += 1) {
          // Those that are coarse too are drawn once.
          if (coarser && n % Math.round(coarser / interval) === 0) continue;
          const at = n * interval - middle;
          const half = Math.sqrt(Math.max(reach * reach - at * at, 0));
          this.add(at, half, isAcross, middle, across, opacity, reach);
        }
      }
    }
    object.geometry.setDrawRange(0, 2 * this.count);
    for (const buffer of [places, opacities]) {
      buffer.clearUpdateRanges();
      buffer.addUpdateRange(0, 2 * this.count * buffer.itemSize);
      buffer.needsUpdate = true;
    }
  }

  /** Adds a line at `at` from the middle, as far as it is in the picture. */
  private add(
    at: number,
    half: number,
    isAcross: boolean,
    middle: number,
    other: number,
    opacity: number,
    reach: number,
  ) {
    const { from, to, places, opacities, count } = this;
    if (count >= CAPACITY) return;
    const set = (point: Vector3, along: number) =>
      isAcross ? point.set(other + along, middle + at, 0) : point.set(middle + at, other + along, 0);
    set(from, -half);
    set(to, half);
    // Ends as shares of the line: each plane of the picture's borders cuts one off.
    let [first, last] = [0, 1];
    for (const plane of this.view.planes) {
      const [a, b] = [plane.distanceToPoint(from), plane.distanceToPoint(to)];
      if (a < 0 && b < 0) return;
      if (a < 0) first = Math.max(first, a / (a - b));
      else if (b < 0) last = Math.min(last, a / (a - b));
    }
    if (first >= last) return;
    for (const [i, share] of [first, last].entries()) {
      const along = (2 * share - 1) * half;
      places.setXYZ(2 * count + i, isAcross ? along : at, isAcross ? at : along, 0);
      opacities.setXY(2 * count + i, opacity, reach);
    }
    this.count += 1;
  }
}
