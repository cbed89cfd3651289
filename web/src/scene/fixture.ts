// Scene documents and states for tests.
import type { Sample } from "../protocol/decode";
import { StateLayout } from "../protocol/layout";
import type { BodyView, Channel, DrawingView, Layout, SceneView, VehicleView, WheelView } from "../protocol/types";

const channels = (names: string): Channel[] => names.split(" ").map((name) => ({ name, unit: "-", resolution: 1e-3 }));
const POSE = "x y z yaw pitch roll";

/** Channels as servers name them. */
export const LAYOUT: Layout = {
  vehicle: channels(
    `${POSE} vx vy yaw_rate ax ay odom_x odom_y odom_yaw wanted_vx wanted_yaw_rate wanted_steer colliding throttle brake gear engine_speed engine_torque driver point_x point_y reference_x reference_y reference_yaw tracking_error wanted_vy overturned`,
  ),
  wheel: channels(
    "steer spin_angle spin torque load lifted wheel_vx wheel_vy force_x force_y slip_ratio slip_angle travel",
  ),
  pose: channels(POSE),
  actor: channels(`${POSE} gait clip_time distance`),
  seen: POSE.split(" "),
};

/** Numbers as the document holds them. */
export function base64(numbers: readonly number[]): string {
  const bytes = new Uint8Array(Float32Array.from(numbers).buffer);
  return btoa(String.fromCharCode(...bytes));
}

/** A rectangle around the origin, length along x. */
export function rectangle(length: number, width: number): [number, number][] {
  const [x, y] = [0.5 * length, 0.5 * width];
  return [
    [-x, -y],
    [x, -y],
    [x, y],
    [-x, y],
  ];
}

/** A wheel at a place. */
export function wheel(x: number, y: number, radius = 0.3): WheelView {
  const look = {
    color: [40, 40, 44, 255] as [number, number, number, number],
    drawings: [],
    missing: [],
    linked_yaw: null,
    pivot: null,
  };
  return { name: "wheel", position: [x, y], radius, width: 0.5 * radius, ...look };
}

/** A car of 4 m. */
export function car(changes: Partial<VehicleView> = {}): VehicleView {
  return {
    id: 1,
    name: "car",
    class: "",
    is_movable: true,
    outline: rectangle(4, 1.8),
    z: [0.2, 1.4],
    color: [200, 60, 50, 255],
    drawings: [],
    missing: [],
    wheels: [wheel(-1.3, 0.8), wheel(-1.3, -0.8), wheel(1.3, 0.8), wheel(1.3, -0.8)],
    sensors: [
      {
        name: "scan",
        class: "laser",
        topics: [{ name: "", suffix: "", message: "sensor_msgs/msg/LaserScan" }],
        frame: "car/scan",
        pose: [0, 0, 1.5, 0, 0, 0],
        angle_min: 0,
        angle_increment: Math.PI / 180,
        count: 360,
        range_max: 30,
      },
    ],
    frames: { map: "map", odometry: "car/odom", base: "car/base_link" },
    accepts: ["ackermann"],
    moves_sideways: false,
    max_steer: 0.6,
    wheelbase: 2.6,
    mass: 1000,
    force_scale: 0.0005,
    reference_path: [],
    ...changes,
  };
}

/** A block of 1 m. */
export function block(changes: Partial<BodyView> = {}): BodyView {
  const pose: BodyView["pose"] = [0, 0, 0, 0, 0, 0];
  return {
    id: 9,
    name: "block",
    pose,
    outline: rectangle(1, 1),
    z: [0, 1],
    is_movable: true,
    drawings: [],
    missing: [],
    ...changes,
  };
}

/** A drawing of a shape. */
export function drawing(changes: Partial<DrawingView>): DrawingView {
  return {
    kind: "body",
    name: "",
    shape: { is: "triangles", corners: base64([0, 0, 0, 1, 0, 0, 0, 1, 0]), colors: "", on_picture: "" },
    pose: [0, 0, 0, 0, 0, 0],
    color: [200, 200, 200, 255],
    texture: null,
    is_lit: true,
    cull: "none",
    show_bounding_box: false,
    ...changes,
  };
}

/** An empty scene with the given parts. */
export function scene(changes: Partial<SceneView> = {}): SceneView {
  return {
    name: "test",
    revision: 1,
    step: 0.005,
    vehicles: [],
    blocks: [],
    planes: [],
    actors: [],
    fixed: [],
    maps: [],
    clouds: [],
    joints: [],
    grids: [],
    skybox: [],
    gui: {
      is_orthographic: false,
      show_forces: false,
      force_scale: 0,
      show_sensor_points: true,
      field_of_view: 1,
      clip: [0.05, 1e4],
      camera_distance: 80,
      camera_azimuth: 0.8,
      camera_elevation: 0.7,
      camera_target: [0, 0, 0],
      follow_vehicle: "",
      refresh_rate: 20,
      has_camera: false,
    },
    lights: {
      enable_shadows: true,
      shadow_map_size: 2048,
      direction: [-0.3, -0.4, -0.87],
      color: [255, 255, 255, 255],
      ambient: 0.5,
    },
    ...changes,
  };
}

/** The layout of a scene's states. */
export function layoutOf(view: SceneView): StateLayout {
  return new StateLayout(LAYOUT, view);
}

/** A state, with values at some indices. */
export function sample(layout: StateLayout, time: number, values: Record<number, number>): Sample {
  const all = new Float64Array(layout.size);
  for (const [index, value] of Object.entries(values)) all[Number(index)] = value;
  return { time, revision: 1, values: all };
}
