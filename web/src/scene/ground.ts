// The ground: the colour of the empty picture, which fades into the distance, and lines whose distance fits the zoom. Software rendering
// fills every pixel by hand, so that most of them are left as they are.
import {
  BackSide,
  BufferAttribute,
  BufferGeometry,
  type Camera,
  Color,
  CustomBlending,
  Group,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  OneFactor,
  OneMinusSrcAlphaFactor,
  RingGeometry,
  type Scene,
  ShaderMaterial,
  SphereGeometry,
  Vector2,
  type Vector3,
} from "three";
import "./colors";
import type { Theme } from "./theme";

/** Where the ground begins to fade, and where it ends, in distances of the camera. */
const NEAR = 4;
const FAR = 16;
/** Lines on either side of the middle, fine and coarse. They are made of pieces: software rendering loses those with an end behind the camera. */
const MINOR = { count: 60, piece: 10 };
const MAJOR = { count: 20, piece: 1 };

const LINE_VERTEX = `
varying vec2 place;
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  place = world.xy;
  gl_Position = projectionMatrix * viewMatrix * world;
}`;

const LINE_FRAGMENT = `
uniform vec3 color;
uniform vec2 middle;
uniform float reach;
varying vec2 place;
void main() {
  gl_FragColor = vec4(color, 1.0 - smoothstep(0.25, 1.0, length(place - middle) / reach));
}`;

/** Distance of the lines [m] for a camera that is so far away [m]. */
export function lineInterval(distance: number): number {
  return 10 ** Math.floor(Math.log10(Math.max(distance, 1e-3) / 8));
}

/** Lines of one distance. */
class Lines {
  readonly object: LineSegments<BufferGeometry, ShaderMaterial>;
  readonly color = new Color();
  private readonly middle = new Vector2();
  private readonly reach = { value: 1 };

  constructor({ count, piece }: { count: number; piece: number }) {
    const ends: number[] = [];
    for (let i = -count; i <= count; i += 1) {
      for (let j = -count; j < count; j += piece) ends.push(i, j, 0, i, j + piece, 0, j, i, 0, j + piece, i, 0);
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(ends), 3));
    const material = new ShaderMaterial({
      uniforms: { color: { value: this.color }, middle: { value: this.middle }, reach: this.reach },
      vertexShader: LINE_VERTEX,
      fragmentShader: LINE_FRAGMENT,
      // Blended, and yet drawn before everything else.
      blending: CustomBlending,
      blendSrcAlpha: OneFactor,
      blendDstAlpha: OneMinusSrcAlphaFactor,
      depthTest: false,
      depthWrite: false,
    });
    this.object = new LineSegments(geometry, material);
    this.object.frustumCulled = false;
  }

  /** @param reach how far from the middle they are seen [m] */
  frame(target: Vector3, interval: number, reach: number): void {
    const snap = (value: number) => 10 * interval * Math.round(value / (10 * interval));
    this.object.position.set(snap(target.x), snap(target.y), 0);
    this.object.scale.setScalar(interval);
    this.middle.set(target.x, target.y);
    this.reach.value = reach;
  }
}

/** The ground with its lines: drawn first and without depth, so that it never hides bodies in or below it. */
export class Ground {
  readonly object = new Group();
  private readonly minor = new Lines(MINOR);
  private readonly major = new Lines(MAJOR);
  private readonly rim: Mesh<RingGeometry, MeshBasicMaterial>;
  private readonly sky: Mesh<SphereGeometry, MeshBasicMaterial>;

  constructor(private readonly scene: Scene) {
    const material = { depthTest: false, depthWrite: false };
    this.rim = new Mesh(new RingGeometry(NEAR, FAR, 48, 1), new MeshBasicMaterial({ ...material, vertexColors: true }));
    const dome = new SphereGeometry(FAR, 32, 8, 0, 2 * Math.PI, 0, Math.PI / 2).rotateX(Math.PI / 2);
    this.sky = new Mesh(dome, new MeshBasicMaterial({ ...material, side: BackSide, vertexColors: true }));
    for (const [i, mesh] of [this.rim, this.sky, this.minor.object, this.major.object].entries()) {
      mesh.renderOrder = i - 20;
      mesh.frustumCulled = false;
      this.object.add(mesh);
    }
  }

  set hasLines(on: boolean) {
    this.minor.object.visible = this.major.object.visible = on;
  }

  paint(theme: Theme): void {
    this.scene.background = theme.ground;
    paintCorners(this.sky.geometry, (_x, _y, z) => theme.background.clone().lerp(theme.zenith, Math.sqrt(z / FAR)));
    this.minor.color.copy(theme.minorLine);
    this.major.color.copy(theme.majorLine);
    const isNear = (x: number, y: number) => Math.hypot(x, y) < 0.5 * (NEAR + FAR);
    paintCorners(this.rim.geometry, (x, y) => (isNear(x, y) ? theme.ground : theme.background));
  }

  /** Moves along with the camera, which looks at `target` from `distance` away. */
  frame(target: Vector3, distance: number, camera: Camera): void {
    const interval = lineInterval(distance);
    this.minor.frame(target, interval, Math.min(3 * distance, MINOR.count * interval));
    this.major.frame(target, 10 * interval, Math.min(10 * distance, 10 * MAJOR.count * interval));
    for (const disc of [this.rim, this.sky]) {
      disc.position.set(target.x, target.y, 0);
      disc.scale.setScalar(distance);
    }
    this.object.visible = camera.position.z > 0;
  }
}

/** Gives each corner of a geometry its colour. */
function paintCorners(geometry: BufferGeometry, colorAt: (x: number, y: number, z: number) => Color): void {
  const positions = geometry.getAttribute("position");
  const colors = new Float32Array(3 * positions.count);
  for (let i = 0; i < positions.count; i += 1) {
    colorAt(positions.getX(i), positions.getY(i), Math.max(positions.getZ(i), 0)).toArray(colors, 3 * i);
  }
  geometry.setAttribute("color", new BufferAttribute(colors, 3));
}
