// Colours of vehicles.
import { expect, test } from "vitest";
import { PALETTE, vehicleColor } from "./palette";

/** Hue in degrees and saturation of a colour. */
function hueOf(color: string): { hue: number; saturation: number } {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
  const [most, least] = [Math.max(r, g, b), Math.min(r, g, b)];
  const span = most - least || 1;
  const hue = most === r ? ((g - b) / span + 6) % 6 : most === g ? (b - r) / span + 2 : (r - g) / span + 4;
  return { hue: 60 * hue, saturation: most === 0 ? 0 : (most - least) / most };
}

/** The colours of the first vehicles. */
const colorsOf = (isDark: boolean, count: number) =>
  Array.from({ length: count }, (_, vehicle) => vehicleColor(isDark, vehicle));

test("no vehicle is as red as a collision, and the colours of a big fleet differ", () => {
  for (const isDark of [true, false]) {
    const colors = colorsOf(isDark, 150);
    for (const color of colors) {
      const { hue, saturation } = hueOf(color);
      expect(saturation < 0.25 || (hue > 20 && hue < 325), color).toBe(true);
    }
    expect(new Set(colors).size).toBe(150);
  }
  expect(PALETTE.dark.length).toBe(PALETTE.light.length);
  expect(colorsOf(true, 12)).toEqual(PALETTE.dark);
});

test("colours after the palette are calm, and contrast with the background", () => {
  for (const isDark of [true, false]) {
    for (const color of colorsOf(isDark, 100).slice(12)) {
      const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
      const light = 0.2126 * r + 0.7152 * g + 0.0722 * b;
      expect(isDark ? light > 0.5 : light < 0.6, color).toBe(true);
      // No channel is dark altogether: such colours glare.
      expect(Math.min(r, g, b), color).toBeGreaterThan(0);
    }
  }
});
