// What lies over the picture: labels and the ruler; and pictures and videos of both together.
import type { Scene } from "three";
import type { CameraRig } from "../camera/camera";
import type { Theme } from "../drawing/theme";
import { type Label, Labels } from "./labels";
import { Ruler } from "./ruler";

/** The layer over a canvas. */
export class Overlay {
  readonly labels = new Labels();
  readonly ruler: Ruler;
  /** The canvas of a running video. */
  private film: { canvas: HTMLCanvasElement; track: MediaStreamTrack | undefined } | undefined;

  constructor(
    scene: Scene,
    private readonly canvas: HTMLCanvasElement,
    private readonly rig: CameraRig,
  ) {
    this.ruler = new Ruler(scene);
  }

  /** Whether a video of the pictures is made. */
  get isFilmed(): boolean {
    return this.film !== undefined;
  }

  /** Puts the labels in their places; the picture has just been drawn. */
  show(labels: readonly Label[], theme: Theme): void {
    const { canvas, rig } = this;
    this.labels.show(labels, (point) => rig.project(point), canvas.clientWidth, canvas.clientHeight);
    if (this.film?.track?.readyState === "ended") this.film = undefined;
    if (this.film) this.compose(this.film.canvas, theme);
  }

  /** The picture that has just been drawn, with its labels. */
  picture(theme: Theme): HTMLCanvasElement {
    const { canvas } = this;
    return this.labels.isEmpty ? canvas : this.compose(canvasOf(canvas.width, canvas.height), theme);
  }

  /** All further pictures with their labels, as a video whose size stays, however finely the view is drawn. */
  stream(framesPerSecond: number, theme: Theme): MediaStream {
    const { clientWidth, clientHeight } = this.canvas;
    const ratio = Math.min(window.devicePixelRatio, 2);
    const canvas = this.compose(canvasOf(ratio * clientWidth, ratio * clientHeight), theme);
    const stream = canvas.captureStream(framesPerSecond);
    this.film = { canvas, track: stream.getVideoTracks()[0] };
    return stream;
  }

  dispose(): void {
    this.labels.element.remove();
  }

  private compose(whole: HTMLCanvasElement, theme: Theme): HTMLCanvasElement {
    const { canvas } = this;
    const context = whole.getContext("2d");
    context?.setTransform(1, 0, 0, 1, 0, 0);
    context?.drawImage(canvas, 0, 0, whole.width, whole.height);
    context?.scale(whole.width / canvas.clientWidth, whole.height / canvas.clientHeight);
    if (context) this.labels.paint(context, theme);
    return whole;
  }
}

function canvasOf(width: number, height: number): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  return canvas;
}
