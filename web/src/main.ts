// Assembles the page: connection, store, panels, and the 3-D view once loaded.
import { Driver } from "./drive/driver";
import { Wheel } from "./drive/wheel";
import { Connection } from "./protocol/connection";
import { keepToken, readToken, tokenOf, withoutToken, withToken } from "./protocol/token";
import type { Order, SceneView } from "./protocol/types";
import type { QualityLevel, View3D } from "./scene/view3d";
import { Log } from "./store/log";
import { Store } from "./store/store";
import { carrying } from "./ui/carry";
import { tellEnds } from "./ui/data/ghost";
import { recordingLine } from "./ui/data/recording";
import { sharing } from "./ui/data/share";
import { tellOfUnread } from "./ui/data/unread";
import { vehicleList } from "./ui/data/vehicles";
import { writeEvents } from "./ui/events";
import { listenToKeys } from "./ui/keys";
import { cameras } from "./ui/panels/cameras";
import { drivePanel } from "./ui/panels/drivepanel";
import { inspector } from "./ui/panels/inspector";
import { logPanel } from "./ui/panels/logpanel";
import type { Page } from "./ui/panels/page";
import { tabStorage } from "./ui/panels/settings";
import { tabs } from "./ui/panels/tabs";
import { timeBar } from "./ui/panels/timebar";
import { topBar } from "./ui/panels/topbar";
import { viewBar } from "./ui/panels/viewbar";
import { byId, throttled } from "./ui/parts/dom";
import { followPanels } from "./ui/parts/inset";
import { readout } from "./ui/parts/readout";
import { states } from "./ui/parts/states";
import { type Level, Toasts } from "./ui/parts/toast";
import { followTheme, isDark } from "./ui/theme";
import { watchFor } from "./watch";

