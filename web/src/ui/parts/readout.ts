// What a map has in its corner: where the pointer is, how far the lines on the ground are apart, where the axes point, and what the ruler says.
import type { Measured, Survey } from "../../scene/view3d";
import { brief, degrees, fixed } from "../data/format";
import { byId, h, say } from "./dom";

const SVG = "http://www.w3.org/2000/svg";
/** Length of an axis in the picture of the axes, whose middle is 0 [its unit]. */
const AXIS = 12;

/** A measured distance as text: 3.25 m, 41°. */
export function distanceOf({ distance, heading }: Measured): string {
  return `${fixed(distance, distance < 10 ? 3 : 2)} m, ${fixed(degrees(heading), 1)}°`;
}

/** A distance with a fitting unit: 0.01 as 1 cm. */
export function lengthOf(metres: number): string {
  if (metres < 1) return `${brief(metres * 100)} cm`;
  return metres < 1000 ? `${brief(metres)} m` : `${brief(metres / 1000)} km`;
}

/** Makes the corner. The returned function fills it. */
export function readout(): (survey: Survey) => void {
  const axes = ["x", "y", "z"].map((name) => {
    const line = document.createElementNS(SVG, "path");
    line.setAttribute("class", `axis-${name}`);
    return line;
  });
  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("viewBox", "-14 -14 28 28");
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", "Axes of the world: x red, y green, z blue");
  picture.append(...axes);
  const place = h("span", { class: "value", id: "pointer" });
  const grid = h("span", { id: "grid", title: "Distance of the lines on the ground" });
  const contours = h("span", { title: "Distance of the contours in height" });
  const ruler = h("span", { class: "value", id: "measured", role: "status" });
  byId("stage").append(h("div", { id: "readout", class: "panel" }, picture, grid, contours, place, ruler));

  return ({ at, grid: interval, contours: height, axes: directions, measured }) => {
    say(grid, `grid ${lengthOf(interval)}`);
    contours.hidden = height === 0;
    say(contours, `contours ${lengthOf(height)}`);
    place.hidden = at === undefined;
    if (at !== undefined) {
      const level = Math.abs(at.z) > 0.0005 ? `  z ${fixed(at.z, 2)}` : "";
      say(place, `x ${fixed(at.x, 2)}  y ${fixed(at.y, 2)}${level} m`);
    }
    ruler.hidden = measured === undefined;
    if (measured !== undefined) {
      const { dx, dy, dz } = measured;
      const rise = Math.abs(dz) > 0.0005 ? `  Δz ${fixed(dz, 2)}` : "";
      say(ruler, `${distanceOf(measured)}  Δx ${fixed(dx, 2)}  Δy ${fixed(dy, 2)}${rise}`);
    }
    directions.forEach(([right, up], i) => {
      const path = `M0 0L${(AXIS * right).toFixed(1)} ${(-AXIS * up).toFixed(1)}`;
      if (axes[i]?.getAttribute("d") !== path) axes[i]?.setAttribute("d", path);
    });
  };
}
