// The 3-D view of the world: its interface for the page, and its drawing loop.
import { LinearSRGBColorSpace, Raycaster, Scene, Vector2, Vector3, WebGLRenderer } from "three";
import type { CloudMessage, Sample, ScanMessage } from "../protocol/decode";
import type { StateLayout } from "../protocol/layout";
import type { SceneView } from "../protocol/types";
import { Blend } from "./blend";
import { type CameraMode, CameraRig, type Inset } from "./camera";
import { alongAxis, Carrying, type Load, strideOf } from "./carrying";
import type { PointColors } from "./clouds";
import { Content } from "./content";
import { Editing, type Pen } from "./editing";
import type { Vehicle } from "./fleet";
import { homeView } from "./framing";
import { SelectionMark } from "./marks";
import { type Pickable, pickAlong } from "./picking";
import { type Hand, PointerInput } from "./pointer";
import { hasProcessor, ladder, QualityControl, type QualityLevel } from "./quality";
import { Surroundings } from "./surroundings";
import { type Theme, themeOf } from "./theme";

export type { CameraMode, Inset, Load, Pen, PointColors, QualityLevel };

/** Parts that the page can show or hide. */
export type Shown = "forces" | "points" | "paths" | "names" | "shadows" | "reference";

/** Events of the view. */
export interface View3DEvents {
  /** A vehicle was clicked: its index. */
  select(vehicle: number | undefined): void;
  /** Something was put down. */
  drop(load: Load): void;
  /** The carried body was moved or turned. */
  carry(load: Load): void;
  /** The drawing quality was reduced or raised. */
  quality(level: QualityLevel): void;
  /** Carrying was cancelled, or the body no longer exists. */
  letGo(): void;
  /** The camera works in another way now. */
  camera(mode: CameraMode): void;
  /** While the world is edited: a body was clicked, or what is none. */
  choose(entity: number | undefined): void;
}

/** Pointers hit bodies within this distance on the page [px]. */
const SLACK = 9;
/** And fingers. */
const FINGER = 22;
/** A marked vehicle is at least as large as this on the page [px]. */
const SMALLEST_MARK = 13;
/** Longest time that the old picture stays while a new scene has no state yet [ms]. */
const LONGEST_STAND = 400;

/** The picture. */
export class View3D {
  readonly canvas = document.createElement("canvas");
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly rig = new CameraRig();
  private readonly surroundings = new Surroundings(this.scene);
  private readonly blend = new Blend();
  private readonly mark = new SelectionMark();
  private readonly quality: QualityControl;
  private readonly input: PointerInput;
  private readonly resizes: ResizeObserver;
  private readonly hasProcessor = hasProcessor();
  private theme: Theme = themeOf(true);
  private content: Content | undefined;
  /** The scene before, until the next one is drawn: by then both share what the graphics card has compiled. */
  private leaving: Content | undefined;
  private readonly carrying = new Carrying(this.scene, (ray) => this.content?.ground(ray));
  private selected: number | undefined;
  private movesThings = false;
  /** What the editor of the world shows and does here. */
  readonly editing = new Editing({
    bodies: () => this.content?.pickables ?? [],
    ground: (x, y) => this.unproject(x, y),
    pixel: () => this.pixel,
    middle: () => this.rig.target,
    changed: () => this.invalidate(),
  });
  private run: string | undefined;
  private readonly shown: Record<Shown, boolean> = {
    forces: false,
    points: true,
    paths: true,
    names: false,
    shadows: true,
    reference: true,
  };
  private readonly ray = new Raycaster();
  private readonly point = new Vector2();
  private pointColors: PointColors = "height";
  private request = 0;
  private hasMoved = true;
  private isHomeless = true;
  private drawnAt = 0;
  private standsUntil = 0;
  private wasBusy = false;
  private frames = 0;
  private framesSince = 0;
  private fps = 0;

