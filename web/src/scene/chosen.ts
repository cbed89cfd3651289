// What editing of the world shows: the edges of the body that is edited, and the line that a pen draws on the ground.
import {
  BufferGeometry,
  type Color,
  EdgesGeometry,
  Float32BufferAttribute,
  Line,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  Points,
  PointsMaterial,
} from "three";
import { prismGeometry } from "./geometry";
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
export class ChosenMark {
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
export class PenLine {
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
