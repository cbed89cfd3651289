// Names over vehicles: one picture holds all of them, and each is a small label of a fixed size on the page.
import {
  BufferAttribute,
  CanvasTexture,
  DynamicDrawUsage,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  ShaderMaterial,
  Vector2,
} from "three";
import type { Fleet } from "./fleet";
import type { Theme } from "./theme";

/** Size of a label on the page [px], and its resolution. */
const WIDTH = 128;
const HEIGHT = 20;
const FINENESS = 2;
const COLUMNS = 8;
/** Most names: more would not be readable anyway. */
const MOST = 256;

const VERTEX = `
attribute vec3 place;
attribute vec2 cell;
uniform vec2 viewport;
uniform float rows;
varying vec2 at;
void main() {
  at = vec2((cell.x + position.x + 0.5) / ${COLUMNS.toFixed(1)}, (cell.y + 0.5 - position.y) / rows);
  vec4 middle = projectionMatrix * viewMatrix * vec4(place, 1.0);
  // Above its place by the same number of pixels at any distance.
  vec2 pixels = position.xy * vec2(${WIDTH.toFixed(1)}, ${HEIGHT.toFixed(1)}) + vec2(0.0, 22.0);
  gl_Position = middle + vec4(2.0 * pixels / viewport * middle.w, 0.0, 0.0);
}`;

const FRAGMENT = `
uniform sampler2D names;
varying vec2 at;
void main() {
  gl_FragColor = texture2D(names, at);
  if (gl_FragColor.a < 0.02) discard;
}`;

/** The names of all vehicles. */
export class Names {
  readonly object: Mesh<InstancedBufferGeometry, ShaderMaterial>;
  private readonly canvas = document.createElement("canvas");
  private readonly texture: CanvasTexture;
  private readonly places: InstancedBufferAttribute;
  private readonly count: number;
  private readonly viewport = new Vector2(1, 1);

  constructor(
    private readonly fleet: Fleet,
    theme: Theme,
  ) {
    this.count = Math.min(fleet.vehicles.length, MOST);
    const rows = Math.max(Math.ceil(this.count / COLUMNS), 1);
    this.canvas.width = COLUMNS * WIDTH * FINENESS;
    this.canvas.height = rows * HEIGHT * FINENESS;
    this.texture = new CanvasTexture(this.canvas);
    this.texture.flipY = false;
    this.places = new InstancedBufferAttribute(new Float32Array(3 * Math.max(this.count, 1)), 3).setUsage(
      DynamicDrawUsage,
    ) as InstancedBufferAttribute;
    const geometry = new InstancedBufferGeometry();
    const quad = new Float32Array([-0.5, -0.5, 0, 0.5, -0.5, 0, 0.5, 0.5, 0, -0.5, 0.5, 0]);
    geometry.setAttribute("position", new BufferAttribute(quad, 3));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    geometry.setAttribute("place", this.places);
    const cells = Float32Array.from({ length: 2 * Math.max(this.count, 1) }, (_, i) =>
      i % 2 === 0 ? (i / 2) % COLUMNS : Math.floor((i - 1) / 2 / COLUMNS),
    );
    geometry.setAttribute("cell", new InstancedBufferAttribute(cells, 2));
    geometry.instanceCount = this.count;
    const material = new ShaderMaterial({
      uniforms: { names: { value: this.texture }, viewport: { value: this.viewport }, rows: { value: rows } },
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      depthTest: false,
      depthWrite: false,
    });
    this.object = new Mesh(geometry, material);
    this.object.frustumCulled = false;
    this.object.renderOrder = 10;
    this.object.visible = false;
    this.paint(theme);
  }

  /** Vehicles have been placed. */
  place(): void {
    if (!this.object.visible) return;
    for (let i = 0; i < this.count; i += 1) {
      const vehicle = this.fleet.vehicles[i];
      if (!vehicle) break;
      const [x = 0, y = 0, z = 0] = vehicle.pose;
      this.places.setXYZ(i, x, y, z + vehicle.view.z[1]);
    }
    this.places.needsUpdate = true;
  }

  paint(theme: Theme): void {
    const context = this.canvas.getContext("2d");
    if (!context) return;
    context.setTransform(FINENESS, 0, 0, FINENESS, 0, 0);
    context.clearRect(0, 0, COLUMNS * WIDTH, this.canvas.height);
    context.font = "500 12px system-ui, sans-serif";
    context.textAlign = "center";
    context.textBaseline = "middle";
    for (const { view, index } of this.fleet.vehicles.slice(0, this.count)) {
      const middle = (index % COLUMNS) * WIDTH + WIDTH / 2;
      const top = Math.floor(index / COLUMNS) * HEIGHT + 1;
      const width = Math.min(context.measureText(view.name).width + 12, WIDTH - 2);
      context.fillStyle = theme.plate;
      context.beginPath();
      context.roundRect(middle - width / 2, top, width, HEIGHT - 2, 5);
      context.fill();
      context.fillStyle = theme.text;
      context.fillText(view.name, middle, top + HEIGHT / 2 - 0.5, WIDTH - 12);
    }
    this.texture.needsUpdate = true;
  }

  /** Size of the canvas on the page [px]. */
  resize(width: number, height: number): void {
    this.viewport.set(width, height);
  }

  dispose(): void {
    this.object.removeFromParent();
    this.object.geometry.dispose();
    this.object.material.dispose();
    this.texture.dispose();
  }
}
