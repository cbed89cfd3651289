// Materials with a meaning in models of vehicles: the paint, and the lamps that shine when it brakes or goes backwards.
import type { Color, Material } from "three";
import { colorFrom } from "../bodies/colors";

/** What a material stands for, by its name in glTF files. */
export type Role = "paint" | "brake_light" | "reverse_light";

const ROLES: readonly string[] = ["paint", "brake_light", "reverse_light"] satisfies Role[];

/** The role of a material of a file in this format. */
export function roleOf({ name }: Pick<Material, "name">, format: string): Role | undefined {
  const isKnown = (format === "glb" || format === "gltf") && ROLES.includes(name);
  return isKnown ? (name as Role) : undefined;
}

/** What lamps shine in. */
const SHINING = { brake_light: colorFrom([255, 51, 34]), reverse_light: colorFrom([255, 251, 232]) };

/** A lamp of one vehicle. */
export class Lamp {
  private shines = false;

  /**
   * @param own its colour when it is off
   * @param dye gives it a colour
   */
  constructor(
    readonly role: keyof typeof SHINING,
    private readonly own: Color,
    private readonly dye: (color: Color) => void,
  ) {
    dye(own);
  }

  /** Switches it on or off. */
  set isOn(shines: boolean) {
    if (shines === this.shines) return;
    this.shines = shines;
    this.dye(shines ? SHINING[this.role] : this.own);
  }
}

/** The decelerations [m/s²] above which brake lights go on and below which they go off (UN Regulation No. 13-H, 5.2.22.4). */
const BRAKING = { on: 1.3, off: 0.7 };
/** The speed [m/s] above which a vehicle goes backwards. */
const BACKWARDS = 0.05;

/** What lamps depend on: how far the brake pedal is down [-], the speed ahead [m/s], and its change [m/s²]. */
export interface Driving {
  pedal: number;
  speed: number;
  change: number;
}

/** Whether a vehicle shows that it brakes. @param isShown whether it did so just now */
export function isBraking({ pedal, speed, change }: Driving, isShown: boolean): boolean {
  return pedal > 0 || -Math.sign(speed) * change > (isShown ? BRAKING.off : BRAKING.on);
}

/** Whether it shows that it goes backwards. */
export function isBacking({ speed }: Pick<Driving, "speed">): boolean {
  return speed < -BACKWARDS;
}
