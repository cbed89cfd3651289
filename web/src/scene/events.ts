// What the page and the view tell each other.

import type { Load } from "./bodies/carrying";
import type { CameraMode } from "./camera/camera";
import type { QualityLevel } from "./drawing/quality";
import type { Survey } from "./overlays/surveyor";

/** Parts that the page can show or hide. */
export type Shown = "forces" | "points" | "paths" | "names" | "shadows" | "reference" | "relief" | "frames";

/** Events of the view. */
export interface View3DEvents {
  /** A vehicle was clicked: its index. */
  select(vehicle: number | undefined): void;
  /** Something was put down. */
  drop(load: Load): void;
  /** The carried body was moved or turned. */
  carry(load: Load): void;
  /** The drawing quality was reduced or raised. */
  quality(level: QualityLevel): void;
  /** Carrying was cancelled, or the body no longer exists. */
  letGo(): void;
  /** The camera works in another way now. */
  camera(mode: CameraMode): void;
  /** While the world is edited: a body was clicked, or the background. */
  choose(entity: number | undefined): void;
  /** What was drawn, or the pointer's place on it, has changed. */
  survey(survey: Survey): void;
}
