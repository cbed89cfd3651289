// Writes what happens into the log: warnings of the world, collisions, pauses and resets, things that come and go, lost connections, lost pace.
import type { SceneView, Status } from "../protocol/types";
import type { Level, Log } from "../store/log";
import type { Store } from "../store/store";
import { factor, pace } from "./data/format";

/** Contacts less than this after the last one are the same collision [s]. */
const APART = 1;
/** Below this share of the desired speed of time the simulation is behind, after so many statuses in a row. */
const [BEHIND, STATUSES] = [0.9, 3];

/** Names of the files that the server does not have, each once. */
export function missingFiles(scene: SceneView): string[] {
  const bodies = [
    ...scene.vehicles,
    ...scene.vehicles.flatMap(({ wheels }) => wheels),
    ...scene.blocks,
    ...scene.planes,
    ...scene.actors,
  ];
  return [...new Set(bodies.flatMap(({ missing }) => missing))];
}

/** Starts writing. */
export function writeEvents(store: Store, log: Log): void {
  const now = () => store.sample?.time ?? store.running?.time;
  const add = (level: Level, text: string) => log.add(level, text, now());
  let run: string | undefined;
  let known: Map<number, string> | undefined;
  let missing = new Set<string>();
  let warnings: readonly string[] = [];
  /** Number of the last warning of the run. */
  let lastWarning = 0;
  let before: Status | undefined;
  let behind = 0;
  let wasLost = false;
  /** Simulated time of the last contact of each vehicle [s]. */
  const contacts = new Map<number, number>();
  const lying = new Set<number>();

  store.on("greeting", (greeting) => {
    if (greeting.run === run) return;
    run = greeting.run;
    known = undefined;
    before = undefined;
    lastWarning = 0;
    missing = new Set();
    contacts.clear();
    lying.clear();
    warnings = greeting.warnings;
    for (const warning of warnings) add("warning", warning);
  });
  store.on("notice", ({ level, text, time, number }) => {
    // After a lost connection the last warnings come again.
    if (number !== 0 && number <= lastWarning) return;
    lastWarning = Math.max(lastWarning, number);
    log.add(level === "warning" || level === "error" ? level : "info", text, time ?? now());
  });
  store.on("phase", (phase) => {
    if (phase.is === "lost" && !wasLost)
      add("error", `Connection lost${phase.reason === "" ? "" : `: ${phase.reason}`}`);
    if (phase.is === "live" && wasLost) add("info", "Connected again");
    if (phase.is === "lost" || phase.is === "live") wasLost = phase.is === "lost";
  });
  store.on("scene", (scene) => {
    const now = new Map([...scene.vehicles, ...scene.blocks].map(({ id, name }) => [id, name]));
    for (const [id, name] of now) if (known?.has(id) === false) add("info", `${name} was added`);
    for (const [id, name] of known ?? []) if (!now.has(id)) add("info", `${name} was removed`);
    known = now;
    for (const file of missingFiles(scene)) {
      // The world's warnings may say it already, with the place in its file.
      if (!missing.has(file) && !warnings.some((warning) => warning.includes(file)))
        add("warning", `${file}: not found, a plain shape stands for it`);
      missing.add(file);
    }
  });
  store.on("status", (status) => {
    const last = before;
    before = status;
    if (last === undefined) return;
    if (status.paused !== last.paused) add("info", status.paused ? "Paused" : "Time goes on");
    if (status.resets > last.resets) add("info", "Everything is back at its start");
    if (status.rate !== last.rate) add("info", `Speed of time: ${pace(status.rate)}`);
    if (status.ended && !last.ended)
      add("info", store.isReplay ? "The end of the recording" : "The simulation has ended");
    const { rate, real_time_factor: now } = status;
    const isBehind = rate !== null && !status.paused && !status.ended && now > 0 && now < BEHIND * rate;
    behind = isBehind ? behind + 1 : 0;
    if (behind === STATUSES) add("warning", `The simulation is behind: ${factor(now)} instead of ${pace(rate)}`);
  });
  store.on("sample", ({ time, values }) => {
    const { world, layout } = store;
    if (world === undefined || layout === undefined) return;
    for (const [index, { id, name, ghost }] of world.vehicles.entries()) {
      if (ghost !== undefined) continue;
      const lies = (values[layout.vehicleChannel(index, "overturned")] ?? 0) > 0;
      if (lies !== lying.has(id)) {
        if (lies) lying.add(id);
        else lying.delete(id);
        add(lies ? "warning" : "info", lies ? `${name}: tipped over` : `${name}: upright again`);
      }
      if ((values[layout.vehicleChannel(index, "colliding")] ?? 0) === 0) continue;
      const last = contacts.get(id);
      if (last === undefined || time < last || time - last > APART) add("warning", `${name}: collision`);
      contacts.set(id, time);
    }
  });
}
