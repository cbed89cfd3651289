// The page's icons: strokes on a grid of 20 by 20.

const PATHS = {
  play: "M6 4l10 6-10 6z",
  pause: "M7 4v12M13 4v12",
  step: "M5 4l7 6-7 6zM15 4v12",
  left: "M4 10a6 6 0 1 0 2-4.5M6 2v4h4",
  right: "M16 10a6 6 0 1 1-2-4.5M14 2v4h-4",
  reset: "M4 10a6 6 0 1 0 2-4.5M6 2v4h4",
  orbit:
    "M10 7a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM2 10c0-2 3.6-3.6 8-3.6M18 10c0 2-3.6 3.6-8 3.6M2 10c0 1.5 2 2.8 5 3.3M18 10c0-1.5-2-2.8-5-3.3",
  follow: "M10 3l5 13-5-3-5 3z",
  top: "M3 3h14v14H3zM3 10h14M10 3v14",
  home: "M3 10l7-6 7 6M5 9v7h10V9",
  forces: "M4 16L15 5M9 5h6v6",
  points: "M10 16v.01M5 12v.01M15 12v.01M3 7v.01M17 7v.01M7 5v.01M13 5v.01M10 4v.01",
  paths: "M4 16c0-5 4-3 6-6s0-6 6-6",
  names: "M3 6h9l5 4-5 4H3z",
  shadows: "M9 3a5 5 0 1 0 0 10A5 5 0 0 0 9 3zM6 17h11",
  reference: "M3 15c4 0 4-9 8-9h6M14 3l3 3-3 3",
  move: "M10 2v16M2 10h16M8 4l2-2 2 2M8 16l2 2 2-2M4 8l-2 2 2 2M16 8l2 2-2 2",
  picture: "M3 6h3l1.5-2h5L14 6h3v10H3zM10 8a2.8 2.8 0 1 0 0 5.6A2.8 2.8 0 0 0 10 8z",
  eye: "M2 10c2-3.3 4.7-5 8-5s6 1.7 8 5c-2 3.3-4.7 5-8 5s-6-1.7-8-5zM10 7.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
  video: "M2 5h11v10H2zM13 9l5-3v8l-5-3",
  stop: "M5 5h10v10H5z",
  fullscreen: "M3 7V3h4M13 3h4v4M17 13v4h-4M7 17H3v-4",
  help: "M7.5 7.5a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .8-1 1.7M10 14.5v.01M10 2a8 8 0 1 0 0 16 8 8 0 0 0 0-16z",
  sun: "M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM10 1.5v2M10 16.5v2M1.5 10h2M16.5 10h2M4 4l1.4 1.4M14.6 14.6L16 16M4 16l1.4-1.4M14.6 5.4L16 4",
  moon: "M16 12A7 7 0 0 1 8 3.5a7 7 0 1 0 8 8.5z",
  list: "M7 5h10M7 10h10M7 15h10M3 5v.01M3 10v.01M3 15v.01",
  chart: "M3 3v14h14M6 13l3-4 3 2 4-6",
  close: "M5 5l10 10M15 5L5 15",
  down: "M5 8l5 5 5-5",
  layers: "M10 3l7 4-7 4-7-4zM3 11l7 4 7-4",
  save: "M10 3v9M6 8.5l4 4 4-4M3 16h14",
  gamepad:
    "M6 6h8a4 4 0 0 1 4 4.5c-.3 3-2.5 4-4 2L12.5 11h-5L6 12.5c-1.5 2-3.7 1-4-2A4 4 0 0 1 6 6zM6 8v2.5M4.8 9.2h2.5M14 9v.01",
  broken: "M8 12l4-4M6 9l-2 2a3.5 3.5 0 0 0 5 5l2-2M14 11l2-2a3.5 3.5 0 0 0-5-5L9 6M4 4l12 12",
  log: "M4 3h12v14H4zM7 7h6M7 10h6M7 13h4",
  link: "M8.5 11.5l3-3M9 6.5l2-2a3.2 3.2 0 0 1 4.5 4.5l-2 2M11 13.5l-2 2a3.2 3.2 0 0 1-4.5-4.5l2-2",
  ruler: "M2.5 13.5l11-11 4 4-11 11zM6 10l2 2M8.5 7.5l2 2M11 5l2 2",
  warning: "M10 3l8 14H2zM10 8v4M10 14.5v.01",
  lock: "M5 9h10v8H5zM7 9V6.5a3 3 0 0 1 6 0V9",
  cube: "M10 2l7 4v8l-7 4-7-4V6zM3 6l7 4 7-4M10 10v8",
  sliders: "M4 5h7M15 5h1M4 10h2M10 10h6M4 15h8M16 15h0M13 3.5v3M8 8.5v3M14 13.5v3",
  pencil: "M4 16l1-4 8-8 3 3-8 8zM11.5 5.5l3 3",
  plus: "M10 4v12M4 10h12",
  wall: "M3 5h14v10H3zM3 10h14M8 5v5M12 10v5",
  trash: "M4 6h12M8 6V4h4v2M6 6l.7 10h6.6L14 6",
  eraser: "M8 16h9M4 12l7-8 5 4.5L9.5 16H7z",
} as const;

/** Name of an icon. */
export type IconName = keyof typeof PATHS;

const SVG = "http://www.w3.org/2000/svg";

/** Creates an icon, which screen readers ignore. */
export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}

/** Replaces it with another icon. */
export function swapIcon(holder: Element, name: IconName): void {
  const path = holder.querySelector("svg.icon path");
  if (path !== null && path.getAttribute("d") !== PATHS[name]) path.setAttribute("d", PATHS[name]);
}
