// Paints pictures of the world, with all that is drawn on and over it: marks, frames, ruler, names.
import { LinearSRGBColorSpace, Scene, WebGLRenderer } from "three";
import { Grain } from "../bodies/detail";
import { ghostLabels, nameLabels } from "../bodies/names";
import type { CameraRig } from "../camera/camera";
import { Crop } from "../camera/crop";
import { Patch } from "../environment/patch";
import { Surroundings } from "../environment/surroundings";
import type { Label } from "../overlays/labels";
import { SelectionMark } from "../overlays/marks";
import { Overlay } from "../overlays/overlay";
import { Changes } from "./changes";
import { hasProcessor, type QualityLevel } from "./quality";
import type { Showing } from "./showing";

/** A marked vehicle is at least as large as this on the page [px]. */
const MIN_MARK = 13;
/** Length of the axes of the map [px]. */
const FRAME_SIZE = 70;
/** The numbers of WebGL for four bytes of a pixel. */
const [RGBA, BYTES] = [0x1908, 0x1401];

/** Draws with the renderer, as many pixels and shadows as it is told. */
export class Painter {
  readonly scene = new Scene();
  readonly hasProcessor = hasProcessor();
  readonly surroundings = new Surroundings(this.scene, this.hasProcessor);
  readonly overlay: Overlay;
  private readonly renderer: WebGLRenderer;
  private readonly mark = new SelectionMark();
  /** Where software draws, it leaves as it is what nothing moves in. */
  private readonly changes: Changes | undefined;
  private readonly crop: Crop | undefined;
  private readonly patch: Patch | undefined;

