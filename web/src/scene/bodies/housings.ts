// What sits on vehicles where their sensors are, unless their models have it: the drum of a lidar, the box of a camera with its lens.
import type { SensorView, VehicleView } from "../../protocol/types";
import { lengthOf } from "../camera/framing";
import type { Drawer } from "../drawing/drawer";
import type { Rigid } from "./batch";
import type { ColorView } from "./colors";
import { prismGeometry } from "./geometry";
import { matrixOf, poseMatrix } from "./pose";

const CASE: ColorView = [38, 43, 51, 255];
const WINDOW: ColorView = [92, 112, 138, 255];
const LENS: ColorView = [12, 15, 20, 255];
/** Half the width of a housing, in lengths of the vehicle, and its bounds [m]: from small scanners to those of cars. */
const SIZE = { share: 0.07, least: 0.02, most: 0.11 };
const CORNERS = 20;

/** Which housing a sensor has, by its class in world files. */
export function housingOf({ class: kind }: Pick<SensorView, "class">): "lidar" | "camera" | undefined {
  if (/laser|lidar/.test(kind)) return "lidar";
  return /camera/.test(kind) ? "camera" : undefined;
}

/**
 * Where a sensor's housing sits in the vehicle's frame: x y z yaw pitch roll. A sensor within the body, which is no more than a box, has it on
 * the roof above.
 */
export function seatOf(view: Pick<VehicleView, "outline" | "z">, { pose }: Pick<SensorView, "pose">, size: number) {
  const [x, y, z, ...angles] = pose;
  const isWithin = (value: number, axis: 0 | 1) => {
    const values = view.outline.map((point) => point[axis]);
    return value > Math.min(...values) && value < Math.max(...values);
  };
  const isInside = z > view.z[0] - size && z < view.z[1] + size && isWithin(x, 0) && isWithin(y, 1);
  return [x, y, isInside ? view.z[1] + size : z, ...angles];
}

/** Draws the housings of a vehicle's sensors. @param isBox whether its body is no more than a box */
export function drawHousings(drawer: Drawer, body: Rigid, view: VehicleView, isBox: boolean): void {
  const size = Math.min(Math.max(SIZE.share * lengthOf(view), SIZE.least), SIZE.most);
  const add = (name: string, sensor: SensorView, color: ColorView, make: () => ReturnType<typeof prismGeometry>) => {
    const geometry = drawer.shared(`housing ${name} ${size}`, make);
    const material = drawer.materials.material({ color, isLit: true, cull: "back", hasCornerColors: false });
    drawer.part(body, geometry, material, matrixOf(isBox ? seatOf(view, sensor, size) : sensor.pose));
  };
  for (const sensor of view.sensors) {
    const kind = housingOf(sensor);
    if (kind === "lidar") {
      add("drum", sensor, CASE, () => prismGeometry(circle(size), [-size, 0.75 * size], 0.2 * size));
      // Its beams leave through a window all around.
      add("window", sensor, WINDOW, () => prismGeometry(circle(1.03 * size), [-0.3 * size, 0.3 * size]));
    } else if (kind === "camera") {
      const [back, side] = [-0.7 * size, 1.1 * size];
      const plate = [
        [back, -side],
        [0, -side],
        [0, side],
        [back, side],
      ];
      add("box", sensor, CASE, () => prismGeometry(plate, [-0.6 * size, 0.6 * size], 0.15 * size));
      // It looks along x.
      const ahead = poseMatrix(0, 0, 0, 0, Math.PI / 2, 0, matrixOf([0, 0, 0, 0, 0, 0]));
      add("lens", sensor, LENS, () =>
        prismGeometry(circle(0.42 * size), [-0.1 * size, 0.3 * size]).applyMatrix4(ahead),
      );
    }
  }
}

function circle(radius: number): [number, number][] {
  return Array.from({ length: CORNERS }, (_, i) => {
    const angle = (2 * Math.PI * i) / CORNERS;
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });
}
