// Forces of the ground on wheels as arrows that lie flat where the wheel stands.
import { type Color, DoubleSide, InstancedMesh, Matrix4, MeshBasicMaterial, type Object3D } from "three";
import type { StateLayout } from "../../protocol/layout";
import type { GuiView } from "../../protocol/types";
import type { Blend } from "../bodies/blend";
import type { Fleet, Vehicle } from "../bodies/fleet";
import { flatStrip, flatTriangle } from "../bodies/geometry";
import { multiplyInto, type Point, turnAbout } from "../bodies/pose";

/** Arrows shorter than this share of their width are noise. */
const MIN_LENGTH = 0.25;

/** Length [m] of the shaft and of the head of an arrow. */
export function arrowParts(length: number, width: number): { shaft: number; head: number } {
  if (length < MIN_LENGTH * width) return { shaft: 0, head: 0 };
  const head = Math.min(3 * width, 0.5 * length);
  return { shaft: length - head, head };
}

/** Scale of drawn forces [m/N]: that of the world file if it shows forces, otherwise one that suits the vehicle. */
export function forceScale(
  gui: Pick<GuiView, "force_scale" | "show_forces">,
  vehicle: { force_scale: number },
): number {
  return gui.show_forces && gui.force_scale > 0 ? gui.force_scale : vehicle.force_scale;
}

interface Contact {
  vehicle: Vehicle;
  /** Where the wheel stands [m], without steering and now. */
  position: Point;
  at: Point;
  /** The point that it turns about [m]; null: its centre. */
  pivot: Point | null;
  steer: number;
  forceX: number;
  forceY: number;
  scale: number;
  width: number;
}

/** The arrows of all wheels. */
export class Forces {
  private readonly contacts: Contact[] = [];
  private readonly shafts: InstancedMesh;
  private readonly heads: InstancedMesh;
  private readonly contact = new Matrix4();
  private readonly material = new MeshBasicMaterial({ side: DoubleSide, depthTest: false, transparent: true });

  constructor(
    private readonly parent: Object3D,
    fleet: Fleet,
    layout: StateLayout,
    gui: GuiView,
  ) {
    for (const vehicle of fleet.vehicles) {
      if (vehicle.view.ghost) continue;
      for (const [i, { position, pivot, width }] of vehicle.view.wheels.entries()) {
        this.contacts.push({
          vehicle,
          position,
          at: [...position],
          pivot,
          steer: layout.wheelChannel(vehicle.index, i, "steer"),
          forceX: layout.wheelChannel(vehicle.index, i, "force_x"),
          forceY: layout.wheelChannel(vehicle.index, i, "force_y"),
          scale: forceScale(gui, vehicle.view),
          width: Math.max(0.018 * vehicle.length, 0.25 * width, 0.006),
        });
      }
    }
    const make = (isHead: boolean) => {
      const mesh = new InstancedMesh(
        isHead ? flatTriangle() : flatStrip(),
        this.material,
        Math.max(this.contacts.length, 1),
      );
      mesh.frustumCulled = false;
      mesh.renderOrder = 5;
      parent.add(mesh);
      return mesh;
    };
    this.shafts = make(false);
    this.heads = make(true);
    this.isShown = false;
  }

  set isShown(shown: boolean) {
    this.shafts.visible = this.heads.visible = shown && this.contacts.length > 0;
  }

  get isShown(): boolean {
    return this.shafts.visible;
  }

  paint(color: Color): void {
    this.material.color.copy(color);
  }

  /** Draws the forces as they are between the last two states; vehicles have been placed. */
  place(blend: Blend): void {
    if (!this.isShown) return;
    for (const [i, contact] of this.contacts.entries()) {
      const x = blend.value(contact.forceX);
      const y = blend.value(contact.forceY);
      const { shaft, head } = arrowParts(Math.hypot(x, y) * contact.scale, contact.width);
      const steer = blend.angle(contact.steer);
      turnAbout(contact.pivot, contact.position, steer, contact.at);
      const angle = Math.atan2(y, x) + steer;
      this.put(this.shafts, i, contact, angle, 0, shaft, contact.width);
      this.put(this.heads, i, contact, angle, shaft, head, 2.6 * contact.width);
    }
    this.shafts.instanceMatrix.needsUpdate = true;
    this.heads.instanceMatrix.needsUpdate = true;
  }

  dispose(): void {
    for (const mesh of [this.shafts, this.heads]) {
      this.parent.remove(mesh);
      mesh.geometry.dispose();
      mesh.dispose();
    }
    this.material.dispose();
  }

  private put(
    mesh: InstancedMesh,
    i: number,
    at: Contact,
    angle: number,
    from: number,
    length: number,
    width: number,
  ): void {
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const wide = length > 0 ? width : 0;
    this.contact.set(
      c * length,
      -s * wide,
      0,
      at.at[0] + c * from,
      s * length,
      c * wide,
      0,
      at.at[1] + s * from,
      0,
      0,
      1,
      0.01,
      0,
      0,
      0,
      1,
    );
    multiplyInto(at.vehicle.body.matrix, this.contact, mesh.instanceMatrix.array as Float32Array, 16 * i);
  }
}
