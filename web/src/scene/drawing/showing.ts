// What the view shows at the moment: the view changes it, and its camera and its painter read it.
import { Blend } from "../bodies/blend";
import type { Vehicle } from "../bodies/fleet";
import type { Content } from "../content";
import type { Shown } from "../events";
import type { PointColors } from "../overlays/clouds";
import { type Theme, themeOf } from "./theme";

/** What is shown. */
export class Showing {
  /** The scene that is drawn; none: not known yet. */
  content: Content | undefined;
  /** Where everything in it is. */
  readonly blend = new Blend();
  theme: Theme = themeOf(true);
  /** Index of the selected vehicle. */
  selected: number | undefined;
  pointColors: PointColors = "height";
  readonly layers: Record<Shown, boolean> = {
    forces: false,
    points: true,
    paths: true,
    names: false,
    shadows: true,
    reference: true,
    relief: true,
    frames: false,
  };

  /** The vehicle of this index; none before the first state of its scene. */
  vehicle(index: number | undefined): Vehicle | undefined {
    return index !== undefined && this.blend.isFilled ? this.content?.fleet.vehicles[index] : undefined;
  }

  /** Puts everything where it is now. */
  place(): void {
    if (this.blend.isFilled) this.content?.place(this.blend);
  }
}
