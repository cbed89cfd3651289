// Links that open the page as it is now: the same camera, vehicle and layers, and in a recording the same instant. All of it is in the fragment of
// the address, as text that people can change.
import type { CameraMode, Lookout, Shown } from "../../scene/view3d";
import { LAYERS } from "../parts/layers";
import { degrees } from "./format";

/** What a link asks for; each part may be missing. */
export interface View {
  lookout?: Partial<Lookout>;
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
const MAX_DISTANCE = 1e6;

const short = (value: number, digits = 3) => String(Number(value.toFixed(digits)));

/** The fragment for a view, without `#`. */
export function fragmentOf({ lookout, vehicle, show = [], hide = [], time }: View): string {
  const parts = new URLSearchParams();
  if (lookout !== undefined) {
    const { mode, target, distance, azimuth, elevation } = lookout;
    if (mode !== undefined) parts.set("camera", mode);
    if (target !== undefined) parts.set("at", target.map((value) => short(value)).join(" "));
    if (distance !== undefined) parts.set("distance", short(distance));
    if (azimuth !== undefined) parts.set("azimuth", short(degrees(azimuth), 1));
    if (elevation !== undefined) parts.set("elevation", short(elevation * DEGREE, 1));
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
  const number = (name: string) => {
    const text = parts.get(name);
    const value = text === null || text.trim() === "" ? Number.NaN : Number(text);
    return Math.abs(value) <= MAX_DISTANCE ? value : undefined;
  };
  const layers = (name: string) => {
    const names = (parts.get(name) ?? "").split(" ");
    return LAYERS.map(({ what }) => what).filter((what) => names.includes(what));
  };
  const mode = MODES.find((known) => known === parts.get("camera"));
  const [x, y, z = 0] = (parts.get("at") ?? "").split(" ").map((text) => (text === "" ? Number.NaN : Number(text)));
  const isPlace = [x, y, z].every((value) => value !== undefined && Math.abs(value) <= MAX_DISTANCE);
  const [distance, azimuth, elevation] = [number("distance"), number("azimuth"), number("elevation")];
  const lookout: Partial<Lookout> = {};
  if (mode !== undefined) lookout.mode = mode;
  if (x !== undefined && y !== undefined && isPlace) lookout.target = [x, y, z];
  if (distance !== undefined) lookout.distance = Math.max(distance, 0.1);
  if (azimuth !== undefined) lookout.azimuth = azimuth / DEGREE;
  if (elevation !== undefined) lookout.elevation = elevation / DEGREE;
  if (Object.keys(lookout).length > 0) view.lookout = lookout;
  const vehicle = parts.get("vehicle");
  if (vehicle !== null) view.vehicle = vehicle;
  const [show, hide] = [layers("show"), layers("hide")];
  if (show.length > 0) view.show = show;
  if (hide.length > 0) view.hide = hide;
  const time = number("time");
  if (time !== undefined) view.time = time;
  return view;
}
