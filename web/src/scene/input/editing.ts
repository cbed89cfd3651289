// Editing of the world in the view: which bodies can be dragged, the edges of the chosen one, and the line that a pen draws on the ground.
import {
  BufferGeometry,
  type Color,
  EdgesGeometry,
  Float32BufferAttribute,
  Group,
  Line,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  Points,
  PointsMaterial,
} from "three";
import { prismGeometry } from "../bodies/geometry";
import type { Pickable } from "./picking";

/** Height of the line above the ground [m]. */
const LIFT = 0.02;

/** Draws on the ground; places are in m. */
export interface Pen {
  /** A click. */
  add(x: number, y: number): void;
  /** The pointer passes over. */
  move(x: number, y: number): void;
}

/** The edges of a body, seen through everything, and a tint over it. */
class ChosenMark {
  private readonly edge = new LineBasicMaterial({ depthTest: false, transparent: true });
  private readonly tint = new MeshBasicMaterial({
    transparent: true,
    opacity: 0.35,
    depthWrite: false,
    polygonOffset: true,
    polygonOffsetFactor: -2,
    polygonOffsetUnits: -2,
  });
  readonly object = new LineSegments<BufferGeometry, LineBasicMaterial>(new BufferGeometry(), this.edge);
  private readonly solid = new Mesh<BufferGeometry, MeshBasicMaterial>(new BufferGeometry(), this.tint);
  /** The body. */
  body: Pickable | undefined;

  constructor() {
    this.object.add(this.solid);
    this.object.matrixAutoUpdate = false;
    this.object.visible = false;
    this.object.renderOrder = this.solid.renderOrder = 2;
    this.object.frustumCulled = this.solid.frustumCulled = false;
  }

  paint(color: Color): void {
    this.edge.color.copy(color);
    this.tint.color.copy(color);
  }

  show(body: Pickable | undefined): void {
    this.body = body;
    this.object.visible = body !== undefined;
    if (!body) return;
    this.solid.geometry.dispose();
    this.object.geometry.dispose();
    this.solid.geometry = prismGeometry(body.outline, body.z);
    this.object.geometry = new EdgesGeometry(this.solid.geometry);
    this.place();
  }

  /** Follows the body. */
  place(): void {
    if (!this.body) return;
    this.object.matrix.copy(this.body.matrix);
    this.object.matrixWorldNeedsUpdate = true;
  }
}

/** A line on the ground with its points. */
class PenLine {
  private readonly material = new LineBasicMaterial({ depthTest: false, transparent: true });
  private readonly dots = new PointsMaterial({ size: 7, sizeAttenuation: false, depthTest: false, transparent: true });
  readonly object = new Line<BufferGeometry, LineBasicMaterial>(new BufferGeometry(), this.material);
  private readonly points = new Points<BufferGeometry, PointsMaterial>(this.object.geometry, this.dots);

  constructor() {
    this.object.add(this.points);
    for (const part of [this.object, this.points]) {
      part.frustumCulled = false;
      part.renderOrder = 2;
    }
    this.show([]);
  }

  paint(color: Color): void {
    this.material.color.copy(color);
    this.dots.color.copy(color);
  }

  show(points: readonly (readonly [number, number])[]): void {
    this.object.visible = points.length > 0;
    const places = points.flatMap(([x, y]) => [x, y, LIFT]);
    this.object.geometry.dispose();
    this.object.geometry = new BufferGeometry().setAttribute("position", new Float32BufferAttribute(places, 3));
    this.points.geometry = this.object.geometry;
  }
}

/** What it needs of the view. */
export interface EditingView {
  bodies(): readonly Pickable[];
  /** The point of the ground [m] under a point of the canvas [px]. */
  ground(x: number, y: number): { x: number; y: number } | undefined;
  /** Size of a pixel at the target of the camera [m]. */
  pixel(): number;
  /** The target of the camera [m]. */
  middle(): { x: number; y: number };
  /** Draws lines on the ground at this distance [m]; none: as the zoom has it. */
  rule(step: number | undefined): void;
  /** The picture has to be drawn again. */
  changed(): void;
}

