// A part of the picture that lies over it: where software draws, what does not move stays below it as it is. The part is drawn beside the
// canvas and copied from there, because a canvas of WebGL is handed to the page as a whole whenever anything is drawn on it.
import { type Camera, type Scene, type WebGLRenderer, WebGLRenderTarget } from "three";
import type { Crop } from "../camera/crop";
import type { Rect } from "../camera/lens";

/** The part. */
export class Patch {
  readonly element = document.createElement("canvas");
  private readonly target = new WebGLRenderTarget(1, 1);
  // It could say that nothing shines through, but Chromium then leaves out the picture below it upside down.
  private readonly context = this.element.getContext("2d", { willReadFrequently: true });
  private pixels = new Uint8Array(0);
  private image: ImageData | undefined;

  constructor(
    private readonly renderer: WebGLRenderer,
    private readonly crop: Crop,
  ) {
    this.element.className = "patch";
    this.element.setAttribute("aria-hidden", "true");
    this.element.hidden = true;
  }

  /** Draws a part of the picture on a canvas, which is nothing if it has no size. */
  draw(scene: Scene, camera: Camera, part: Rect, canvas: HTMLCanvasElement): void {
    const { x, y, width, height } = part;
    const { element, renderer, target } = this;
    element.hidden = width === 0 || height === 0;
    if (element.hidden) return;
    const image = this.resize(width, height);
    // Pixels are the same as in the whole picture, whose lower left corner is outside.
    target.viewport.set(-x, y + height - canvas.height, canvas.width, canvas.height);
    target.scissor.set(0, 0, width, height);
    target.scissorTest = true;
    renderer.setRenderTarget(target);
    this.crop.draw(scene, camera, part, canvas.width, canvas.height, () => renderer.render(scene, camera));
    renderer.setRenderTarget(null);
    renderer.readRenderTargetPixels(target, 0, 0, width, height, this.pixels);
    // Its rows come from below.
    for (let row = 0; row < height; row += 1) {
      const from = 4 * width * (height - 1 - row);
      image.data.set(this.pixels.subarray(from, from + 4 * width), 4 * width * row);
    }
    this.context?.putImageData(image, 0, 0);
    const scale = canvas.clientWidth / canvas.width;
    element.style.width = `${scale * width}px`;
    element.style.height = `${scale * height}px`;
    element.style.transform = `translate(${scale * x}px, ${scale * y}px)`;
  }

  /** The picture has been drawn as a whole. */
  hide(): void {
    this.element.hidden = true;
  }

  dispose(): void {
    this.target.dispose();
    this.element.remove();
  }

  private resize(width: number, height: number): ImageData {
    const { element, target } = this;
    if (!this.image || target.width !== width || target.height !== height) {
      target.setSize(width, height);
      [element.width, element.height] = [width, height];
      this.pixels = new Uint8Array(4 * width * height);
      this.image = new ImageData(width, height);
    }
    return this.image;
  }
}
