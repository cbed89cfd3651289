// The part of the view covered by panels, so that the camera's target is centred in the rest.
import type { Inset } from "../../scene/view3d";
import { NARROW } from "../panels/page";
import { byId } from "./dom";

/** Largest share of each direction that panels may cover; the rest shows the world. */
const MAX_SHARE = 0.75;

/** The margins covered by the open panels. */
export function covered(): Inset {
  const stage = byId("stage").getBoundingClientRect();
  const inset = { left: 0, right: 0, top: 0, bottom: 0 };
  const box = (id: string) => byId(id).getBoundingClientRect();
  if (NARROW.matches) {
    for (const id of ["vehicles", "inspector", "editor", "drive", "viewbar"]) {
      const { height, top } = box(id);
      if (height > 0) inset.bottom = Math.max(inset.bottom, stage.bottom - top);
    }
  } else {
    const [left, below] = [box("left"), box("viewbar")];
    const editor = box("editor");
    const right = editor.width > 0 ? editor : box("inspector");
    if (left.width > 0) inset.left = left.right - stage.left;
    // A panel without a vehicle does not count as covering.
    if (right === editor || right.height > 0.5 * stage.height) inset.right = stage.right - right.left;
    if (below.height > 0) inset.bottom = stage.bottom - below.top;
  }
  inset.bottom = Math.min(inset.bottom, MAX_SHARE * stage.height);
  if (inset.left + inset.right > MAX_SHARE * stage.width) Object.assign(inset, { left: 0, right: 0 });
  return inset;
}

/** Calls back with the covered margins whenever panels appear, disappear, or change their size. */
export function followPanels(changed: (inset: Inset) => void): void {
  let before = "";
  const look = () => {
    const inset = covered();
    const text = JSON.stringify(inset);
    if (text !== before) changed(inset);
    before = text;
  };
  const sizes = new ResizeObserver(look);
  for (const id of ["stage", "left", "inspector", "editor", "viewbar", "vehicles", "drive"]) sizes.observe(byId(id));
  look();
}
