// Input of keys and a gamepad, as numbers.
import type { Wish } from "./ramp";

/** Dead zone: a stick at rest never reports exactly zero. */
export const DEAD_ZONE = 0.12;

type Held = "ahead" | "back" | "left" | "right" | "brake";

const KEYS: Record<string, Held> = {
  KeyW: "ahead",
  KeyS: "back",
  KeyA: "left",
  KeyD: "right",
  ArrowUp: "ahead",
  ArrowDown: "back",
  ArrowLeft: "left",
  ArrowRight: "right",
  Space: "brake",
};

/** Which keys are down. Keys are identified by position, so that w a s d are together on every keyboard layout. */
export class Keys {
  private readonly down = new Map<string, Held>();

  /** Whether the key with this code is a driving key. */
  static drives(code: string): boolean {
    return code in KEYS;
  }

  press(code: string): void {
    const held = KEYS[code];
    if (held !== undefined) this.down.set(code, held);
  }

  release(code: string): void {
    this.down.delete(code);
  }

  clear(): void {
    this.down.clear();
  }

  get any(): boolean {
    return this.down.size > 0;
  }

  has(what: Held): boolean {
    return [...this.down.values()].includes(what);
  }

  get wish(): Wish {
    const sign = (plus: Held, minus: Held) => Number(this.has(plus)) - Number(this.has(minus));
    return { drive: sign("ahead", "back"), turn: sign("left", "right"), brake: this.has("brake") };
  }
}

/** A stick's position without its dead zone: 0 inside it, then continuously up to ±1. */
export function beyondDeadZone(value: number, zone = DEAD_ZONE): number {
  const size = Math.abs(value);
  if (!(size > zone)) return 0;
  return (Math.sign(value) * Math.min(1, size - zone)) / (1 - zone);
}

/** A gamepad of the standard mapping: left stick turns, right trigger or stick drives, left trigger is reverse, A or B brakes. */
export function wishOfPad(pad: Pick<Gamepad, "axes" | "buttons">): Wish {
  const button = (index: number) => pad.buttons[index]?.value ?? 0;
  const triggers = beyondDeadZone(button(7), 0.05) - beyondDeadZone(button(6), 0.05);
  const stick = -beyondDeadZone(pad.axes[1] ?? 0);
  const turn = -beyondDeadZone(pad.axes[0] ?? 0);
  return {
    drive: triggers !== 0 ? triggers : stick,
    // Squared, so that small corrections are easy.
    turn: turn * Math.abs(turn),
    brake: button(0) > 0.5 || button(1) > 0.5,
  };
}

/** Whether any control is in use. */
export function wants(wish: Wish): boolean {
  return wish.drive !== 0 || wish.turn !== 0 || wish.brake;
}

/** Keys take precedence over the gamepad, separately for each axis. */
export function together(keys: Wish, pad: Wish): Wish {
  return {
    drive: keys.drive !== 0 ? keys.drive : pad.drive,
    turn: keys.turn !== 0 ? keys.turn : pad.turn,
    brake: keys.brake || pad.brake,
  };
}