  /** @throws where the browser has no WebGL */
  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly rig: CameraRig,
    private readonly showing: Showing,
  ) {
    this.overlay = new Overlay(this.scene, canvas, rig);
    try {
      // Smooth edges cost software more than all else.
      this.renderer = new WebGLRenderer({ canvas, antialias: this.hasProcessor, powerPreference: "high-performance" });
      this.renderer.outputColorSpace = LinearSRGBColorSpace;
    } catch {
      throw new Error(
        "this page: no WebGL in this browser\n  accepted: a browser with WebGL 2\n  hint: allow hardware acceleration, or software rendering",
      );
    }
    if (!this.hasProcessor) {
      this.changes = new Changes();
      this.crop = new Crop();
      this.patch = new Patch(this.renderer, this.crop);
    }
    this.scene.matrixWorldAutoUpdate = true;
    this.scene.add(this.mark.object);
  }

  get stats(): { triangles: number; calls: number } {
    const { triangles, calls } = this.renderer.info.render;
    return { triangles, calls };
  }

  /** Takes the colours of the theme. */
  paint(): void {
    const { theme, content } = this.showing;
    this.surroundings.theme = theme;
    this.mark.paint(theme.accent);
    content?.paint(theme);
  }

  /** What lies over the canvas, from below. */
  get layers(): HTMLElement[] {
    return [...(this.patch ? [this.patch.element] : []), this.overlay.labels.element];
  }

  /** The canvas has this size on the page [px]. */
  resize(width: number, height: number): void {
    this.changes?.forget();
    this.renderer.setSize(width, height, false);
  }

  /** Draws from now on with so many pixels per pixel of the page. */
  scale(pixelRatio: number): void {
    const { renderer, canvas } = this;
    if (renderer.getPixelRatio() === pixelRatio) return;
    this.changes?.forget();
    renderer.setPixelRatio(pixelRatio);
    renderer.setSize(canvas.clientWidth, canvas.clientHeight, false);
    this.showing.content?.scalePoints(pixelRatio);
  }

  /** Shows and hides layers as asked for, and as the quality allows. */
  layer(level: QualityLevel): void {
    const { content, layers, selected, pointColors } = this.showing;
    this.shade(layers.shadows && level.shadows);
    if (!content) return;
    content.forces.isShown = layers.forces;
    content.showPoints(layers.points, level.everyPoint ? undefined : (selected ?? 0));
    content.scalePoints(this.renderer.getPixelRatio());
    content.clouds.colorBy(pointColors);
    content.trails.lines.isShown = layers.paths;
    content.references.isShown = layers.reference;
    content.drawer.relief = layers.relief;
    content.frames.isShown = layers.frames;
    this.showing.place();
  }

  /** Draws a picture, with labels of others. @param isWhole whether more may look otherwise than what has moved */
  draw(labels: readonly Label[], isWhole = true): void {
    const { rig, showing, surroundings, overlay } = this;
    const { content, blend, theme } = showing;
    const { pixel } = rig;
    surroundings.frame(rig.target, rig.distance, rig.camera, this.renderer.getPixelRatio());
    if (content?.fleet.showWheels(pixel) && blend.isFilled) content.fleet.place(blend);
    const chosen = showing.vehicle(showing.selected);
    this.mark.place(chosen, MIN_MARK * pixel);
    content?.frames.place(chosen, blend, FRAME_SIZE * pixel);
    overlay.ruler.place(theme, pixel);
    this.fit();
    content?.scans.list();
    this.render(isWhole || overlay.isFilmed);
    overlay.show([...this.labels(), ...labels], theme);
  }

  /** Waits until the picture is there: a pixel can be read only when all have been drawn. */
  finish(): void {
    this.renderer.getContext().readPixels(0, 0, 1, 1, RGBA, BYTES, new Uint8Array(4));
  }

  /**
   * A picture as PNG, drawn as well as can be, whatever it takes: with shadows, and with this many pixels per pixel of the page. `restore` is
   * called afterwards if that changed how the view is drawn.
   */
  screenshot(pixelRatio: number, level: QualityLevel, labels: readonly Label[], restore: () => void): Promise<Blob> {
    const { shadows } = this.showing.layers;
    const ratio = this.renderer.getPixelRatio();
    this.scale(pixelRatio);
    this.shade(shadows);
    this.draw(labels);
    if (ratio !== pixelRatio || shadows !== level.shadows) {
      // The canvas is read when this returns: later changes are drawn after that.
      setTimeout(() => {
        this.scale(ratio);
        restore();
      });
    }
    const whole = this.overlay.picture(this.showing.theme);
    return new Promise((resolve, reject) => {
      whole.toBlob(
        (blob) => (blob ? resolve(blob) : reject(new Error("screenshot: the browser made none"))),
        "image/png",
      );
    });
  }

  /** The pictures as a stream, for a video. */
  stream(framesPerSecond: number): MediaStream {
    return this.overlay.stream(framesPerSecond, this.showing.theme);
  }

  dispose(): void {
    this.patch?.dispose();
    this.renderer.dispose();
    this.overlay.dispose();
  }

  /** Draws all of the picture, or over it that part in which something has moved. */
  private render(isWhole: boolean): void {
    const { scene, rig, renderer, canvas, changes, crop, patch } = this;
    const { width, height } = canvas;
    const part = isWhole ? undefined : changes?.since(scene, rig.camera, width, height);
    if (part && patch) {
      patch.draw(scene, rig.camera, part, canvas);
      return;
    }
    const draw = () => renderer.render(scene, rig.camera);
    // What is out of sight may cast a shadow into it.
    if (crop && !renderer.shadowMap.enabled)
      crop.draw(scene, rig.camera, { x: 0, y: 0, width, height }, width, height, draw);
    else draw();
    patch?.hide();
    changes?.note(scene, rig.camera, width, height);
  }

  /** Software draws as many corners as can be seen, and all in sharp pictures, which nothing moves in. */
  private fit(): void {
    if (this.hasProcessor) return;
    const { renderer, rig, canvas, showing } = this;
    const isSharp = renderer.getPixelRatio() > 1;
    showing.content?.drawer.batches.fit(isSharp ? undefined : new Grain(rig.camera, canvas.height));
  }

  /** With shadows or without. */
  private shade(hasShadows: boolean): void {
    this.renderer.shadowMap.enabled = hasShadows;
    this.surroundings.hasShadows = hasShadows;
    const { content } = this.showing;
    if (content) content.contacts.hasShadows = hasShadows;
  }

  private labels(): Label[] {
    const { content, blend, layers, theme, selected } = this.showing;
    if (!content || !blend.isFilled) return [];
    const { fleet, frames, measured } = content;
    return [
      ...frames.labels(),
      ...(layers.names ? nameLabels(fleet, theme, selected) : ghostLabels(fleet, theme)),
      ...(layers.names || layers.frames ? measured.labels() : []),
    ];
  }
}