/** Distance of the lines on the ground [m] at a size of a pixel [m]; none: there is no grid to which things go. */
export type GridOf = (pixel: number) => number | undefined;

/** The editor's part of the view. */
export class Editing {
  readonly object = new Group();
  /** Whether clicks choose any body. */
  isOn = false;
  private readonly mark = new ChosenMark();
  private readonly line = new PenLine();
  private pen: Pen | undefined;
  private gridOf: GridOf = () => undefined;

  constructor(private readonly view: EditingView) {
    this.object.add(this.mark.object, this.line.object);
  }

  /** The point of the ground in the middle of what panels leave free [m]. */
  get middle(): { x: number; y: number } {
    return this.view.middle();
  }

  /** Size of a pixel at the target of the camera [m]. */
  get pixel(): number {
    return this.view.pixel();
  }

  /** Distance of the lines to which things go [m]; none: there are none. */
  get step(): number | undefined {
    return this.isOn ? this.gridOf(this.view.pixel()) : undefined;
  }

  start(on: boolean): void {
    this.isOn = on;
    this.choose(undefined);
    this.rule();
  }

  /** Has things go to the lines of this grid. */
  setGrid(gridOf: GridOf): void {
    this.gridOf = gridOf;
    this.rule();
    this.view.changed();
  }

  /** Where a body is now: x, y [m], heading [rad]. */
  poseOf(entity: number): [number, number, number] | undefined {
    const matrix = this.view.bodies().find(({ id }) => id === entity)?.matrix.elements;
    return matrix && [matrix[12], matrix[13], Math.atan2(matrix[1], matrix[0])];
  }

  /** Where bodies stand: pose [m], [rad], and the box around each in its frame [m]. */
  standing() {
    return this.view.bodies().map(({ id, outline, matrix: { elements } }) => {
      const [xs, ys] = [outline.map(([x = 0]) => x), outline.map(([, y = 0]) => y)];
      const low: [number, number] = [Math.min(...xs), Math.min(...ys)];
      const high: [number, number] = [Math.max(...xs), Math.max(...ys)];
      return { id, x: elements[12], y: elements[13], yaw: Math.atan2(elements[1], elements[0]), low, high };
    });
  }

  /** Marks a body, by its id. */
  choose(entity: number | undefined): void {
    this.mark.show(this.view.bodies().find(({ id }) => id === entity));
    this.view.changed();
  }

  /** Lets clicks on the ground draw with a pen, until there is none. */
  draw(pen: Pen | undefined): void {
    this.pen = pen;
    this.show([]);
  }

  /** Shows what a pen has drawn so far, by its points on the ground [m]. */
  show(points: readonly (readonly [number, number])[]): void {
    this.line.show(points);
    this.view.changed();
  }

  /** Whether a body can be dragged: one that moves, and the chosen one. */
  lets(body: Pickable): boolean {
    return this.pen === undefined && (body.isMovable || (this.isOn && body === this.mark.body));
  }

  /** A click. Returns whether it was one of the pen. */
  click(x: number, y: number): boolean {
    const { pen } = this;
    const point = pen && this.view.ground(x, y);
    if (point) pen?.add(point.x, point.y);
    return pen !== undefined;
  }

  hover(x: number, y: number): void {
    const { pen } = this;
    const point = pen && this.view.ground(x, y);
    if (point) pen?.move(point.x, point.y);
  }

  paint(color: Color): void {
    this.mark.paint(color);
    this.line.paint(color);
  }

  /** Follows the chosen body and the zoom. */
  place(): void {
    this.mark.place();
    if (this.isOn) this.rule();
  }

  private rule(): void {
    this.view.rule(this.step);
  }
}
