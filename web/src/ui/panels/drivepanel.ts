// The panel for driving: held keys, commands of the vehicle, and speed limit.
import type { Driving } from "../../drive/driver";
import { SPEEDS } from "../../drive/limits";
import { brief, degrees, fixed } from "../data/format";
import { byId, h, say } from "../parts/dom";
import { icon } from "../parts/icons";
import type { Page } from "./page";

const CAPS = [
  ["KeyW", "W", "ahead"],
  ["KeyA", "A", "left"],
  ["KeyS", "S", "back"],
  ["KeyD", "D", "right"],
  ["Shift KeyA", "⇧A", "left without turning"],
  ["Shift KeyD", "⇧D", "right without turning"],
  ["Space", "Space", "stop"],
] as const;

/** Fills the panel. The returned function displays the state of driving. */
export function drivePanel(page: () => Page): (driving: Driving) => void {
  const panel = byId("drive");
  const title = h("h2", {}, "Drive");
  const pad = h(
    "span",
    { class: "chip pad", hidden: true, tabindex: 0, "data-tip-at": "above-start" },
    icon("gamepad"),
    "Gamepad",
  );
  const note = h("p", { class: "empty", hidden: true });
  const caps = CAPS.map(([code, label, does]) => {
    const shift = code.startsWith("Shift ");
    const key = shift ? code.slice("Shift ".length) : code;
    const cap = h(
      "button",
      { type: "button", class: `cap ${code}`, tabindex: -1, "aria-label": `${label}: ${does}` },
      label,
    );
    // Held like a key, with a finger or the mouse.
    cap.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      cap.setPointerCapture(event.pointerId);
      page().driver.press(key, shift);
    });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
      cap.addEventListener(end, () => page().driver.release(key));
    }
    cap.addEventListener("contextmenu", (event) => event.preventDefault());
    return cap;
  });
  const speed = h("span", { class: "value" }, "0.00");
  const sideways = h("span", { class: "value" }, "0.00");
  const turn = h("span", { class: "value" }, "0.0");
  const speedName = h("span", { class: "label" }, "speed");
  const sidewaysRow = h(
    "p",
    { hidden: true },
    h("span", { class: "label" }, "left"),
    sideways,
    h("span", { class: "unit" }, "m/s"),
  );
  const turnName = h("span", { class: "label" }, "steer");
  const speedUnit = h("span", { class: "unit" }, "m/s");
  const turnUnit = h("span", { class: "unit" }, "°");
  const limitValue = h("output", { for: "limit" });
  const limit = h("input", {
    type: "range",
    id: "limit",
    min: 0,
    max: SPEEDS.length - 1,
    step: 1,
    "aria-label": "Highest speed",
    oninput: () => {
      page().driver.speedIndex = Number(limit.value);
      showLimit();
    },
    onpointerup: () => limit.blur(),
  });
  const body = h(
    "div",
    { class: "drive-body" },
    h("div", { class: "caps", role: "group", "aria-label": "Hold to drive" }, ...caps),
    h(
      "div",
      { class: "told" },
      h("p", {}, speedName, speed, speedUnit),
      sidewaysRow,
      h("p", {}, turnName, turn, turnUnit),
      h("label", { class: "limit" }, h("span", { class: "label" }, "at most"), limitValue, limit),
    ),
  );
  const paused = h("span", { class: "chip when-paused" }, icon("pause"), "Paused");
  panel.append(h("div", { class: "head" }, title, paused, pad), note, body);

  const showLimit = () => {
    const value = SPEEDS[page().driver.speedIndex] ?? 1;
    limit.value = String(page().driver.speedIndex);
    limit.setAttribute("aria-valuetext", `${value} metres per second`);
    say(limitValue, `${brief(value)} m/s`);
  };
  const showVehicle = () => {
    const { store, driver } = page();
    const vehicle = store.vehicle;
    panel.hidden = vehicle === undefined || store.isReplay;
    document.body.classList.toggle("drivable", !panel.hidden && driver.control !== "none");
    if (vehicle === undefined) return;
    const control = driver.control;
    body.hidden = control === "none";
    sidewaysRow.hidden = !driver.movesSideways;
    for (const cap of caps) if (cap.classList.contains("Shift")) cap.hidden = !driver.movesSideways;
    note.hidden = control !== "none";
    say(
      note,
      store.isReadOnly
        ? "Read only: vehicles cannot be driven from this page."
        : `${vehicle.name} takes no commands that keys could give.`,
    );
    say(turnName, control === "yaw" ? "turn" : "steer");
    say(turnUnit, control === "yaw" ? "°/s" : "°");
    say(speedName, control === "pedals" ? "pedal" : "speed");
    say(speedUnit, control === "pedals" ? "%" : "m/s");
    panel.setAttribute("aria-label", `Drive ${vehicle.name}`);
    showLimit();
  };
  queueMicrotask(() => {
    for (const event of ["selected", "greeting", "scene"] as const) page().store.on(event, showVehicle);
  });

  let wasActive = false;
  return (driving) => {
    const { keys, control } = page().driver;
    if (driving.active && !wasActive && page().store.running?.paused === true) {
      page().say("Time is paused: the vehicle moves when it goes on (p)");
    }
    wasActive = driving.active;
    caps.forEach((cap, i) => {
      cap.classList.toggle("held", keys.holds(CAPS[i]?.[0] ?? ""));
    });
    const { throttle, brake, reverse } = driving.pedals;
    const pedal = brake > 0 ? -brake : reverse ? -throttle : throttle;
    say(
      speed,
      control === "pedals" ? `${brake > 0 ? "brake " : ""}${fixed(Math.abs(pedal) * 100, 0)}` : fixed(driving.speed, 2),
    );
    say(sideways, fixed(driving.sideways, 2));
    say(turn, fixed(degrees(driving.turn), 1));
    panel.classList.toggle("active", driving.active);
    pad.hidden = driving.pad === undefined;
    if (driving.pad !== undefined) pad.dataset.tip = driving.pad;
  };
}
