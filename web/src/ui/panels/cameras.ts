// Pictures of cameras: the menu that chooses them, and the dock that shows them.
import type { PictureMessage } from "../../protocol/decode";
import { PICTURE } from "../../protocol/topics";
import type { SceneView, WatchedTopic } from "../../protocol/types";
import { button } from "../parts/button";
import { byId, h, say } from "../parts/dom";
import { menu, tick } from "./menu";
import type { Page } from "./page";

/** Most pictures at a time, as in src/view/messages.rs. */
const MAX_PICTURES = 8;

/** A topic with pictures. */
export interface CameraTopic extends WatchedTopic {
  /** Index of the vehicle. */
  index: number;
  /** As ROS has it: `front_depth/image_raw`, `r1/front_depth/image_raw` where there are several vehicles, or as a preset has it. */
  name: string;
}

/** The topics with pictures in a scene. */
export function cameraTopics(scene: SceneView): CameraTopic[] {
  const topics: CameraTopic[] = [];
  for (const [index, vehicle] of scene.vehicles.entries()) {
    for (const [sensor, { name, topics: all }] of vehicle.sensors.entries()) {
      for (const [topic, { name: published, suffix, message }] of all.entries()) {
        if (message !== PICTURE) continue;
        const prefix = scene.vehicles.length > 1 ? `${vehicle.name}/` : "";
        // Recordings of earlier versions lack the name.
        topics.push({ index, vehicle: vehicle.id, sensor, topic, name: published || `${prefix}${name}${suffix}` });
      }
    }
  }
  return topics;
}

/** What the shades of a picture mean. */
export function legend(black: number): string {
  return black > 0 ? `white 0 m, dark ${black} m` : "";
}

/** A picture in the dock. */
interface Shown {
  topic: CameraTopic;
  element: HTMLElement;
  canvas: HTMLCanvasElement;
  note: HTMLElement;
  /** Whether a picture is being unpacked. */
  busy: boolean;
}

/** The pictures that are shown. */
export interface Cameras {
  /** The button that opens the menu. */
  element: HTMLElement;
  /** What to request. */
  watched(): WatchedTopic[];
  /** Reports that another picture is shown, or one less. */
  onChange: (() => void) | undefined;
}

/** Makes the button and fills the dock. */
export function cameras(page: Page): Cameras {
  const { store } = page;
  const dock = byId("cameras");
  const list = h("div", {});
  let topics: CameraTopic[] = [];
  const shown = new Map<string, Shown>();
  const chooser = menu(
    { icon: "eye", name: "Pictures of cameras", id: "choose-cameras", tip: "above" },
    { class: "menu-up", role: "group", "aria-label": "Pictures of cameras" },
    list,
  );
  const made: Cameras = {
    element: chooser.element,
    watched: () => [...shown.values()].map(({ topic: { vehicle, sensor, topic } }) => ({ vehicle, sensor, topic })),
    onChange: undefined,
  };

  function open(topic: CameraTopic): void {
    const canvas = h("canvas", { width: 320, height: 240, role: "img", "aria-label": `Picture of ${topic.name}` });
    const note = h("span", { class: "muted" });
    const close = button({
      icon: "close",
      name: `Close ${topic.name}`,
      class: "small",
      press: () => set(topic, false),
    });
    const caption = h("figcaption", {}, h("span", { class: "name", title: topic.name }, topic.name), note, close);
    const element = h("figure", { class: "panel", "data-topic": topic.name }, canvas, caption);
    shown.set(topic.name, { topic, element, canvas, note, busy: false });
    dock.append(element);
  }
  function set(topic: CameraTopic, on: boolean): void {
    const known = shown.get(topic.name);
    if (on && known === undefined && shown.size < MAX_PICTURES) open(topic);
    if (!on && known !== undefined) {
      known.element.remove();
      shown.delete(topic.name);
    }
    showTicks();
    made.onChange?.();
  }
  function showTicks(): void {
    dock.hidden = shown.size === 0;
    for (const box of list.querySelectorAll("input")) {
      box.checked = shown.has(box.name);
      box.disabled = !box.checked && shown.size >= MAX_PICTURES;
    }
  }
  function renew(scene: SceneView): void {
    topics = cameraTopics(scene);
    chooser.element.hidden = topics.length === 0;
    list.replaceChildren(
      ...topics.map((topic) => {
        const line = tick(topic.name, false, (on) => set(topic, on));
        line.querySelector("input")?.setAttribute("name", topic.name);
        return line;
      }),
    );
    // Vehicles come and go: indices shift.
    for (const [name, picture] of shown) {
      const topic = topics.find((known) => known.name === name);
      if (topic !== undefined) picture.topic = topic;
      else {
        picture.element.remove();
        shown.delete(name);
      }
    }
    showTicks();
    made.onChange?.();
  }
  async function draw(message: PictureMessage): Promise<void> {
    if (message.revision !== store.world?.revision) return;
    const isIt = ({ topic: { index, sensor, topic } }: Shown) =>
      index === message.vehicle && sensor === message.sensor && topic === message.topic;
    const picture = [...shown.values()].find(isIt);
    if (picture === undefined || picture.busy) return;
    picture.busy = true;
    try {
      const bitmap = await createImageBitmap(new Blob([message.jpeg], { type: "image/jpeg" }));
      const { canvas, note, element } = picture;
      if (canvas.width !== bitmap.width) canvas.width = bitmap.width;
      if (canvas.height !== bitmap.height) canvas.height = bitmap.height;
      canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
      bitmap.close();
      say(note, legend(message.black));
      element.dataset.time = String(message.time);
    } catch (error) {
      console.error(error);
    } finally {
      picture.busy = false;
    }
  }

  chooser.element.hidden = true;
  store.on("scene", renew);
  store.on("picture", (message) => void draw(message));
  return made;
}
