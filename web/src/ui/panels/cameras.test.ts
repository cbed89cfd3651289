// Which pictures can be chosen, and what their shades mean.
import { expect, test } from "vitest";
import { car, scene } from "../../scene/fixture";
import { cameraTopics, legend } from "./cameras";

const topic = (suffix: string, message: string, name = "") => ({ name, suffix, message: `sensor_msgs/msg/${message}` });
const sensor = (name: string, ...topics: ReturnType<typeof topic>[]) => ({
  name,
  class: "camera",
  topics,
  frame: "",
  pose: [0, 0, 0, 0, 0, 0] as [number, number, number, number, number, number],
  angle_min: 0,
  angle_increment: 0,
  count: 0,
  range_max: 0,
});

test("every topic with pictures can be chosen, by its name", () => {
  const lidar = sensor("lidar", topic("_points", "PointCloud2"));
  const front = sensor(
    "front",
    topic("_rgb/image_raw", "Image"),
    topic("_rgb/camera_info", "CameraInfo"),
    topic("_depth/image_raw", "Image"),
  );
  const robot = car({ id: 5, name: "r1", sensors: [lidar, front] });
  expect(cameraTopics(scene({ vehicles: [robot] }))).toEqual([
    { index: 0, vehicle: 5, sensor: 1, topic: 0, name: "front_rgb/image_raw" },
    { index: 0, vehicle: 5, sensor: 1, topic: 2, name: "front_depth/image_raw" },
  ]);
  const names = cameraTopics(scene({ vehicles: [car(), robot] })).map(({ name, index }) => `${index} ${name}`);
  expect(names).toEqual(["1 r1/front_rgb/image_raw", "1 r1/front_depth/image_raw"]);
});

test("a topic has the name that a preset gives it", () => {
  const zed = sensor("zed", topic("/image_raw", "Image", "/camera/zed/rgb/image_rect_color"));
  const [only] = cameraTopics(scene({ vehicles: [car({ sensors: [zed] })] }));
  expect(only?.name).toBe("/camera/zed/rgb/image_rect_color");
});

test("shades of depth are explained", () => {
  expect([legend(0), legend(5)]).toEqual(["", "white 0 m, dark 5 m"]);
});
