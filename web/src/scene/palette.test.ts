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

test("no vehicle is as red as a collision, and neighbours differ", () => {
  for (const colors of [PALETTE.dark, PALETTE.light]) {
    for (const color of colors) {
      const { hue, saturation } = hueOf(color);
      expect(saturation < 0.25 || (hue > 20 && hue < 325), color).toBe(true);
    }
    expect(new Set(colors).size).toBe(colors.length);
  }
  expect(PALETTE.dark.length).toBe(PALETTE.light.length);
  expect(vehicleColor(true, 12)).toBe(vehicleColor(true, 0));
});
