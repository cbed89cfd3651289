// The colours of the sky and of its light, by the laws that cameras of the simulation see them by (src/rays/space/sky.rs).
import { Color } from "three";
import type { LightsView } from "../../protocol/types";
import { colorFrom } from "../bodies/colors";

/** Coefficient of the gradation of a clear sky. */
const THICKNESS = 0.32;
/** Share of the zenith's colour in what comes to a level surface: the integral of 2 c exp(b (1 - 1 / c)) over the cosine c. */
const OF_ZENITH = 0.801;

/** Colours of the sky straight up and at the horizon, and of the ground around the world. */
export interface SkyColors {
  zenith: Color;
  horizon: Color;
  ground: Color;
}

/** The colours of a document. */
export function skyOf([zenith, horizon, ground]: NonNullable<LightsView["sky"]>): SkyColors {
  return { zenith: colorFrom(zenith), horizon: colorFrom(horizon), ground: colorFrom(ground) };
}

/** Share of the zenith's colour where a unit vector goes upwards by `up`, from 0 at the horizon to 1: the clear sky of CIE S 011. */
export function zenithShare(up: number): number {
  return up > 0 ? Math.exp(THICKNESS * (1 - 1 / up)) : 0;
}

/** The light from above and from below, whiter the larger the share is that does not come from the sun. */
export function lightOf({ zenith, horizon, ground }: SkyColors, ambient: number): [Color, Color] {
  const white = new Color(1, 1, 1);
  const above = horizon.clone().lerp(zenith, OF_ZENITH);
  const brightest = Math.max(above.r, above.g, above.b);
  if (brightest > 0) above.multiplyScalar(1 / brightest);
  else above.copy(white);
  return [above.lerp(white, ambient), ground.clone().lerp(white, ambient)];
}