  /**
   * Makes its canvas in a container.
   * @throws where the browser has no WebGL
   */
  constructor(
    private readonly container: HTMLElement,
    private readonly events: Partial<View3DEvents>,
  ) {
    const { canvas } = this;
    canvas.tabIndex = 0;
    // Screen readers leave its keys to it.
    canvas.setAttribute("role", "application");
    canvas.setAttribute(
      "aria-label",
      "The world in three dimensions. Arrow keys move the view, plus and minus zoom, Home shows all.",
    );
    canvas.style.cssText = "display:block;width:100%;height:100%;touch-action:none;outline-offset:-2px";
    try {
      // Smooth edges cost software more than all else.
      this.renderer = new WebGLRenderer({ canvas, antialias: this.hasProcessor, powerPreference: "high-performance" });
      this.renderer.outputColorSpace = LinearSRGBColorSpace;
    } catch {
      throw new Error(
        "this page: no WebGL in this browser\n  accepted: a browser with WebGL 2\n  hint: allow hardware acceleration, or software rendering",
      );
    }
    container.append(canvas);
    this.quality = new QualityControl(ladder(window.devicePixelRatio, this.hasProcessor));
    this.scene.add(this.mark.object, this.editing.object);
    this.scene.matrixWorldAutoUpdate = true;
    this.input = new PointerInput(canvas, this.rig, this.hand());
    this.resizes = new ResizeObserver(() => this.resize());
    this.resizes.observe(container);
    canvas.addEventListener("webglcontextrestored", () => this.invalidate());
    document.addEventListener("visibilitychange", this.onVisibility);
    this.setTheme(true);
    this.applyQuality();
    this.resize();
  }

  /**
   * Shows another scene. Resolves when plain shapes are there; meshes and pictures come in later.
   * @param run of the server: in another one, files may have changed under the same names, and ids are others'
   */
  async setScene(scene: SceneView, layout: StateLayout, url: (path: string) => string, run: string): Promise<void> {
    const { content: former } = this;
    const isFirst = former?.scene.name !== scene.name;
    const before = !isFirst && run === this.run ? former : undefined;
    this.run = run;
    const { load } = this;
    this.blend.clear();
    if (!before) this.surroundings.unwrap();
    const changed = () => this.invalidate();
    this.content = new Content(scene, layout, url, this.theme, this.hasProcessor, changed, before);
    this.leaving?.dispose();
    this.leaving = former;
    former?.root.removeFromParent();
    // The picture stands until it is known where everything is.
    this.standsUntil = isFirst ? 0 : performance.now() + LONGEST_STAND;
    this.scene.add(this.content.root);
    if (load) this.pickUp(before && load.entity, load);
    this.rig.configure(scene.gui);
    this.surroundings.light(scene.lights);
    this.surroundings.hasLines = !this.content.hasGrid;
    if (isFirst) {
      this.shown.forces = scene.gui.show_forces;
      this.shown.points = scene.gui.show_sensor_points;
      this.shown.shadows = scene.lights.enable_shadows;
      this.isHomeless = true;
    }
    this.surroundings
      .wrap(scene.skybox.map(url), () => this.invalidate())
      .catch((error: unknown) => {
        this.content?.drawer.lose(scene.skybox[0] ?? "skybox", error);
      });
    const indexNow = (index: number | undefined) => {
      const id = index === undefined ? undefined : former?.scene.vehicles[index]?.id;
      const found = id === undefined ? -1 : scene.vehicles.findIndex((vehicle) => vehicle.id === id);
      return found < 0 ? undefined : found;
    };
    this.selected = indexNow(this.selected);
    this.worldFollows = indexNow(this.worldFollows);
    this.applyShown();
    this.content.names.resize(this.container.clientWidth, this.container.clientHeight);
    this.quality.restart(performance.now());
    this.invalidate();
  }

  setTheme(dark: boolean): void {
    this.theme = themeOf(dark);
    this.surroundings.theme = this.theme;
    for (const mark of [this.mark, this.editing]) mark.paint(this.theme.accent);
    this.content?.paint(this.theme);
    this.invalidate();
  }

  /** What covers the edges of the canvas: what is looked at is in the middle of the rest. */
  setInset(inset: Inset): void {
    this.rig.cover(inset);
    this.invalidate();
  }

  /** Takes a state: the picture moves on to it until the next one comes. */
  pushState(sample: Sample): void {
    const { content, blend } = this;
    if (!content || sample.revision !== content.scene.revision || blend.isKnown(sample)) return;
    const isFirst = !blend.isFilled;
    content.follow(blend, blend.push(sample, performance.now()), sample.time);
    if (isFirst) {
      content.measureVehicles(blend);
      this.placeAll();
      if (this.isHomeless) this.settle();
    }
    this.hasMoved = true;
    this.invalidate();
  }

  /** Takes a scan in place of the last one of its sensor. */
  pushScan(scan: ScanMessage): void {
    if (this.content?.push(scan) && this.shown.points) this.invalidate();
  }

  /** Takes a cloud in place of the last one of its topic. */
  pushCloud(cloud: CloudMessage): void {
    if (this.content?.pushCloud(cloud) && this.shown.points) this.invalidate();
  }

