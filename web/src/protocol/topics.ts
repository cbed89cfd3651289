// The topics of sensors that the page draws, by the type of their messages.
import type { SceneView } from "./types";

export const CLOUD = "sensor_msgs/msg/PointCloud2";
export const PICTURE = "sensor_msgs/msg/Image";
/** Those whose numbers are shown, as in src/server/sensor_data/reading.rs. */
export const READINGS: readonly string[] = [
  "geometry_msgs/msg/PoseStamped",
  "sensor_msgs/msg/Range",
  "sensor_msgs/msg/NavSatFix",
  "std_msgs/msg/Bool",
];

/** Whether a sensor of the scene has a topic with messages of this type. */
export function hasTopic(scene: SceneView | undefined, type: string): boolean {
  const topics = scene?.vehicles.flatMap(({ sensors }) => sensors.flatMap((sensor) => sensor.topics)) ?? [];
  return topics.some(({ message }) => message === type);
}
