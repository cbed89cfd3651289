// The colours by which vehicles are told apart: in lists, of their paths, scan points and names. None is red, which stands for collisions.

/** The colours of the first vehicles, for a dark and for a light background. */
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

/** Hues in OKLCH without red and pink: from orange over green, blue and violet to purple [degrees]. */
const [FIRST_HUE, LAST_HUE] = [55, 330];
/** The fractional part of the golden ratio: its multiples spread evenly over an interval, however many there are. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;
/** Lightness of successive colours, and their chroma, on each background: within what screens can show, and calm. */
const TONES = {
  dark: { lightness: [0.8, 0.7, 0.86], chroma: 0.085 },
  light: { lightness: [0.52, 0.6, 0.44], chroma: 0.07 },
} as const;

/** The colour of a vehicle by its index: of the palette, and after its last one of hues that do not repeat. */
export function vehicleColor(isDark: boolean, vehicle: number): string {
  const mode = isDark ? "dark" : "light";
  const further = vehicle - PALETTE[mode].length;
  return PALETTE[mode][vehicle] ?? furtherColor(TONES[mode], further);
}

function furtherColor({ lightness, chroma }: (typeof TONES)["dark" | "light"], index: number): string {
  const hue = FIRST_HUE + (LAST_HUE - FIRST_HUE) * ((index * GOLDEN) % 1);
  return fromOklch(lightness[index % lightness.length] ?? lightness[0], chroma, hue);
}

/** A colour of OKLCH (Ottosson, A perceptual color space for image processing, 2020) as #rrggbb; channels beyond what screens show are cut. */
function fromOklch(lightness: number, chroma: number, hue: number): string {
  const angle = (hue * Math.PI) / 180;
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  const bytes = linear.map((light) => {
    const value = light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055;
    return Math.round(255 * Math.min(1, Math.max(0, value)));
  });
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
