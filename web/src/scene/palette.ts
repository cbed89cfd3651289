// The colours by which vehicles are told apart: in lists, of their paths, scan points and names. None is red, which stands for collisions.

/** The colours of successive vehicles, for a dark and for a light background. */
export const PALETTE = {
  dark: [
    "#4cc2ff",
    "#ffb454",
    "#7ee787",
    "#c8a6ff",
    "#5be0d0",
    "#f2e35e",
    "#8fa2ff",
    "#d6b08a",
    "#b5e655",
    "#f0a0ea",
    "#a9d3ea",
    "#c4ccd8",
  ],
  light: [
    "#0067c0",
    "#b35900",
    "#1a7f37",
    "#6f42c1",
    "#00796b",
    "#8a6d00",
    "#3949ab",
    "#7a5230",
    "#5c7d00",
    "#a12c8f",
    "#0086a8",
    "#556070",
  ],
} as const;

/** The colour of a vehicle by its index; they repeat after the last. */
export function vehicleColor(isDark: boolean, vehicle: number): string {
  const colors = PALETTE[isDark ? "dark" : "light"];
  return colors[vehicle % colors.length] ?? colors[0];
}
