// Colours as the bytes that screens get, in all computations too: turning them into amounts of light and back for every pixel costs software
// rendering more than drawing does.
import { Color, ColorManagement } from "three";

ColorManagement.enabled = false;

/** Red green blue alpha, 0 to 255. */
export type ColorView = readonly [number, number, number, number];

/** A colour of the document. */
export function colorFrom([r, g, b]: readonly number[]): Color {
  return new Color((r ?? 0) / 255, (g ?? 0) / 255, (b ?? 0) / 255);
}

/** A colour of the page, such as #4cc2ff, in the form of the document. */
export function colorViewOf(color: string): ColorView {
  const { r, g, b } = new Color(color);
  return [255 * r, 255 * g, 255 * b, 255];
}

/** Whether light marks are seen on a colour better than dark ones. */
export function isDarkColor([r, g, b]: ColorView): boolean {
  return 0.3 * r + 0.59 * g + 0.11 * b < 130;
}

/**
 * Colours that worlds have by default, as MVSim gives them, and what this page shows instead: pure blue glares, walls would be black on
 * light ground and lost on dark, and planes glare at night.
 */
const CALM: [ColorView, ColorView][] = [
  [
    [50, 50, 50, 255],
    [116, 128, 144, 255],
  ],
  [
    [160, 160, 160, 255],
    [132, 141, 152, 255],
  ],
  [
    [0, 0, 255, 255],
    [104, 133, 168, 255],
  ],
  [
    [160, 224, 160, 255],
    [150, 180, 140, 255],
  ],
];

/** A colour of the document, or a calm one if it is a default of world files. */
export function calmed(color: ColorView | null): [number, number, number, number] | null {
  const [, quiet] = CALM.find(([loud]) => loud.every((value, i) => value === color?.[i])) ?? [];
  return color && [...(quiet ?? color)];
}
