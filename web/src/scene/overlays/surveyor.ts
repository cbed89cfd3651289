// What a map has in its corner: the point under the pointer, the scale, the axes, and what the ruler measures.
import type { Vector3 } from "three";
import type { CameraRig } from "../camera/camera";
import type { Content } from "../content";
import { finestInterval } from "../environment/ground";
import type { Label } from "./labels";
import type { Measured, Ruler } from "./ruler";

/** What is reported. */
export interface Survey {
  /** The point of the ground under the pointer [m]. */
  at: Vector3 | undefined;
  /** Distance of the lines on the ground [m]. */
  grid: number;
  /** Distance of contours on uneven ground [m]; 0: there are none. */
  contours: number;
  /** Where the axes x, y and z of the world point on the page: right and up, at most 1. */
  axes: [number, number][];
  measured: Measured | undefined;
}

/** Follows the mouse on a canvas, and holds the ruler. */
export class Surveyor {
  /** Where the mouse is on the canvas [px]. */
  private pointer: { x: number; y: number } | undefined;
  /** What the ruler says about its two points; none: it is put away. */
  private says: ((measured: Measured) => string) | undefined;

  /**
   * @param groundAt the point of the ground under a point of the canvas [px]
   * @param moved called when the mouse was moved
   */
  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly ruler: Ruler,
    private readonly groundAt: (x: number, y: number) => Vector3 | undefined,
    private readonly moved: () => void,
  ) {
    canvas.addEventListener("pointermove", (event) => {
      // Fingers do not hover.
      if (event.pointerType === "mouse") this.hover({ x: event.offsetX, y: event.offsetY });
    });
    canvas.addEventListener("pointerleave", () => this.hover(undefined));
  }

  /** Whether clicks are the ruler's. */
  get isMeasuring(): boolean {
    return this.says !== undefined;
  }

  /** Takes the ruler, whose label is what `says` returns; without it, puts it away. */
  measure(says: ((measured: Measured) => string) | undefined): void {
    this.says = says;
    this.ruler.clear();
    this.canvas.style.cursor = says ? "crosshair" : "";
  }

  /** Sets an end of the ruler. */
  click(x: number, y: number): void {
    const point = this.groundAt(x, y);
    if (point) this.ruler.set(point);
  }

  /** The measured distance in the picture. */
  labels(): Label[] {
    const label = this.says && this.ruler.label(this.says);
    return label ? [label] : [];
  }

  /** @param ruled distance of the lines that an editor draws [m], if one does */
  survey(content: Content, rig: CameraRig, hasRelief: boolean, ruled: number | undefined): Survey {
    const { pointer } = this;
    return {
      at: pointer && this.groundAt(pointer.x, pointer.y),
      grid: ruled ?? finestInterval(rig.distance, content.gridInterval),
      contours: hasRelief ? content.drawer.contourInterval : 0,
      axes: rig.axes,
      measured: this.says && this.ruler.measured,
    };
  }

  private hover(pointer: { x: number; y: number } | undefined): void {
    this.pointer = pointer;
    const at = pointer && this.says && this.groundAt(pointer.x, pointer.y);
    if (at) this.ruler.point(at);
    this.moved();
  }
}
