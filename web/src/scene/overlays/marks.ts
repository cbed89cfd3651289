// The mark under the selected vehicle, and the ghost of the carried body.
import { type Color, DoubleSide, Group, Mesh, MeshBasicMaterial, RingGeometry } from "three";
import type { Vehicle } from "../bodies/fleet";
import { chevronGeometry, flatTriangle, prismGeometry } from "../bodies/geometry";
import { poseMatrix } from "../bodies/pose";
import type { Pickable } from "../input/picking";

/** A ring with a tip that shows the heading; never too small to see. */
export class SelectionMark {
  readonly object = new Group();
  private readonly material = new MeshBasicMaterial({
    transparent: true,
    opacity: 0.9,
    depthWrite: false,
    side: DoubleSide,
  });

  constructor() {
    const ring = new Mesh(new RingGeometry(0.92, 1, 56), this.material);
    const tip = new Mesh(flatTriangle(), this.material);
    tip.position.set(1.02, 0, 0);
    tip.scale.set(0.2, 0.26, 1);
    this.object.add(ring, tip);
    this.object.visible = false;
    ring.renderOrder = tip.renderOrder = 1;
    this.material.polygonOffset = true;
    this.material.polygonOffsetFactor = this.material.polygonOffsetUnits = -4;
  }

  paint(color: Color): void {
    this.material.color.copy(color);
  }

  /** @param smallest radius [m] that is seen on the page */
  place(vehicle: Vehicle | undefined, smallest: number): void {
    this.object.visible = vehicle !== undefined;
    if (!vehicle) return;
    const [, , , yaw = 0, pitch = 0, roll = 0] = vehicle.pose;
    // Around the middle of the vehicle, wherever its reference point is.
    const { outline } = vehicle.view;
    const middle = (axis: 0 | 1) => {
      const values = outline.map((point) => point[axis]);
      return values.length > 0 ? 0.5 * (Math.min(...values) + Math.max(...values)) : 0;
    };
    const [mx, my] = [middle(0), middle(1)];
    const reach = Math.max(...outline.map(([px, py]) => Math.hypot(px - mx, py - my)), 0.5 * vehicle.length);
    this.object.position.set(mx, my, 0.006).applyMatrix4(vehicle.body.matrix);
    this.object.rotation.set(roll, pitch, yaw, "ZYX");
    this.object.scale.setScalar(Math.max(1.15 * reach, smallest));
  }
}

/** The carried body: its translucent solid, with its heading. */
export class Ghost {
  readonly object = new Group();
  readonly body: Pickable;
  x = 0;
  y = 0;
  z = 0;
  yaw: number;
  private readonly material: MeshBasicMaterial;

  constructor(body: Pickable, color: Color, length: number) {
    this.body = body;
    const e = body.matrix.elements;
    this.yaw = Math.atan2(e[1], e[0]);
    [this.x, this.y, this.z] = [e[12], e[13], e[14]];
    this.material = new MeshBasicMaterial({ color, transparent: true, opacity: 0.45, depthWrite: false });
    const arrow = new MeshBasicMaterial({ color, side: DoubleSide });
    const [low = 0, high = 0] = body.z;
    this.object.add(new Mesh(prismGeometry(body.outline, body.z), this.material));
    this.object.add(new Mesh(chevronGeometry(body.outline, high + 0.02 * (high - low) + 0.002), arrow));
    const ring = new Mesh(new RingGeometry(0.75 * length, 0.79 * length, 48), arrow);
    ring.position.z = low + 0.01;
    const tip = new Mesh(flatTriangle(), arrow);
    tip.position.set(0.8 * length, 0, low + 0.01);
    tip.scale.setScalar(0.2 * length);
    this.object.add(ring, tip);
    this.object.matrixAutoUpdate = false;
    this.place();
  }

  place(): void {
    poseMatrix(this.x, this.y, this.z, this.yaw, 0, 0, this.object.matrix);
    this.object.matrixWorldNeedsUpdate = true;
  }

  dispose(): void {
    this.object.removeFromParent();
    for (const child of this.object.children) {
      if (!(child instanceof Mesh)) continue;
      child.geometry.dispose();
      child.material.dispose();
    }
  }
}
