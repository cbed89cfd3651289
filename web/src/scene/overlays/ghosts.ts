// Vehicles of a second recording: translucent and without colours, so that nobody takes them for vehicles that are there.
import type { DrawingView, VehicleView } from "../../protocol/types";
import type { ColorView } from "../bodies/colors";

/** How much of a ghost is seen, 0 to 255. */
const OPACITY = 96;
/** What bodies and wheels of ghosts are like, on light and on dark ground. */
const BODY: ColorView = [0x8c, 0x97, 0xa6, OPACITY];
const WHEEL: ColorView = [0x4a, 0x53, 0x60, OPACITY];

/** The colour of the paths, names and plots of ghosts on either background. */
export function ghostColor(isDark: boolean): string {
  return isDark ? "#aeb8c6" : "#6a7583";
}

/** A ghost as it is drawn: its own shapes, translucent and grey. */
export function ghostly(view: VehicleView): VehicleView {
  return {
    ...view,
    color: [...BODY],
    drawings: view.drawings.map((drawing) => faded(drawing, BODY)),
    wheels: view.wheels.map((wheel) => ({
      ...wheel,
      color: [...WHEEL],
      drawings: wheel.drawings.map((drawing) => faded(drawing, WHEEL)),
    })),
  };
}

function faded(drawing: DrawingView, color: ColorView): DrawingView {
  const { shape } = drawing;
  // Colours of corners, and a picture, would shine through.
  const plain = shape.is === "triangles" ? { ...shape, colors: "", on_picture: "" } : shape;
  return { ...drawing, shape: plain, color: [...color], texture: null };
}
