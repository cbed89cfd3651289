// Texts in the picture: names of vehicles and frames, lengths. They are elements of the page, and so sharp however coarse the picture is.
import { Vector3 } from "three";
import type { Theme } from "../drawing/theme";

/** A text that stands somewhere in the world. */
export interface Label {
  text: string;
  /** Its place [m]. */
  x: number;
  y: number;
  z: number;
  /** How far above that place its lower edge is [px]. */
  lift: number;
  /** Colour of the dot before the text; none: no dot. */
  color?: string;
  /** Whether it is left out where it would cover one before it in the list. */
  gives?: boolean;
}

/** Where a point of the world is on the canvas [px]. */
export type Projection = (point: Vector3) => { x: number; y: number; isBefore: boolean };

/** As drawn: its label and where it is [px]. */
interface Placed {
  label: Label;
  x: number;
  y: number;
}

/** Width of a letter, about [px]: enough to see which labels cover each other. */
const LETTER = 7;
/** Labels beyond these edges of the canvas are left out [px]. */
const MARGIN = 100;
/** In pictures, where there are no styles: as in styles/view.css. */
const FONT = "500 12px system-ui, sans-serif";
const [HEIGHT, PADDING, DOT, GAP] = [18, 6, 8, 5];

/** The labels of the view. */
export class Labels {
  readonly element = document.createElement("div");
  private readonly elements: HTMLElement[] = [];
  private placed: Placed[] = [];
  private readonly point = new Vector3();

  constructor() {
    this.element.className = "labels";
    // The list of vehicles has the names.
    this.element.setAttribute("aria-hidden", "true");
  }

  /** Whether there is any text in the picture. */
  get isEmpty(): boolean {
    return this.placed.length === 0;
  }

  /** Shows these labels and no others, on a canvas of this size [px]. */
  show(labels: readonly Label[], project: Projection, width: number, height: number): void {
    this.placed = [];
    for (const label of labels) {
      const { x, y, isBefore } = project(this.point.set(label.x, label.y, label.z));
      if (!isBefore || x < -MARGIN || y < -MARGIN || x > width + MARGIN || y > height + MARGIN) continue;
      const placed = { label, x: Math.round(x), y: Math.round(y - label.lift) };
      if (!label.gives || !this.placed.some((other) => covers(other, placed))) this.placed.push(placed);
    }
    for (const [i, { label, x, y }] of this.placed.entries()) {
      const element = this.elements[i] ?? this.make();
      const [dot, words] = element.children as unknown as [HTMLElement, HTMLElement];
      if (words.textContent !== label.text) words.textContent = label.text;
      dot.hidden = label.color === undefined;
      dot.style.backgroundColor = label.color ?? "";
      element.style.transform = `translate(${x}px, ${y}px) translate(-50%, -100%)`;
      element.hidden = false;
    }
    for (const element of this.elements.slice(this.placed.length)) element.hidden = true;
  }

  /** Draws them on a picture of the view, in pixels of the page. */
  paint(context: CanvasRenderingContext2D, theme: Theme): void {
    context.font = FONT;
    context.textBaseline = "middle";
    for (const { label, x, y } of this.placed) {
      const dot = label.color === undefined ? 0 : DOT + GAP;
      const width = context.measureText(label.text).width + dot + 2 * PADDING;
      const left = x - 0.5 * width;
      context.fillStyle = theme.plate;
      context.beginPath();
      context.roundRect(left, y - HEIGHT, width, HEIGHT, 5);
      context.fill();
      if (label.color !== undefined) {
        context.fillStyle = label.color;
        context.beginPath();
        context.arc(left + PADDING + 0.5 * DOT, y - 0.5 * HEIGHT, 0.5 * DOT, 0, 2 * Math.PI);
        context.fill();
      }
      context.fillStyle = theme.text;
      context.fillText(label.text, left + PADDING + dot, y - 0.5 * HEIGHT);
    }
  }

  private make(): HTMLElement {
    const element = document.createElement("span");
    element.append(document.createElement("i"), document.createElement("span"));
    this.element.append(element);
    this.elements.push(element);
    return element;
  }
}

/** Whether two labels overlap. */
function covers(label: Placed, otherLabel: Placed): boolean {
  const reach = ({ label }: Placed) =>
    0.5 * LETTER * label.text.length + PADDING + (label.color ? 0.5 * (DOT + GAP) : 0);
  return (
    Math.abs(label.y - otherLabel.y) < HEIGHT && Math.abs(label.x - otherLabel.x) < reach(label) + reach(otherLabel)
  );
}