// The largest part of the page: on its way before anything else is done.
const loading = import("./scene/view3d");
const token = readToken(location.hash, tabStorage());
if (token !== undefined) settleToken(token);
const store = new Store();
const log = new Log();
const toasts = new Toasts(byId("toasts"));
const connection = new Connection(
  new URL("api/socket?scene=streamed", location.href.replace(/^http/, "ws")).href.replace(/#.*/, ""),
  token,
  store,
);
const wheel = new Wheel(() => connection.token, refused);
const showDriving = drivePanel(() => page);
const page: Page = {
  store,
  connection,
  driver: new Driver(
    store,
    (order, isHeld) => wheel.send(order, isHeld),
    (driving) => showDriving(driving),
  ),
  view: undefined,
  edit: undefined,
  tell,
  say,
};
/** Interval between two instants that numbers and plots show [ms]. */
const PACE = 80;
/** For the browser's console, and for tests: docs/viewer.md. */
const handle: { view: View3D | undefined; store: Store } = { view: undefined, store };
Object.assign(window, { skidpad: handle });

async function tell(order: Order): Promise<boolean> {
  const { error } = await connection.order(order);
  if (error !== null) refused(error);
  return error === null;
}

/** Tells why an order was not carried out; without a connection the banner shows that already. */
function refused(error: string): void {
  if (store.current.is === "live") say(error, "warning");
}

/** Shows a message; warnings and errors stay in the log. */
function say(text: string, level: Level = "info"): void {
  toasts.show(text, level);
  if (level !== "info") log.add(level, text, store.sample?.time);
}

let quality: QualityLevel | undefined;
let lastWatch = "";
/** Whether readings of sensors are among what is asked for. */
let asksForReadings = false;
/** The scene that the view shows. */
let drawn: SceneView | undefined;
function watch(): void {
  if (store.current.is !== "live") return;
  const order = watchFor({
    hidden: document.hidden,
    // Points that come before the view shows their scene would be lost.
    points: drawn === store.world && (page.view?.getShown("points") ?? false),
    everyPoint: quality?.everyPoint ?? true,
    fps: quality?.fps,
    refreshRate: store.world?.gui.refresh_rate,
    vehicle: store.vehicle?.id,
    pictures: shown.watched(),
    readings: sensors.isOpen() || (page.view?.getShown("points") ?? false),
    everyNumber: store.ghost !== undefined || (page.view?.getShown("forces") ?? false),
    minor: store.server?.minor ?? 0,
  });
  const text = JSON.stringify(order);
  asksForReadings = order.do === "watch" && (order.points !== "none" || order.pictures.length > 0);
  if (text !== lastWatch) tell(order);
  lastWatch = text;
}

function themed(): void {
  page.view?.setTheme(isDark());
  dispatchEvent(new Event("skidpad:theme"));
}

followTheme(themed);
vehicleList(page);
const shown = cameras(page);
const view = viewBar(page, shown.element);
const carry = carrying(page);
topBar(page, themed);
recordingLine(page);
tellEnds(page);
logPanel(log);
writeEvents(store, log);
tellOfUnread(store, () => asksForReadings, say);
const aim = sharing(page, view);
const survey = readout();
const sensors = inspector(page, () => carry.pickUp());
listenToKeys(page, view, carry, timeBar(page));
tabs();
const cannotDraw = states(page);
view.onLayer = watch;
shown.onChange = watch;
sensors.onToggle = watch;
store.on("phase", (phase) => {
  if (phase.is !== "live") {
    lastWatch = "";
    wheel.release();
  }
  watch();
});
store.on("selected", (index) => {
  page.view?.select(index);
  store.show();
  watch();
});
store.on(
  "sample",
  throttled(PACE, () => store.show()),
);
store.on("scene", showScene);
store.on("sample", (sample) => page.view?.pushState(sample));
store.on("greeting", ({ can_edit }) => {
  // Most pages do without it.
  if (can_edit && page.edit === undefined) void import("./edit/editor").then(({ editor }) => editor(page, carry));
});
store.on("scan", (scan) => page.view?.pushScan(scan));
store.on("cloud", (cloud) => page.view?.pushCloud(cloud));
store.on("reading", (reading) => page.view?.pushReading(reading));
store.on("notice", ({ level, text, number }) => {
  // Warnings of the run are in the log, whose button counts them.
  if (number === 0) toasts.show(text, level === "error" || level === "warning" ? level : "info");
});
document.addEventListener("visibilitychange", watch);
// Another link pasted into this tab.
addEventListener("hashchange", () => {
  const pasted = tokenOf(location.hash);
  if (pasted === undefined) return;
  settleToken(pasted);
  connection.connect(pasted);
});
connection.connect();

/** Keeps the token with the tab and takes it out of the address, where others may read it or it may be out of date. */
function settleToken(current: string): void {
  if (keepToken(current, tabStorage()) && tokenOf(location.hash) !== undefined) {
    history.replaceState(history.state, "", location.pathname + location.search + withoutToken(location.hash));
  }
}

/** Shows the scene, or the reason of a failure. */
function showScene(): void {
  handOn().catch((error: unknown) => {
    console.error(error);
    const message = error instanceof Error ? error.message : String(error);
    say(`view: this scene could not be drawn: ${message}\nhint: reload the page`, "error");
  });
}

/** Hands the scene on to the view, once both are there. */
async function handOn(): Promise<void> {
  const { world, layout, server } = store;
  if (page.view === undefined || world === undefined || layout === undefined || server === undefined) return;
  const { token } = connection;
  const shown = page.view.setScene(world, layout, { url: (path) => withToken(path, token), token }, server.run);
  page.view.select(store.selected);
  await shown;
  if (store.world !== world) return;
  drawn = world;
  if (store.sample !== undefined) page.view.pushState(store.sample);
  view.renew();
  watch();
}

loading.then(
  ({ View3D }) => {
    try {
      page.view = new View3D(byId("view"), {
        select: (vehicle) => store.select(vehicle),
        drop: (load) => carry.dropped(load),
        carry: (load) => carry.moved(load),
        letGo: () => carry.left(),
        choose: (entity) => page.edit?.choose(entity),
        camera: (mode) => view.showCamera(mode),
        survey,
        quality: (level) => {
          quality = level;
          view.quality(level);
          watch();
        },
      });
    } catch (error) {
      cannotDraw(error instanceof Error ? error.message : String(error));
      return;
    }
    handle.view = page.view;
    followPanels((inset) => page.view?.setInset(inset));
    page.view.setTheme(isDark());
    aim();
    showScene();
  },
  () => cannotDraw("this page: the part that draws could not be loaded\n  hint: reload the page"),
);
