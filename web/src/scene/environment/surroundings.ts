// Light, shadows, ground and sky.
import {
  BackSide,
  BoxGeometry,
  type Camera,
  Color,
  DirectionalLight,
  HemisphereLight,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
  type Scene,
  ShadowMaterial,
  TextureLoader,
  Vector3,
} from "three";
import type { LightsView } from "../../protocol/types";
import { colorFrom } from "../bodies/colors";
import type { Theme } from "../drawing/theme";
import { Ground } from "./ground";
import { lightOf, skyOf } from "./sky";

/** Radius of shadows around the camera's target, in distances of the camera. */
const SHADOW_REACH = 1.4;
/** Light of the sun, and of the sky from everywhere, in a world without ambient light: a surface that faces both has its own colour, and what is in the shade can be made out. */
const [SUN, SKY] = [0.84, 0.32];
/** Light, ground and sky around the world. */
export class Surroundings {
  private readonly sun = new DirectionalLight(0xffffff, 2);
  private readonly sky = new HemisphereLight(0xffffff, 0xffffff, 1);
  /** Ambient light, so that dark sides have shading too. */
  private readonly fill = new DirectionalLight(0xffffff, 0.5);
  private readonly toSun = new Vector3(0.3, 0.3, 0.9);
  private readonly ground: Ground;
  private readonly catcher: Mesh<PlaneGeometry, ShadowMaterial>;
  private box: Mesh<BoxGeometry, MeshBasicMaterial[]> | undefined;
  private pictures = "";
  private generation = 0;

  /** @param hasProcessor whether a graphics processor draws */
  constructor(
    private readonly scene: Scene,
    hasProcessor: boolean,
  ) {
    this.ground = new Ground(scene, hasProcessor);
    this.catcher = new Mesh(new PlaneGeometry(2, 2), new ShadowMaterial({ opacity: 0.3, depthWrite: false }));
    // Behind floors of the world at height 0, which have shadows of their own; ground and maps leave no depth.
    this.catcher.material.polygonOffset = true;
    this.catcher.material.polygonOffsetFactor = 2;
    this.catcher.material.polygonOffsetUnits = 2;
    this.catcher.receiveShadow = true;
    this.catcher.renderOrder = -5;
    this.catcher.frustumCulled = false;
    this.sun.shadow.bias = -0.0004;
    this.sun.shadow.normalBias = 0.02;
    // Edges of shadows are soft, by some texels.
    this.sun.shadow.radius = 2.5;
    scene.add(this.sun, this.sun.target, this.fill, this.sky, this.ground.object, this.catcher);
  }

  /** Light as the world file wants it. */
  light(lights: LightsView): void {
    const [x, y, z] = lights.direction;
    this.toSun.set(-x, -y, -z);
    if (this.toSun.lengthSq() < 1e-6) this.toSun.set(0.35, -0.3, 0.9);
    this.toSun.normalize();
    this.fill.position.set(-this.toSun.x, -this.toSun.y, 0.25);
    const color = colorFrom(lights.color);
    if (color.r + color.g + color.b < 0.05) color.set(0xffffff);
    this.sun.color.copy(color);
    const ambient = Math.min(Math.max(lights.ambient, 0), 1);
    this.sun.intensity = Math.PI * SUN * (1 - ambient);
    this.fill.intensity = Math.PI * 0.26;
    // Never completely dark, so that everything stays visible.
    this.sky.intensity = Math.PI * (SKY + (0.9 - SKY) * ambient);
    // Shaded sides are a little bluish from above, and warm from below, unless the world file says what is there.
    const [above, below] = lights.sky
      ? lightOf(skyOf(lights.sky), ambient)
      : [new Color(0xf4f8ff), new Color(0xbab6b0)];
    this.sky.color.copy(above);
    this.sky.groundColor.copy(below);
    this.ground.ofSky = lights.sky && skyOf(lights.sky);
    const side = Math.min(Math.max(lights.shadow_map_size || 2048, 256), 2048);
    this.sun.shadow.mapSize.set(side, side);
    this.sun.shadow.map?.dispose();
    this.sun.shadow.map = null;
  }

  set hasShadows(on: boolean) {
    this.sun.castShadow = on;
    this.catcher.visible = on;
  }

