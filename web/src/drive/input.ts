// Input of keys and a gamepad, as numbers.
import type { Wish } from "./ramp";

/** Dead zone: a stick at rest never reports exactly zero. */
export const DEAD_ZONE = 0.12;

type Held = "ahead" | "back" | "left" | "right" | "sideways left" | "sideways right" | "brake";

/** By code, after `Shift ` where that key is down too. */
const KEYS: Record<string, Held> = {
  KeyW: "ahead",
  KeyS: "back",
  KeyA: "left",
  KeyD: "right",
  ArrowUp: "ahead",
  ArrowDown: "back",
  ArrowLeft: "left",
  ArrowRight: "right",
  "Shift KeyA": "sideways left",
  "Shift KeyD": "sideways right",
  "Shift ArrowLeft": "sideways left",
  "Shift ArrowRight": "sideways right",
  Space: "brake",
};

/** Which keys are down. Keys are identified by position, so that w a s d are together on every keyboard layout. */
export class Keys {
  private readonly down = new Map<string, Held>();

  /** Whether the key with this code is a driving key. */
  static drives(code: string): boolean {
    return code in KEYS;
  }

  /** A key goes down; `shift`: while Shift is. */
  press(code: string, shift = false): void {
    const shifted = `Shift ${code}`;
    const pressed = shift && shifted in KEYS ? shifted : code;
    const held = KEYS[pressed];
    if (held !== undefined) this.down.set(pressed, held);
  }

  /** A key comes up, whether or not Shift still is down. */
  release(code: string): void {
    this.down.delete(code);
    this.down.delete(`Shift ${code}`);
  }

  clear(): void {
    this.down.clear();
  }

  get any(): boolean {
    return this.down.size > 0;
  }

  /** Whether this key, or another that does the same, is down; `Shift ` before its code: both of them. */
  holds(code: string): boolean {
    const held = KEYS[code];
    return held !== undefined && this.has(held);
  }

  private has(action: Held): boolean {
    return [...this.down.values()].includes(action);
  }

  get wish(): Wish {
    const sign = (plus: Held, minus: Held) => Number(this.has(plus)) - Number(this.has(minus));
    return {
      drive: sign("ahead", "back"),
      turn: sign("left", "right"),
      sideways: sign("sideways left", "sideways right"),
      brake: this.has("brake"),
    };
  }
}

/** A stick's position without its dead zone: 0 inside it, then continuously up to ±1. */
export function beyondDeadZone(value: number, zone = DEAD_ZONE): number {
  const size = Math.abs(value);
  if (!(size > zone)) return 0;
  return (Math.sign(value) * Math.min(1, size - zone)) / (1 - zone);
}

/**
 * A gamepad of the standard mapping: left stick turns, right trigger or stick drives, left trigger is reverse, A or B brakes. Where a vehicle
 * `movesSideways`, the left stick moves it along both axes, and the right one turns it.
 */
export function wishOfPad(pad: Pick<Gamepad, "axes" | "buttons">, movesSideways: boolean): Wish {
  const button = (index: number) => pad.buttons[index]?.value ?? 0;
  const triggers = beyondDeadZone(button(7), 0.05) - beyondDeadZone(button(6), 0.05);
  const stick = -beyondDeadZone(pad.axes[1] ?? 0);
  const turn = -beyondDeadZone(pad.axes[movesSideways ? 2 : 0] ?? 0);
  return {
    drive: triggers !== 0 ? triggers : stick,
    // Squared, so that small corrections are easy.
    turn: turn * Math.abs(turn),
    sideways: movesSideways ? -beyondDeadZone(pad.axes[0] ?? 0) : 0,
    brake: button(0) > 0.5 || button(1) > 0.5,
  };
}

/** Whether any control is in use. */
export function wants(wish: Wish): boolean {
  return wish.drive !== 0 || wish.turn !== 0 || wish.sideways !== 0 || wish.brake;
}

/** Keys take precedence over the gamepad, separately for each axis. */
export function together(keys: Wish, pad: Wish): Wish {
  return {
    drive: keys.drive !== 0 ? keys.drive : pad.drive,
    turn: keys.turn !== 0 ? keys.turn : pad.turn,
    sideways: keys.sideways !== 0 ? keys.sideways : pad.sideways,
    brake: keys.brake || pad.brake,
  };
}
