// The ground: the colour of the empty picture, which fades into the distance, and lines whose distance fits the zoom. Software rendering
// fills every pixel by hand, so that most of them are left as they are.
import {
  BackSide,
  BufferAttribute,
  type BufferGeometry,
  type Camera,
  type Color,
  Group,
  Mesh,
  MeshBasicMaterial,
  RingGeometry,
  type Scene,
  SphereGeometry,
  type Vector3,
} from "three";
import "../bodies/colors";
import type { Theme } from "../drawing/theme";
import { type Level, SmoothLines, ThinLines } from "./gridlines";
import { type SkyColors, zenithShare } from "./sky";

/** Where the ground begins to fade, and where it ends, in distances of the camera. */
const NEAR = 4;
const FAR = 16;
/** The camera is at least so far away from the lines, in their intervals. */
const FINEST = 4;
/** Opacity of fine and of coarse lines. */
const [MINOR, MAJOR] = [0.14, 0.3];
/** Place of the ground in the order of drawing. */
const FIRST = -20;
/** Height of lines that are on the planes of the world, too, above the ground, in distances of the camera. */
const LIFT = 5e-4;
/** What is fainter is not seen. */
const FAINTEST = 0.01;

/** Distance of the lines [m] for a camera that is so far away [m]. */
export function lineInterval(distance: number): number {
  return 10 ** Math.floor(Math.log10(Math.max(distance, 1e-3) / FINEST));
}

/**
 * Distance of the finest lines on the ground [m]: those of the zoom, unless the world has lines of its own that are finer or that they would
 * not fit between.
 */
export function finestInterval(distance: number, ofWorld?: number): number {
  const interval = lineInterval(distance);
  return ofWorld !== undefined && !fitsInto(interval, ofWorld) ? ofWorld : interval;
}

function fitsInto(interval: number, large: number): boolean {
  const ratio = large / interval;
  return ratio > 1.5 && Math.abs(ratio - Math.round(ratio)) < 1e-6 * ratio;
}

/**
 * The lines for a camera that is so far away [m]: each tenth is coarse. While the camera withdraws, the finest vanish and the coarse become
 * fine, so that none comes or goes at once. Of a world that has lines of its own, those that fit between.
 */
export function lineLevels(distance: number, ofWorld?: number): Level[] {
  const finest = lineInterval(distance);
  const share = Math.log10(Math.max(distance, 1e-3) / FINEST / finest) ** 2;
  const levels = [
    { interval: finest, opacity: MINOR * (1 - share) },
    { interval: 10 * finest, opacity: MAJOR + share * (MINOR - MAJOR) },
    { interval: 100 * finest, opacity: share * MAJOR },
  ];
  return levels.filter(
    ({ interval, opacity }) => opacity > FAINTEST && (ofWorld === undefined || fitsInto(interval, ofWorld)),
  );
}

/** The lines of a grid with this distance [m], and coarse ones: one in a metre if they fit, or each tenth. */
export function ruledLevels(interval: number): Level[] {
  const coarse = interval < 1 && fitsInto(interval, 1) ? 1 : 10 * interval;
  return [
    { interval, opacity: MINOR },
    { interval: coarse, opacity: MAJOR },
  ];
}

/** The ground with its lines: drawn first and without depth, so that it never hides bodies in or below it. */
export class Ground {
  readonly object = new Group();
  /** Distance of the lines that the world file draws itself [m], if it does. */
  ofWorld: number | undefined;
  private interval: number | undefined;
  private theme: Theme | undefined;
  private skyOfWorld: SkyColors | undefined;
  private isFloored = false;
  private readonly lines: SmoothLines | ThinLines;
  private readonly rim: Mesh<RingGeometry, MeshBasicMaterial>;
  private readonly sky: Mesh<SphereGeometry, MeshBasicMaterial>;

  /** @param hasProcessor whether each pixel of the lines can be computed */
  constructor(
    private readonly scene: Scene,
    hasProcessor: boolean,
  ) {
    this.lines = hasProcessor ? new SmoothLines() : new ThinLines();
    const material = { depthTest: false, depthWrite: false };
    this.rim = new Mesh(new RingGeometry(NEAR, FAR, 48, 3), new MeshBasicMaterial({ ...material, vertexColors: true }));
    const dome = new SphereGeometry(FAR, 32, 8, 0, 2 * Math.PI, 0, Math.PI / 2).rotateX(Math.PI / 2);
    this.sky = new Mesh(dome, new MeshBasicMaterial({ ...material, side: BackSide, vertexColors: true }));
    for (const [i, mesh] of [this.rim, this.sky, this.lines.object].entries()) {
      mesh.renderOrder = FIRST + i;
      mesh.frustumCulled = false;
      this.object.add(mesh);
    }
  }

  /** Distance of the lines of an editor's grid [m], which are on the planes of the world, too; none: there is no such grid. */
  set ruled(interval: number | undefined) {
    this.interval = interval;
    this.order();
  }

  /** Whether planes of the world lie on the ground: then lines are on them. */
  set hasFloor(hasFloor: boolean) {
    this.isFloored = hasFloor;
    this.order();
  }

  /** The sky that the world file asks for, instead of the theme's. */
  set ofSky(sky: SkyColors | undefined) {
    this.skyOfWorld = sky;
    if (this.theme) this.paint(this.theme);
  }

  paint(theme: Theme): void {
    this.theme = theme;
    this.scene.background = theme.ground;
    const { horizon, zenith } = this.skyOfWorld ?? { horizon: theme.background, zenith: theme.zenith };
    paintCorners(this.sky.geometry, (_x, _y, z) => horizon.clone().lerp(zenith, zenithShare(z / FAR)));
    this.lines.color.copy(theme.line);
    // Softly at both ends.
    const faded = (x: number, y: number) => {
      const share = (Math.hypot(x, y) - NEAR) / (FAR - NEAR);
      return share * share * (3 - 2 * share);
    };
    paintCorners(this.rim.geometry, (x, y) => theme.ground.clone().lerp(horizon, faded(x, y)));
  }

  /** Moves along with the camera, which looks at `target` from `distance` away. */
  frame(target: Vector3, distance: number, camera: Camera, pixelRatio: number): void {
    const { interval } = this;
    const levels = interval === undefined ? lineLevels(distance, this.ofWorld) : ruledLevels(interval);
    this.lines.object.visible = levels.length > 0;
    this.lines.frame(levels, target, distance, camera, pixelRatio);
    this.lines.object.position.z = this.isAbove ? LIFT * distance : 0;
    for (const disc of [this.rim, this.sky]) {
      disc.position.set(target.x, target.y, 0);
      disc.scale.setScalar(distance);
    }
    this.object.visible = camera.position.z > 0;
  }

  /** Whether lines are drawn on what lies on the ground, and not below it. */
  private get isAbove(): boolean {
    return this.isFloored || this.interval !== undefined;
  }

  private order(): void {
    const { object } = this.lines;
    object.renderOrder = this.isAbove ? 1 : FIRST + 2;
    object.material.depthTest = this.isAbove;
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
