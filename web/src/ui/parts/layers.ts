// What the view can show or leave out: by which name, key, and word of links.
import type { Shown } from "../../scene/view3d";

/** A layer of the view. */
export interface Layer {
  /** Also its word in links. */
  what: Shown;
  name: string;
  key: string;
}

/** All layers, as the menu has them. */
export const LAYERS: readonly Layer[] = [
  { what: "forces", name: "Forces on wheels", key: "f" },
  { what: "points", name: "Sensor points", key: "l" },
  { what: "paths", name: "Paths driven", key: "t" },
  { what: "reference", name: "Reference paths", key: "b" },
  { what: "names", name: "Names", key: "n" },
  { what: "shadows", name: "Shadows", key: "o" },
  { what: "relief", name: "Relief of uneven ground", key: "u" },
  { what: "frames", name: "Frames (tf)", key: "x" },
];
