// Pictures and short videos of the view.

import type { Page } from "../panels/page";
import { button, describe } from "../parts/button";
import { save } from "../parts/dom";
import { swapIcon } from "../parts/icons";
import { fileName } from "./format";

/** Longest video [s]. */
const MAX_DURATION = 60;
const FRAMES_PER_SECOND = 30;
const BITS_PER_SECOND = 8_000_000;
const TYPES = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"];

/** The two buttons. */
export function captureButtons(page: Page): { picture: HTMLButtonElement; video: HTMLButtonElement } {
  const name = (ending: string) => fileName(page.store.world?.name ?? "", page.store.sample?.time ?? 0, ending);
  const picture = button({
    icon: "picture",
    name: "Save a picture",
    key: "i",
    id: "picture",
    tip: "above-end",
    press: () => {
      page.view?.screenshot().then(
        (picture) => {
          save(picture, name("png"));
          page.say("Picture saved.");
        },
        (error: unknown) => page.say(`picture: ${String(error)}`, "error"),
      );
    },
  });

  let recorder: MediaRecorder | undefined;
  let countdown: ReturnType<typeof setInterval> | undefined;
  const video = button({
    icon: "video",
    name: `Record a video of up to ${MAX_DURATION} s`,
    key: "v",
    id: "video",
    class: "record",
    text: "",
    tip: "above-end",
    press: () => (recorder === undefined ? start() : recorder.stop()),
  });
  const words = video.querySelector(".text");

  function start(): void {
    const type = TYPES.find(
      (candidate) => typeof MediaRecorder !== "undefined" && MediaRecorder.isTypeSupported(candidate),
    );
    if (page.view === undefined || type === undefined) {
      page.say("video: this browser cannot record the view", "warning");
      return;
    }
    const stream = page.view.stream(FRAMES_PER_SECOND);
    const parts: Blob[] = [];
    const file = name("webm");
    const begun = performance.now();
    const running = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: BITS_PER_SECOND });
    recorder = running;
    running.ondataavailable = (event) => parts.push(event.data);
    running.onerror = () => running.state === "recording" && running.stop();
    running.onstop = () => {
      clearInterval(countdown);
      recorder = undefined;
      for (const track of stream.getTracks()) track.stop();
      video.classList.remove("recording");
      swapIcon(video, "video");
      describe(video, `Record a video of up to ${MAX_DURATION} s`, "v");
      if (words !== null) words.textContent = "";
      const content = new Blob(parts, { type: "video/webm" });
      if (content.size === 0) page.say("video: nothing was recorded", "warning");
      else {
        save(content, file);
        page.say("Video saved.");
      }
    };
    const show = () => {
      const left = MAX_DURATION - (performance.now() - begun) / 1000;
      if (left <= 0) running.stop();
      else if (words !== null) words.textContent = `${Math.ceil(left)} s`;
    };
    running.start(1000);
    video.classList.add("recording");
    swapIcon(video, "stop");
    describe(video, "Stop and save the video", "v");
    show();
    countdown = setInterval(show, 250);
  }
  return { picture, video };
}
