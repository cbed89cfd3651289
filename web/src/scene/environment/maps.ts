// Occupancy maps: the picture on the ground in the colours of the theme, and occupied cells as walls if they are not too many.
import {
  type BufferGeometry,
  CanvasTexture,
  Group,
  LinearFilter,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  NearestFilter,
  NoBlending,
  PlaneGeometry,
} from "three";
import type { MapView } from "../../protocol/types";
import { outlinesOf, type Region } from "../bodies/outlines";
import { matrixOf } from "../bodies/pose";
import type { Theme } from "../drawing/theme";
import { areaGeometry, wallGeometry } from "./mapwalls";
import { litAtCorners } from "./shading";

/** Most corners of walls: more would cost too much to draw. */
const MAX_CORNERS = 30_000;
/** Larger pictures are drawn smaller: graphics cards refuse them [pixels]. */
const MAX_PIXELS = 4096;
/** Cells darker than this are occupied. */
const OCCUPIED = 90;

/** What is lighter than this share is free, and lets as much of the lines on the ground through as this opacity does. */
const FREE = 0.95;
const CLEAR = 0.6;
/** Share of one tone of all that are neither free nor occupied, from which on the others do not count. */
const MOSTLY = 0.9;
/** How much darker than free ground it is. */
const UNKNOWN = 0.3;

/** A map in the picture. */
export class GroundMap {
  readonly object = new Group();
  private readonly canvas = document.createElement("canvas");
  private pixels: ImageData | undefined;
  private texture: CanvasTexture | undefined;
  private ground: Mesh<PlaneGeometry, MeshBasicMaterial> | undefined;
  private walls: Mesh<BufferGeometry, MeshLambertMaterial> | undefined;

  /** What is neither free nor occupied, where the map has no other tones: it is cheaper than a picture. */
  private unknown: Mesh<BufferGeometry, MeshBasicMaterial> | undefined;
  private isLoaded = false;
  private paintedIn: Theme | undefined;
  private isDisposed = false;

  constructor(
    readonly view: MapView,
    private theme: Theme,
    private readonly hasProcessor: boolean,
  ) {
    const [x, y, yaw] = view.pose;
    this.object.matrixAutoUpdate = false;
    this.object.matrix.copy(matrixOf([x, y, 0, yaw, 0, 0]));
  }

  /** Whether its picture is there. */
  get isThere(): boolean {
    return this.isLoaded;
  }

  /** Loads the picture. */
  async load(address: string): Promise<void> {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
    const image = await createImageBitmap(await answer.blob());
    if (this.isDisposed) return;
    const shrink = Math.min(1, MAX_PIXELS / Math.max(image.width, image.height));
    this.canvas.width = Math.round(shrink * image.width);
    this.canvas.height = Math.round(shrink * image.height);
    const context = this.canvas.getContext("2d", { willReadFrequently: true });
    if (!context) throw new Error("no picture to draw on");
    context.drawImage(image, 0, 0, this.canvas.width, this.canvas.height);
    image.close();
    this.pixels = context.getImageData(0, 0, this.canvas.width, this.canvas.height);
    this.raise(shrink);
    if (!this.lay(shrink)) this.build();
    this.isLoaded = true;
    this.paint(this.theme);
  }

  paint(theme: Theme): void {
    this.theme = theme;
    this.walls?.material.color.copy(theme.mapOccupied);
    this.unknown?.material.color.copy(theme.ground).lerp(theme.mapOccupied, UNKNOWN);
    const { pixels, texture } = this;
    const context = this.canvas.getContext("2d");
    if (!pixels || !texture || !context || theme === this.paintedIn) return;
    this.paintedIn = theme;
    const free = channels(theme.mapFree);
    const occupied = channels(theme.mapOccupied);
    const painted = context.createImageData(pixels.width, pixels.height);
    const [from, to] = [pixels.data, painted.data];
    for (let i = 0; i < from.length; i += 4) {
      // Walls stand on free ground: the corners of their cells would look out under straight ones.
      const share = this.walls && isOccupied(pixels, i / 4) ? 1 : (from[i] ?? 0) / 255;
      for (let c = 0; c < 3; c += 1) to[i + c] = (1 - share) * (occupied[c] ?? 0) + share * (free[c] ?? 0);
      to[i + 3] = share > FREE ? CLEAR * (from[i + 3] ?? 0) : (from[i + 3] ?? 0);
    }
    context.putImageData(painted, 0, 0);
    texture.needsUpdate = true;
  }