  /** Distance of the lines that the world file draws on the ground [m], if it does. */
  set gridOfWorld(interval: number | undefined) {
    this.ground.ofWorld = interval;
  }

  /** Whether planes of the world lie on the ground. */
  set hasFloor(hasFloor: boolean) {
    this.ground.hasFloor = hasFloor;
  }

  /** Distance of the lines that an editor draws on the ground [m]; none: those of the zoom. */
  set ruled(interval: number | undefined) {
    this.ground.ruled = interval;
  }

  set theme(theme: Theme) {
    this.ground.paint(theme);
    this.catcher.material.opacity = theme.isDark ? 0.42 : 0.22;
  }

  /** Moves along with the camera, which looks at `target` from `distance` away. */
  frame(target: Vector3, distance: number, camera: Camera, pixelRatio: number): void {
    this.ground.frame(target, distance, camera, pixelRatio);
    this.box?.position.copy(camera.position);
    this.box?.scale.setScalar(0.5 * (camera as Camera & { far: number }).far);
    this.frameSun(target, distance);
  }

  /** Pictures around the world: front (along x), back, down, up, left, right. */
  async wrap(addresses: readonly string[], onPicture: () => void): Promise<void> {
    const wanted = addresses.join(" ");
    if (wanted === this.pictures) return;
    this.unwrap();
    this.pictures = wanted;
    if (addresses.length !== 6) return;
    const { generation } = this;
    const loader = new TextureLoader();
    const loads = await Promise.allSettled(addresses.map((address) => loader.loadAsync(address)));
    const pictures = loads.flatMap((load) => (load.status === "fulfilled" ? [load.value] : []));
    const failure = loads.find((load) => load.status === "rejected");
    // Another scene may have come meanwhile.
    if (failure || generation !== this.generation) {
      for (const picture of pictures) picture.dispose();
      if (generation !== this.generation) return;
      this.pictures = "";
      throw failure?.reason;
    }
    // Faces of a box in the order of three: those that look along x, -x, y, -y, z, -z.
    const [front, back, down, up, left, right] = pictures;
    const turns = [Math.PI / 2, -Math.PI / 2, Math.PI, 0, -Math.PI / 2, -Math.PI / 2];
    const materials = [front, back, left, right, up, down].map((picture, face) => {
      if (picture) {
        picture.center.set(0.5, 0.5);
        picture.rotation = turns[face] ?? 0;
        // Seen from inside, left and right change places.
        picture.repeat.x = -1;
        picture.offset.x = 0;
      }
      return new MeshBasicMaterial({ map: picture ?? null, side: BackSide, depthWrite: false, depthTest: false });
    });
    this.box = new Mesh(new BoxGeometry(1, 1, 1), materials);
    this.box.renderOrder = -16;
    this.box.frustumCulled = false;
    this.scene.add(this.box);
    onPicture();
  }

  /** Removes the sky's pictures. */
  unwrap(): void {
    this.generation += 1;
    this.pictures = "";
    if (!this.box) return;
    this.box.removeFromParent();
    this.box.geometry.dispose();
    for (const material of this.box.material) {
      material.map?.dispose();
      material.dispose();
    }
    this.box = undefined;
  }

  private frameSun(target: Vector3, distance: number): void {
    const reach = SHADOW_REACH * distance;
    const camera = this.sun.shadow.camera;
    if (Math.abs(camera.right - reach) > 0.02 * reach) {
      camera.left = camera.bottom = -reach;
      camera.right = camera.top = reach;
      camera.near = 0.1;
      camera.far = 4 * reach + 100;
      camera.updateProjectionMatrix();
    }
    // In whole texels, so that edges of shadows stand still while the camera moves.
    const texel = (2 * reach) / this.sun.shadow.mapSize.x;
    const step = 16 * texel;
    const snap = (value: number) => Math.round(value / step) * step;
    this.sun.target.position.set(snap(target.x), snap(target.y), snap(target.z));
    this.sun.position.copy(this.sun.target.position).addScaledVector(this.toSun, 2 * reach + 50);
    this.catcher.position.set(target.x, target.y, 0);
    this.catcher.scale.setScalar(reach);
  }
}
