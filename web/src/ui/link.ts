// Links that open the page as it is now: the same camera, vehicle and layers, and in a recording the same instant. All of it is in the fragment of
// the address, as text that people can change.
import type { CameraMode, Lookout, Shown } from "../scene/view3d";
import { degrees } from "./format";
import { LAYERS } from "./layers";

/** What a link asks for; each part may be missing. */
export interface View {
  lookout?: Lookout;
  /** Name of the selected vehicle. */
  vehicle?: string;
  /** Layers that are shown or not shown by the user's choice. */
  show?: Shown[];
  hide?: Shown[];
  /** Instant of a recording [s]. */
  time?: number;
}

const MODES: readonly CameraMode[] = ["orbit", "follow", "top"];
const DEGREE = 180 / Math.PI;
/** Numbers beyond this are refused [m]: a picture of nothing. */
const FARTHEST = 1e6;

const short = (value: number, digits = 3) => String(Number(value.toFixed(digits)));

/** The fragment for a view, without `#`. */
export function fragmentOf({ lookout, vehicle, show = [], hide = [], time }: View): string {
  const parts = new URLSearchParams();
  if (lookout !== undefined) {
    const { mode, target, distance, azimuth, elevation } = lookout;
    parts.set("camera", mode);
    parts.set("at", target.map((value) => short(value)).join(" "));
    parts.set("distance", short(distance));
    parts.set("azimuth", short(degrees(azimuth), 1));
    parts.set("elevation", short(elevation * DEGREE, 1));
  }
  if (vehicle !== undefined) parts.set("vehicle", vehicle);
  if (show.length > 0) parts.set("show", show.join(" "));
  if (hide.length > 0) parts.set("hide", hide.join(" "));
  if (time !== undefined) parts.set("time", short(time, 2));
  return parts.toString();
}

/** The view that a fragment such as `#camera=top&at=1+2+0&distance=20` asks for; parts that make no sense are left out. */
export function viewOf(hash: string): View {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  const view: View = {};
  const number = (name: string, otherwise: number) => {
    const text = parts.get(name);
    const value = text === null || text.trim() === "" ? Number.NaN : Number(text);
    return Math.abs(value) <= FARTHEST ? value : otherwise;
  };
  const layers = (name: string) => {
    const names = (parts.get(name) ?? "").split(" ");
    return LAYERS.map(({ what }) => what).filter((what) => names.includes(what));
  };
  const mode = MODES.find((each) => each === parts.get("camera"));
  const [x, y, z = 0] = (parts.get("at") ?? "").split(" ").map((text) => (text === "" ? Number.NaN : Number(text)));
  const isPlace = [x, y, z].every((value) => value !== undefined && Math.abs(value) <= FARTHEST);
  if (mode !== undefined && x !== undefined && y !== undefined && isPlace) {
    view.lookout = {
      mode,
      target: [x, y, z],
      distance: Math.max(number("distance", 20), 0.1),
      azimuth: number("azimuth", -120) / DEGREE,
      elevation: number("elevation", 42) / DEGREE,
    };
  }
  const vehicle = parts.get("vehicle");
  if (vehicle !== null) view.vehicle = vehicle;
  const [show, hide] = [layers("show"), layers("hide")];
  if (show.length > 0) view.show = show;
  if (hide.length > 0) view.hide = hide;
  const time = number("time", Number.NaN);
  if (!Number.isNaN(time)) view.time = time;
  return view;
}
