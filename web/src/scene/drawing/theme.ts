// Default colours of both themes, where the world file sets none.
import { Color } from "three";
import "../bodies/colors";
import { vehicleColor } from "../bodies/palette";

/** Colours of one theme, in the renderer's form. */
export interface Theme {
  isDark: boolean;
  /** The sky at the horizon, and straight up. */
  background: Color;
  zenith: Color;
  ground: Color;
  /** Lines on the ground, which are translucent. */
  line: Color;
  mapFree: Color;
  mapOccupied: Color;
  accent: Color;
  warning: Color;
  joint: Color;
  /** Paths that vehicles shall drive, dashed like set-points in plots. */
  reference: Color;
  text: string;
  plate: string;
  /** Colours of points and paths of vehicles by their indices, as far as they have been needed. */
  vehicles: Map<number, Color>;
}

const DARK = {
  background: "#35414f",
  zenith: "#0c1118",
  ground: "#2a343f",
  line: "#8ea3bd",
  mapFree: "#36424f",
  mapOccupied: "#8d9bad",
  accent: "#4cc2ff",
  warning: "#ff7b72",
  joint: "#d3dbe4",
  reference: "#c3ccd8",
  text: "#e8eef5",
  plate: "rgba(16, 21, 27, 0.78)",
};

const LIGHT: typeof DARK = {
  background: "#eaf0f6",
  zenith: "#9fbfe0",
  ground: "#d9dee4",
  line: "#46566a",
  mapFree: "#ffffff",
  mapOccupied: "#5d6a7a",
  accent: "#0067c0",
  warning: "#c62828",
  joint: "#37424e",
  reference: "#4a5563",
  text: "#17202a",
  plate: "rgba(255, 255, 255, 0.84)",
};

/** The colours of a theme. */
export function themeOf(isDark: boolean): Theme {
  const { text, plate, ...colors } = isDark ? DARK : LIGHT;
  const entries = Object.entries(colors).map(([name, value]) => [name, new Color(value)]);
  return {
    ...(Object.fromEntries(entries) as Record<keyof typeof colors, Color>),
    isDark,
    text,
    plate,
    vehicles: new Map(),
  };
}

/** The colour of a vehicle. */
export function colorOf(theme: Theme, vehicle: number): Color {
  const known = theme.vehicles.get(vehicle);
  if (known !== undefined) return known;
  const color = new Color(vehicleColor(theme.isDark, vehicle));
  theme.vehicles.set(vehicle, color);
  return color;
}
