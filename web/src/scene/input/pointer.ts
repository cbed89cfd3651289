// Mouse, touch and keys on the canvas: they move the camera, pick, and carry things.
import type { CameraRig } from "../camera/camera";

/** Actions of the pointer other than the camera's; positions are in pixels of the canvas. */
export interface Hand {
  /** Picks up the body there, in the mode in which dragging moves bodies. Returns whether there was one. */
  take(x: number, y: number, isFinger: boolean): boolean;
  /** Whether something is in the hand. */
  readonly isFull: boolean;
  /** @param isPressed whether the pointer is down rather than only passing over */
  carry(x: number, y: number, isPressed: boolean): void;
  /** Turns the carried body [rad]. */
  turn(angle: number): void;
  put(): void;
  cancel(): void;
  click(x: number, y: number, isFinger: boolean): void;
  /** The pointer passes over, and nothing is pressed. */
  hover(x: number, y: number): void;
  home(): void;
  ground(x: number, y: number): { x: number; y: number } | undefined;
  /** The camera was moved. */
  moved(): void;
}

/** Moves of fewer pixels are clicks. */
const STILL = 5;
/** Rotation of the carried body per notch of the wheel [rad]. */
const TURN = Math.PI / 24;

interface Finger {
  x: number;
  y: number;
}

/** Listens on a canvas. */
export class PointerInput {
  private readonly fingers = new Map<number, Finger>();
  private travelled = 0;
  private isPanning = false;
  private isDragging = false;
  private readonly listeners = new AbortController();

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly rig: CameraRig,
    private readonly hand: Hand,
  ) {
    const { signal } = this.listeners;
    canvas.addEventListener("pointerdown", (event) => this.down(event), { signal });
    canvas.addEventListener("pointermove", (event) => this.move(event), { signal });
    canvas.addEventListener("pointerup", (event) => this.up(event), { signal });
    canvas.addEventListener("pointercancel", (event) => this.abandon(event), { signal });
    canvas.addEventListener("wheel", (event) => this.wheel(event), { signal, passive: false });
    canvas.addEventListener("blur", () => canvas.style.removeProperty("outline"), { signal });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault(), { signal });
    canvas.addEventListener("keydown", (event) => this.key(event), { signal });
  }

  dispose(): void {
    this.listeners.abort();
  }

  private at(event: MouseEvent): Finger {
    const box = this.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  private down(event: PointerEvent): void {
    const at = this.at(event);
    this.canvas.setPointerCapture(event.pointerId);
    // The focus ring is for keyboard users only.
    this.canvas.style.outline = "none";
    this.canvas.focus({ preventScroll: true });
    this.fingers.set(event.pointerId, at);
    if (this.fingers.size > 1) {
      // A second finger is for the camera: nothing is clicked.
      this.travelled = STILL;
      return;
    }
    this.travelled = 0;
    this.isPanning = event.button !== 0 || event.shiftKey || event.ctrlKey || this.rig.mode === "top";
    this.isDragging = event.button === 0 && !this.hand.isFull && this.hand.take(at.x, at.y, isFinger(event));
    if (this.hand.isFull) this.hand.carry(at.x, at.y, true);
  }

  private move(event: PointerEvent): void {
    const at = this.at(event);
    const before = this.fingers.get(event.pointerId);
    if (this.hand.isFull && this.fingers.size < 2) this.hand.carry(at.x, at.y, before !== undefined);
    if (!before) {
      this.hand.hover(at.x, at.y);
      return;
    }
    const [dx, dy] = [at.x - before.x, at.y - before.y];
    this.travelled += Math.hypot(dx, dy);
    const other = [...this.fingers].find(([id]) => id !== event.pointerId)?.[1];
    this.fingers.set(event.pointerId, at);
    if (this.isDragging) return;
    if (other) this.pinch(other, before, at);
    else if (this.hand.isFull && event.pointerType !== "mouse") return;
    else if (this.travelled >= STILL && this.isPanning) this.rig.pan(-dx, dy);
    else if (this.travelled >= STILL) this.rig.orbit(-0.0065 * dx, 0.0055 * dy);
    this.hand.moved();
  }

  private up(event: PointerEvent): void {
    const at = this.at(event);
    const wasOnly = this.fingers.size === 1;
    this.lose(event);
    if (!wasOnly) return;
    if (this.isDragging) {
      this.isDragging = false;
      if (this.travelled >= STILL) this.hand.put();
      else {
        this.hand.cancel();
        this.hand.click(at.x, at.y, isFinger(event));
      }
      return;
    }
    if (event.button !== 0 || this.travelled >= STILL) return;
    if (this.hand.isFull) {
      this.hand.carry(at.x, at.y, true);
      this.hand.put();
    } else this.hand.click(at.x, at.y, isFinger(event));
  }

  private lose(event: PointerEvent): void {
    this.fingers.delete(event.pointerId);
  }

  /** The browser took over the gesture: the dragged body keeps its pose. */
  private abandon(event: PointerEvent): void {
    this.lose(event);
    if (!this.isDragging) return;
    this.isDragging = false;
    this.hand.cancel();
  }

  private pinch(other: Finger, before: Finger, at: Finger): void {
    const was = Math.hypot(before.x - other.x, before.y - other.y);
    const is = Math.hypot(at.x - other.x, at.y - other.y);
    const middle = this.hand.ground(0.5 * (at.x + other.x), 0.5 * (at.y + other.y));
    if (was > 1 && is > 1) this.rig.zoom(was / is, middle);
    this.rig.pan(-0.5 * (at.x - before.x), 0.5 * (at.y - before.y));
    const turn = Math.atan2(at.y - other.y, at.x - other.x) - Math.atan2(before.y - other.y, before.x - other.x);
    if (Math.abs(turn) < 1) this.rig.orbit(turn, 0);
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    // Lines and pages as pixels.
    const pixels = event.deltaY * (event.deltaMode === 1 ? 30 : event.deltaMode === 2 ? 300 : 1);
    if (this.hand.isFull) {
      this.hand.turn(-Math.sign(pixels) * TURN);
      return;
    }
    const at = this.at(event);
    this.rig.zoom(Math.exp(Math.min(Math.max(0.0012 * pixels, -0.5), 0.5)), this.hand.ground(at.x, at.y));
    this.hand.moved();
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = 48;
    const { rig } = this;
    const arrows: Record<string, [number, number]> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, 1],
      ArrowDown: [0, -1],
    };
    const arrow = arrows[event.key];
    if (arrow && event.shiftKey) rig.orbit(0.12 * arrow[0], 0.08 * arrow[1]);
    else if (arrow) rig.pan(step * arrow[0], step * arrow[1]);
    else if (event.key === "+" || event.key === "=") rig.zoom(0.85);
    else if (event.key === "-") rig.zoom(1 / 0.85);
    else if (event.key === "Home") this.hand.home();
    else return;
    event.preventDefault();
    // For the page, + and - are the speed of time.
    event.stopPropagation();
    this.hand.moved();
  }
}

function isFinger(event: PointerEvent): boolean {
  return event.pointerType === "touch";
}