  /** Colours clouds by something else. */
  colorPoints(colors: PointColors): void {
    this.pointColors = colors;
    this.applyShown();
    this.invalidate();
  }

  setCamera(mode: CameraMode): void {
    this.wanted = mode;
    const vehicle = this.followed;
    if (mode === "follow" && this.rig.mode !== "follow" && vehicle) {
      this.rig.setMode(mode);
      const isCar = vehicle.view.max_steer !== null;
      this.rig.approach(vehicle.length, isCar ? Math.PI : -2.1, isCar ? 0.42 : 0.7);
    } else this.rig.setMode(mode, this.content?.landmarks());
    this.events.camera?.(mode);
    this.invalidate();
  }

  /** Marks a vehicle, by its index; the following camera follows it. */
  select(vehicle: number | undefined): void {
    this.selected = vehicle;
    this.applyShown();
    this.invalidate();
  }

  setShown(what: Shown, shown: boolean): void {
    this.shown[what] = shown;
    this.applyShown();
    this.hasMoved = true;
    this.invalidate();
  }

  getShown(what: Shown): boolean {
    return this.shown[what];
  }

  /** The carried body and its target pose. */
  get load(): Load | undefined {
    return this.carrying.load;
  }

  /**
   * Takes up a vehicle or block by its id, from where it is or with where it was carried already: pointer and keys move it until it is put
   * down. None, or one that is not there: lets go.
   */
  pickUp(entity: number | undefined, from?: Load): void {
    const { carrying, content } = this;
    const body = entity === undefined ? undefined : content?.pickables.find(({ id }) => id === entity);
    if (body) carrying.take(body, this.theme.accent, from);
    else if (carrying.leave()) this.events.letGo?.();
    this.canvas.style.cursor = body ? "grabbing" : "";
    this.invalidate();
  }

  /** Moves the carried body by one step of an arrow key, and keeps it in sight. */
  nudge(right: number, up: number, isFine: boolean): void {
    const stride = strideOf(this.pixel, isFine);
    const [x, y] = alongAxis(this.rig.azimuth, right, up);
    this.carrying.shift(stride * x, stride * y);
    this.seek();
    this.carried();
  }

  /** Turns the carried body [rad]. */
  turn(angle: number): void {
    this.carrying.turn(angle);
    this.carried();
  }

  /** Places the carried body. */
  putDown(): void {
    const { load } = this;
    this.carrying.leave();
    this.pickUp(undefined);
    if (load) this.events.drop?.(load);
  }

  /** Points the camera at the carried body if it is out of sight. */
  seek(): void {
    const { load, rig } = this;
    if (!load || rig.isSeen(new Vector3(load.x, load.y, load.z))) return;
    if (rig.mode === "follow") this.setCamera("orbit");
    rig.lookAt(load.x, load.y, load.z);
    this.invalidate();
  }

  /** Whether dragging with the left button moves vehicles and blocks. */
  setMoveMode(on: boolean): void {
    this.movesThings = on;
  }

  clearPaths(): void {
    this.content?.trails.clear();
    this.invalidate();
  }

  /** The camera as the world file wants it, or else so that all is seen. */
  home(): void {
    const { content, rig } = this;
    if (!content) return;
    const { gui } = content.scene;
    const follow = content.scene.vehicles.findIndex(({ name }) => name === gui.follow_vehicle);
    const { width, height } = rig.free;
    const mode: CameraMode = follow >= 0 ? "follow" : "orbit";
    if (follow >= 0) this.worldFollows = follow;
    rig.setMode(mode);
    const view = homeView(content.scene, content.extent, content.vehicles, width / height, content.points);
    // All of it has to fit into the part that is not covered.
    if (!gui.has_camera) view.distance *= this.container.clientHeight / height;
    rig.show(view, this.isHomeless);
    this.isHomeless = false;
    this.events.camera?.(mode);
    this.invalidate();
  }

  /** The picture as PNG, as large as the canvas. */
  screenshot(): Promise<Blob> {
    this.drawWell();
    return new Promise((resolve, reject) => {
      this.canvas.toBlob(
        (blob) => (blob ? resolve(blob) : reject(new Error("screenshot: the browser made none"))),
        "image/png",
      );
    });
  }

