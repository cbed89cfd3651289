// Readable numbers and times.

const MINUS = "\u2212";

/** With this many decimals, a true minus sign, and no negative zero. */
export function fixed(value: number | undefined, digits: number): string {
  if (value === undefined || !Number.isFinite(value)) return "–";
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) !== 0 ? `${MINUS}${text}` : text;
}

/** As few digits as a number needs, at most three decimals. */
export function brief(value: number): string {
  const text = Number(Math.abs(value).toFixed(3)).toString();
  return value < 0 && Number(text) !== 0 ? `${MINUS}${text}` : text;
}

/** A time [s] as m:ss.s or h:mm:ss.s. */
export function clock(seconds: number): string {
  const tenths = Math.round(Math.abs(seconds) * 10);
  const sign = seconds < 0 && tenths > 0 ? MINUS : "";
  const two = (value: number) => String(value).padStart(2, "0");
  const hours = Math.floor(tenths / 36000);
  const minutes = Math.floor(tenths / 600) % 60;
  const minuteSeconds = `${two(Math.floor(tenths / 10) % 60)}.${tenths % 10}`;
  return hours > 0 ? `${sign}${hours}:${two(minutes)}:${minuteSeconds}` : `${sign}${minutes}:${minuteSeconds}`;
}

/** A time [s] for a screen reader. */
export function spoken(seconds: number): string {
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  return minutes > 0 ? `${minutes} minutes ${whole % 60} seconds` : `${whole} seconds`;
}

/** A speed of time: 0.5×, or as fast as possible. */
export function pace(rate: number | null): string {
  return rate === null ? "max" : `${brief(rate)}×`;
}

/** A real-time factor with few digits, so that it does not flicker: 0.98×, 12.3×, 250×. */
export function factor(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)}×`;
}

/** An angle [rad] in degrees, between −180 and 180. */
export function degrees(angle: number): number {
  const turns = angle / (2 * Math.PI);
  return 360 * (turns - Math.round(turns));
}

/** Display name of a world: its file name without folders and extension. */
export function worldName(name: string): string {
  const file = name.split(/[\\/]/).pop() ?? "";
  return file.replace(/(\.world)?\.xml$/i, "") || "skidpad";
}

/** A name as part of a file's name. */
export function fileName(world: string, time: number, ending: string): string {
  const name = worldName(world)
    .replace(/[^\p{L}\p{N}._-]+/gu, "_")
    .replace(/^[._]+|[._]+$/g, "");
  return `${name === "" ? "skidpad" : name}_${Math.max(0, time).toFixed(2)}s.${ending}`;
}

/** `rl_wheel` as `rl`. */
export function shortName(wheel: string): string {
  return wheel.replace(/[_ ]?wheel[_ ]?/i, "") || wheel;
}
