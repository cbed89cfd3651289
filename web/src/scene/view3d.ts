// The 3-D view of the world: its interface for the page, and what each picture is made of.
import { LinearSRGBColorSpace, Scene, Vector3, WebGLRenderer } from "three";
import type { CloudMessage, Sample, ScanMessage } from "../protocol/decode";
import type { StateLayout } from "../protocol/layout";
import type { SceneView } from "../protocol/types";
import { Blend } from "./blend";
import { type CameraMode, CameraRig, type Inset, type Lookout } from "./camera";
import { alongAxis, Carrying, type Load, strideOf } from "./carrying";
import type { PointColors } from "./clouds";
import { Content } from "./content";
import { Editing, type Pen } from "./editing";
import type { Shown, View3DEvents } from "./events";
import type { Vehicle } from "./fleet";
import { homeView } from "./framing";
import type { Label } from "./labels";
import { Loop, type Stage } from "./loop";
import { SelectionMark } from "./marks";
import { nameLabels } from "./names";
import { Overlay } from "./overlay";
import { type Hand, PointerInput } from "./pointer";
import { hasProcessor, type QualityLevel } from "./quality";
import type { Measured } from "./ruler";
import { Sight } from "./sight";
import { Surroundings } from "./surroundings";
import { type Survey, Surveyor } from "./surveyor";
import { type Theme, themeOf } from "./theme";

export type { CameraMode, Inset, Load, Lookout, Measured, Pen, PointColors, QualityLevel, Shown, Survey };