  /** Draws one picture as well as can be, whatever it takes: with shadows, and no coarser than the page. */
  private drawWell(): void {
    const { renderer, shown, content, quality } = this;
    const ratio = renderer.getPixelRatio();
    const { clientWidth, clientHeight } = this.container;
    renderer.setPixelRatio(Math.max(ratio, Math.min(window.devicePixelRatio, 2)));
    renderer.setSize(clientWidth, clientHeight, false);
    renderer.shadowMap.enabled = shown.shadows;
    this.surroundings.hasShadows = shown.shadows;
    if (content) content.contacts.object.visible = !shown.shadows;
    this.draw();
    if (renderer.getPixelRatio() === ratio && shown.shadows === quality.level.shadows) return;
    // The canvas is read when this returns: later changes are drawn after that.
    setTimeout(() => {
      renderer.setPixelRatio(ratio);
      this.applyShown();
      this.resize();
    });
  }

  /** The picture as a stream, for a video. */
  stream(framesPerSecond: number): MediaStream {
    this.invalidate();
    return this.canvas.captureStream(framesPerSecond);
  }

  /** Where a vehicle is on the canvas [px]. */
  project(vehicle: number): { x: number; y: number; visible: boolean } | undefined {
    const drawn = this.content?.fleet.vehicles[vehicle];
    if (!drawn || !this.blend.isFilled) return undefined;
    const [x = 0, y = 0, z = 0] = drawn.pose;
    const middle = 0.5 * (drawn.view.z[0] + drawn.view.z[1]);
    const { x: px, y: py, isBefore } = this.rig.project(new Vector3(x, y, z + middle));
    const { clientWidth, clientHeight } = this.container;
    return { x: px, y: py, visible: isBefore && px >= 0 && py >= 0 && px < clientWidth && py < clientHeight };
  }

  /** The point of the ground under a point of the canvas [px]. */
  unproject(x: number, y: number): { x: number; y: number } | undefined {
    this.aim(x, y);
    const point = this.content?.ground(this.ray.ray)?.point;
    return point && { x: point.x, y: point.y };
  }

  get stats() {
    const { triangles, calls } = this.renderer.info.render;
    const missing = [...(this.content?.drawer.missing ?? [])];
    return { fps: this.fps, triangles, calls, missing, clouds: this.content?.clouds.stats };
  }

  dispose(): void {
    cancelAnimationFrame(this.request);
    this.resizes.disconnect();
    this.input.dispose();
    document.removeEventListener("visibilitychange", this.onVisibility);
    this.leaving?.dispose();
    this.content?.dispose();
    this.content = undefined;
    this.renderer.dispose();
    this.canvas.remove();
  }

  private worldFollows: number | undefined;
  /** The mode that was requested before the home position was known. */
  private wanted: CameraMode | undefined;

  private settle(): void {
    const { wanted } = this;
    this.home();
    if (wanted) this.setCamera(wanted);
  }

  private readonly onVisibility = () => {
    this.quality.restart(performance.now());
    this.invalidate();
  };

  /** The vehicle that the following camera follows. */
  private get followed(): Vehicle | undefined {
    if (!this.blend.isFilled) return undefined;
    return this.content?.fleet.vehicles[this.selected ?? this.worldFollows ?? 0];
  }

  private invalidate(): void {
    if (this.request === 0) this.request = requestAnimationFrame((now) => this.frame(now));
  }

  private frame(now: number): void {
    this.request = 0;
    const { level } = this.quality;
    const since = now - this.drawnAt;
    if (!this.blend.isFilled && performance.now() < this.standsUntil) {
      this.invalidate();
      return;
    }
    // Timers of browsers come in steps of the screen's rate: half of one early is in time.
    if (since < 1000 / level.fps - 8) {
      this.invalidate();
      return;
    }
    this.drawnAt = now;
    const elapsed = this.wasBusy ? Math.min(since, 200) : 16;
    if (this.wasBusy && this.quality.frame(since, now)) this.applyQuality();
    this.count(now);
    const isMoving = this.blend.isFilled && this.blend.advance(performance.now());
    if (this.hasMoved) this.placeAll();
    this.hasMoved = isMoving;
    const isTurning = this.aimCamera(elapsed);
    this.draw();
    this.wasBusy = isMoving || isTurning;
    if (this.wasBusy) this.invalidate();
  }

  private count(now: number): void {
    this.frames += 1;
    if (now - this.framesSince < 1000) return;
    this.fps = (1000 * this.frames) / (now - this.framesSince);
    this.frames = 0;
    this.framesSince = now;
  }

  private placeAll(): void {
    if (this.blend.isFilled) this.content?.place(this.blend);
  }