  dispose(): void {
    this.object.removeFromParent();
    this.isDisposed = true;
    this.texture?.dispose();
    this.ground?.geometry.dispose();
    this.ground?.material.dispose();
    this.unknown?.geometry.dispose();
    this.unknown?.material.dispose();
    this.walls?.material.dispose();
    this.walls?.geometry.dispose();
  }

  private build(): void {
    const { cells, resolution } = this.view;
    const [width, height] = [cells[0] * resolution, cells[1] * resolution];
    this.texture = new CanvasTexture(this.canvas);
    this.texture.magFilter = NearestFilter;
    this.texture.minFilter = LinearFilter;
    const material = new MeshBasicMaterial({ map: this.texture, transparent: true, depthWrite: false });
    material.polygonOffset = true;
    material.polygonOffsetFactor = material.polygonOffsetUnits = -1;
    const ground = new Mesh(new PlaneGeometry(width, height).translate(0.5 * width, 0.5 * height, 0), material);
    ground.renderOrder = -8;
    this.ground = ground;
    this.object.add(ground);
  }

  /** The outlines of the pixels for which something holds. */
  private outlines(holds: (pixel: number) => boolean): Region[] | undefined {
    const { width = 0, height = 0 } = this.pixels ?? {};
    // The first row of the picture is that of the largest y.
    const mask = new Uint8Array(width * height);
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) mask[(height - 1 - y) * width + x] = holds(y * width + x) ? 1 : 0;
    }
    return outlinesOf(mask, width, height, MAX_CORNERS);
  }

  private raise(shrink: number): void {
    const { pixels } = this;
    const regions = pixels && this.outlines((pixel) => isOccupied(pixels, pixel));
    if (!regions || regions.length === 0) return;
    const side = this.view.resolution / shrink;
    const raised = Math.min(Math.max(4 * side, 0.08), 0.4);
    const material = new MeshLambertMaterial();
    const walls = new Mesh(wallGeometry(regions, side, raised), this.hasProcessor ? material : litAtCorners(material));
    walls.castShadow = walls.receiveShadow = true;
    this.walls = walls;
    this.object.add(walls);
  }

  /** Where walls stand on ground that is free or of one other tone, free ground is that of the page. Returns whether it is so. */
  private lay(shrink: number): boolean {
    const { pixels } = this;
    if (!pixels || !this.walls) return false;
    const { data } = pixels;
    const isOther = (pixel: number) =>
      (data[4 * pixel + 3] ?? 0) > 127 && (data[4 * pixel] ?? 255) <= 255 * FREE && !isOccupied(pixels, pixel);
    const counts = new Array<number>(256).fill(0);
    for (let i = 0; 4 * i < data.length; i += 1)
      if (isOther(i)) counts[data[4 * i] ?? 0] = (counts[data[4 * i] ?? 0] ?? 0) + 1;
    const all = counts.reduce((sum, count) => sum + count, 0);
    if (Math.max(...counts) < MOSTLY * all) return false;
    const regions = this.outlines(isOther);
    if (!regions) return false;
    const material = new MeshBasicMaterial({ transparent: true, blending: NoBlending, depthWrite: false });
    material.polygonOffset = true;
    material.polygonOffsetFactor = material.polygonOffsetUnits = -1;
    this.unknown = new Mesh(areaGeometry(regions, this.view.resolution / shrink), material);
    this.unknown.renderOrder = -8;
    this.object.add(this.unknown);
    return true;
  }
}

/** Whether a pixel of the file is a wall. */
function isOccupied({ data }: ImageData, pixel: number): boolean {
  return (data[4 * pixel] ?? 255) < OCCUPIED && (data[4 * pixel + 3] ?? 0) > 127;
}

function channels(color: Theme["mapFree"]): [number, number, number] {
  const hex = color.getHex();
  return [hex >> 16, (hex >> 8) & 255, hex & 255];
}