/** A marked vehicle is at least as large as this on the page [px]. */
const SMALLEST_MARK = 13;
/** Length of the axes of the map [px]. */
const FRAME_SIZE = 70;
/** The numbers of WebGL for four bytes of a pixel. */
const [RGBA, BYTES] = [0x1908, 0x1401];
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
  private readonly overlay = new Overlay(this.scene, this.canvas, this.rig);
  private readonly loop: Loop;
  private readonly surveyor: Surveyor;
  private readonly input: PointerInput;
  private readonly resizes: ResizeObserver;
  private readonly hasProcessor = hasProcessor();
  private theme: Theme = themeOf(true);
  private content: Content | undefined;
  /** The scene before, until the next one is drawn: by then both share what the graphics card has compiled. */
  private leaving: Content | undefined;
  private readonly sight = new Sight(this.canvas, this.rig, () => this.content);
  private readonly carrying = new Carrying(this.scene, (ray) => this.content?.ground(ray));
  private selected: number | undefined;
  private movesThings = false;
  /** The camera of a link, until the first state is there. */
  private aimed: Lookout | undefined;
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
    relief: true,
    frames: false,
  };
  private pointColors: PointColors = "height";
  private hasMoved = true;
  private isHomeless = true;
  private standsUntil = 0;

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
    container.append(canvas, this.overlay.labels.element);
    this.loop = new Loop(this.stage(), window.devicePixelRatio, this.hasProcessor);
    this.scene.add(this.mark.object, this.editing.object);
    this.scene.matrixWorldAutoUpdate = true;
    this.surveyor = new Surveyor(
      canvas,
      this.overlay.ruler,
      (x, y) => this.sight.ground(x, y),
      () => (this.surveyor.isMeasuring ? this.invalidate() : this.survey()),
    );
    this.input = new PointerInput(canvas, this.rig, this.hand());
    this.resizes = new ResizeObserver(() => this.resize());
    this.resizes.observe(container);
    canvas.addEventListener("webglcontextrestored", () => this.invalidate());
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
    this.surroundings.hasLines = this.content.gridInterval === undefined;
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
    this.loop.restart();
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
    // A state in which nothing has moved leaves the picture as it is.
    if (!isFirst && blend.isStill && !this.hasMoved) return;
    this.hasMoved = true;
    this.invalidate();
  }

  /** Takes a scan in place of the last one of its sensor. */
  pushScan(scan: ScanMessage): void {
    if (this.content?.push(scan) && this.shown.points) this.loop.request();
  }

  /** Takes a cloud in place of the last one of its topic. */
  pushCloud(cloud: CloudMessage): void {
    if (this.content?.pushCloud(cloud) && this.shown.points) this.loop.request();
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

  /** Takes the ruler: clicks set its ends. Without `says`, which writes its label, it is put away. */
  measure(says: ((measured: Measured) => string) | undefined): void {
    this.surveyor.measure(says);
    this.invalidate();
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

  /** How the camera is aimed. */
  get lookout(): Lookout {
    return this.rig.lookout;
  }

  /** Aims the camera, at once; before the first state, instead of the home position. */
  set lookout(lookout: Lookout) {
    if (this.isHomeless) {
      this.aimed = lookout;
      return;
    }
    if (this.rig.mode !== lookout.mode) this.setCamera(lookout.mode);
    this.rig.lookout = lookout;
    this.wanted = lookout.mode;
    this.invalidate();
  }

  /** The picture as PNG, as large as the canvas. */
  screenshot(): Promise<Blob> {
    this.drawWell();
    const whole = this.overlay.picture(this.theme);
    return new Promise((resolve, reject) => {
      whole.toBlob(
        (blob) => (blob ? resolve(blob) : reject(new Error("screenshot: the browser made none"))),
        "image/png",
      );
    });
  }

  /** Draws one picture as well as can be, whatever it takes: with shadows, and no coarser than the page. */
  private drawWell(): void {
    const { renderer, shown, content, loop } = this;
    const ratio = renderer.getPixelRatio();
    this.scale(loop.finest);
    renderer.shadowMap.enabled = shown.shadows;
    this.surroundings.hasShadows = shown.shadows;
    if (content) content.contacts.object.visible = !shown.shadows;
    this.draw();
    if (renderer.getPixelRatio() === ratio && shown.shadows === loop.level.shadows) return;
    // The canvas is read when this returns: later changes are drawn after that.
    setTimeout(() => {
      this.scale(ratio);
      this.applyShown();
      this.invalidate();
    });
  }

  /** The picture as a stream, for a video. */
  stream(framesPerSecond: number): MediaStream {
    this.invalidate();
    return this.overlay.stream(framesPerSecond, this.theme);
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
    const point = this.sight.ground(x, y);
    return point && { x: point.x, y: point.y };
  }

  get stats() {
    const { triangles, calls } = this.renderer.info.render;
    const missing = [...(this.content?.drawer.missing ?? [])];
    return { fps: this.loop.fps, triangles, calls, missing, clouds: this.content?.clouds.stats };
  }

  dispose(): void {
    this.loop.dispose();
    this.resizes.disconnect();
    this.input.dispose();
    this.leaving?.dispose();
    this.content?.dispose();
    this.content = undefined;
    this.renderer.dispose();
    this.canvas.remove();
    this.overlay.dispose();
  }

  private worldFollows: number | undefined;
  /** The mode that was requested before the home position was known. */
  private wanted: CameraMode | undefined;

  private settle(): void {
    const { wanted, aimed } = this;
    this.home();
    if (aimed) this.lookout = aimed;
    else if (wanted) this.setCamera(wanted);
  }

  /** The vehicle that the following camera follows. */
  private get followed(): Vehicle | undefined {
    if (!this.blend.isFilled) return undefined;
    return this.content?.fleet.vehicles[this.selected ?? this.worldFollows ?? 0];
  }

  private invalidate(): void {
    this.loop.invalidate();
  }

  /** What the drawing loop does with this view. */
  private stage(): Stage {
    const view = this;
    return {
      get isWaiting() {
        return !view.blend.isFilled && performance.now() < view.standsUntil;
      },
      scale: (pixelRatio) => view.scale(pixelRatio),
      draw(elapsed) {
        const isMoving = view.blend.isFilled && view.blend.advance(performance.now());
        if (view.hasMoved) view.placeAll();
        view.hasMoved = isMoving;
        const isTurning = view.aimCamera(elapsed);
        view.draw();
        return isMoving || isTurning;
      },
      // A pixel can be read only when all have been drawn.
      finish: () => view.renderer.getContext().readPixels(0, 0, 1, 1, RGBA, BYTES, new Uint8Array(4)),
      change: () => view.applyQuality(),
    };
  }

  private scale(pixelRatio: number): void {
    const { renderer, container, content } = this;
    if (renderer.getPixelRatio() === pixelRatio) return;
    renderer.setPixelRatio(pixelRatio);
    renderer.setSize(container.clientWidth, container.clientHeight, false);
    content?.scalePoints(pixelRatio);
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
    content?.frames.place(this.blend.isFilled ? chosen : undefined, this.blend, FRAME_SIZE * pixel);
    this.overlay.ruler.place(this.theme, pixel);
    this.editing.place();
    this.renderer.render(this.scene, rig.camera);
    this.overlay.show(this.texts(), this.theme);
    this.survey();
    this.leaving?.dispose();
    this.leaving = undefined;
  }

  /** All that is written into the picture. */
  private texts(): Label[] {
    const { content, shown, theme } = this;
    if (!content || !this.blend.isFilled) return [];
    const names = shown.names ? nameLabels(content.fleet, theme, this.selected) : [];
    return [...content.frames.labels(), ...this.surveyor.labels(), ...names];
  }

  private survey(): void {
    const { events, content, rig, surveyor, shown } = this;
    if (content) events.survey?.(surveyor.survey(content, rig, shown.relief));
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.container;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height, false);
    this.rig.resize(width, height);
    this.draw();
    this.invalidate();
  }

  private applyQuality(): void {
    const { level } = this.loop;
    this.scale(level.pixelRatio);
    this.applyShown();
    this.events.quality?.({ ...level });
  }

  private applyShown(): void {
    const { content, shown } = this;
    const { level } = this.loop;
    const hasShadows = shown.shadows && level.shadows;
    this.renderer.shadowMap.enabled = hasShadows;
    this.surroundings.hasShadows = hasShadows;
    if (!content) return;
    content.contacts.object.visible = !hasShadows;
    content.forces.isShown = shown.forces;
    content.showPoints(shown.points, level.everyPoint ? undefined : (this.selected ?? 0));
    content.scalePoints(this.renderer.getPixelRatio());
    content.clouds.colorBy(this.pointColors);
    content.trails.lines.isShown = shown.paths;
    content.references.isShown = shown.reference;
    content.drawer.relief = shown.relief;
    content.frames.isShown = shown.frames;
    this.placeAll();
  }

  /** Size of a pixel at the target of the camera [m]. */
  private get pixel(): number {
    return this.sight.pixel;
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
        const body = view.sight.pick(x, y, isFinger);
        if (!body || !view.editing.lets(body)) return false;
        view.carrying.take(body, view.theme.accent);
        if (view.editing.isOn) view.carrying.hold(view.sight.ray(x, y));
        view.invalidate();
        return true;
      },
      carry(x, y, isPressed) {
        view.carrying.point(view.sight.ray(x, y), isPressed);
        view.carried();
      },
      turn: (angle) => view.turn(angle),
      put: () => view.putDown(),
      cancel: () => view.pickUp(undefined),
      hover: (x, y) => view.editing.hover(x, y),
      click(x, y, isFinger) {
        if (view.surveyor.isMeasuring) {
          view.surveyor.click(x, y);
          view.invalidate();
          return;
        }
        if (view.editing.click(x, y)) return;
        const body = view.sight.pick(x, y, isFinger);
        if (body?.vehicle !== undefined) view.events.select?.(body.vehicle);
        if (view.editing.isOn) view.events.choose?.(body?.id);
      },
      home: () => view.home(),
      ground: (x, y) => view.unproject(x, y),
      moved: () => view.invalidate(),
    };
  }
}