  private aimCamera(elapsed: number): boolean {
    const vehicle = this.followed;
    const [x = 0, y = 0, z = 0, yaw = 0] = vehicle?.pose ?? [];
    const turnsAlong = vehicle?.view.max_steer !== null && this.worldFollows === undefined;
    this.rig.follow(vehicle && { x, y, z, yaw, turnsAlong });
    return this.rig.advance(elapsed);
  }

  private draw(): void {
    const { rig, content } = this;
    this.surroundings.frame(rig.target, rig.distance, rig.camera);
    const chosen = this.selected === undefined ? undefined : content?.fleet.vehicles[this.selected];
    const { pixel } = this;
    if (content?.fleet.showWheels(pixel) && this.blend.isFilled) content.fleet.place(this.blend);
    this.mark.place(this.blend.isFilled ? chosen : undefined, SMALLEST_MARK * pixel);
    this.editing.place();
    this.renderer.render(this.scene, rig.camera);
    this.leaving?.dispose();
    this.leaving = undefined;
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.container;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height, false);
    this.rig.resize(width, height);
    this.content?.names.resize(width, height);
    this.draw();
    this.invalidate();
  }

  private applyQuality(): void {
    const { level } = this.quality;
    if (this.renderer.getPixelRatio() !== level.pixelRatio) {
      this.renderer.setPixelRatio(level.pixelRatio);
      this.resize();
    }
    this.applyShown();
    this.events.quality?.({ ...level });
  }

  private applyShown(): void {
    const { content, shown } = this;
    const { level } = this.quality;
    const hasShadows = shown.shadows && level.shadows;
    this.renderer.shadowMap.enabled = hasShadows;
    this.surroundings.hasShadows = hasShadows;
    if (!content) return;
    content.contacts.object.visible = !hasShadows;
    content.forces.isShown = shown.forces;
    content.showPoints(shown.points, level.everyPoint ? undefined : (this.selected ?? 0), level.pixelRatio);
    content.clouds.colorBy(this.pointColors);
    content.trails.lines.isShown = shown.paths;
    content.references.isShown = shown.reference;
    content.names.object.visible = shown.names;
    this.placeAll();
  }

  private aim(x: number, y: number): void {
    const { clientWidth, clientHeight } = this.container;
    this.point.set((2 * x) / clientWidth - 1, 1 - (2 * y) / clientHeight);
    this.ray.setFromCamera(this.point, this.rig.camera);
  }

  /** Size of a pixel at the target of the camera [m]. */
  private get pixel(): number {
    return this.rig.pictureHeight / Math.max(this.container.clientHeight, 1);
  }

  private pickAt(x: number, y: number, isFinger: boolean): Pickable | undefined {
    this.aim(x, y);
    const { rig, pixel } = this;
    const isFlat = "isOrthographicCamera" in rig.camera;
    const slack = (isFinger ? FINGER : SLACK) * pixel;
    const slackAt = (distance: number) => slack * (isFlat ? 1 : distance / rig.distance);
    return pickAlong(this.ray.ray, this.content?.pickables ?? [], slackAt);
  }

  private carried(): void {
    const { load } = this;
    if (load) this.events.carry?.(load);
    this.invalidate();
  }

  /** Actions of the pointer on vehicles and blocks. */
  private hand(): Hand {
    const view = this;
    return {
      get isFull() {
        return view.load !== undefined;
      },
      take(x, y, isFinger) {
        if (!view.movesThings && !view.editing.isOn) return false;
        const body = view.pickAt(x, y, isFinger);
        if (!body || !view.editing.lets(body)) return false;
        view.carrying.take(body, view.theme.accent);
        if (view.editing.isOn) view.carrying.hold(view.ray.ray);
        view.invalidate();
        return true;
      },
      carry(x, y, isPressed) {
        view.aim(x, y);
        view.carrying.point(view.ray.ray, isPressed);
        view.carried();
      },
      turn: (angle) => view.turn(angle),
      put: () => view.putDown(),
      cancel: () => view.pickUp(undefined),
      hover: (x, y) => view.editing.hover(x, y),
      click(x, y, isFinger) {
        if (view.editing.click(x, y)) return;
        const body = view.pickAt(x, y, isFinger);
        if (body?.vehicle !== undefined) view.events.select?.(body.vehicle);
        if (view.editing.isOn) view.events.choose?.(body?.id);
      },
      home: () => view.home(),
      ground: (x, y) => view.unproject(x, y),
      moved: () => view.invalidate(),
    };
  }
}
