// Names over vehicles.

import type { Theme } from "../drawing/theme";
import { ghostColor } from "../overlays/ghosts";
import type { Label } from "../overlays/labels";
import type { Fleet } from "./fleet";
import { vehicleColor } from "./palette";

/** Most names: more would not be readable anyway. */
const MAX_NAMES = 256;
/** Height of a name above the roof [px]. */
const LIFT = 10;

/** The names of ghosts: without them nobody knows what they are. */
export function ghostLabels(fleet: Fleet, theme: Theme): Label[] {
  return nameLabels(fleet, theme, undefined).filter((_, i) => fleet.vehicles[i]?.view.ghost !== undefined);
}

/** The names of vehicles, each with a dot in the colour of its path. All give way, those of others to the selected one's. */
export function nameLabels(fleet: Fleet, theme: Theme, selected: number | undefined): Label[] {
  const labels = fleet.vehicles.slice(0, MAX_NAMES).map(({ view, index, pose }) => {
    const [x = 0, y = 0, z = 0] = pose;
    const color = view.ghost ? ghostColor(theme.isDark) : vehicleColor(theme.isDark, index);
    return { text: view.name, x, y, z: z + view.z[1], lift: LIFT, color, gives: true };
  });
  const [first] = selected === undefined ? [] : labels.splice(selected, 1);
  return first === undefined ? labels : [first, ...labels];
}
