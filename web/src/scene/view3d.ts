// The 3-D view of the world: its interface for the page.
import { Vector3 } from "three";
import type { CloudMessage, ReadingMessage, Sample, ScanMessage } from "../protocol/decode";
import type { StateLayout } from "../protocol/layout";
import type { SceneView } from "../protocol/types";
import { alongAxis, Carrying, type Load, strideOf } from "./bodies/carrying";
import { Parts } from "./bodies/parts";
import { Aim } from "./camera/aim";
import { type CameraMode, CameraRig, type Inset, type Lookout } from "./camera/camera";
import { Content } from "./content";
import { Loop, type Stage } from "./drawing/loop";
import { Painter } from "./drawing/painter";
import type { QualityLevel } from "./drawing/quality";
import { Showing } from "./drawing/showing";
import { themeOf } from "./drawing/theme";
import type { Shown, View3DEvents } from "./events";
import { Editing, type Pen } from "./input/editing";
import { type Hand, PointerInput } from "./input/pointer";
import { UnderPointer } from "./input/under_pointer";
import type { PointColors } from "./overlays/clouds";
import type { Measured } from "./overlays/ruler";
import { type Survey, Surveyor } from "./overlays/surveyor";

export type { CameraMode, Inset, Load, Lookout, Measured, Pen, PointColors, QualityLevel, Shown, Survey };

/** Longest time that the old picture stays while a new scene has no state yet [ms]. */
const MAX_STAND = 400;
/**
 * Shortest time between two pictures with new points everywhere, where only what moves is drawn otherwise [ms]: after so many of those, or fewer,
 * or where only other vehicles than the selected one have new points.
 */
const [POINTS_GAP, POINTS_PARTS, LONGER_GAP] = [100, 4, 250];

/** The picture. */
export class View3D {
  readonly canvas = document.createElement("canvas");
  private readonly showing = new Showing();
  private readonly rig = new CameraRig();
  private readonly painter = new Painter(this.canvas, this.rig, this.showing);
  private readonly streamed = new Parts(() => this.rig.camera.position);
  private readonly aim = new Aim(this.canvas, this.rig, this.showing, (mode) => this.events.camera?.(mode));
  private readonly underPointer = new UnderPointer(this.canvas, this.rig, () => this.showing.content);
  private readonly carrying = new Carrying(this.painter.scene, (ray) => this.showing.content?.ground(ray));
  private readonly loop: Loop;
  private readonly surveyor: Surveyor;
  private readonly input: PointerInput;
  private readonly resizes: ResizeObserver;
  /** The scene before, until the next one is drawn: by then both share what the graphics card has compiled. */
  private leaving: Content | undefined;
  private run: string | undefined;
  private movesThings = false;
  private hasMoved = true;
  /** Whether more than what moves with the states may look otherwise since the last picture. */
  private isOther = true;
  /** Whether points have come since the last whole picture, those of the selected vehicle among them, and when that was [ms]. */
  private hasNewPoints = false;
  private hasOwnPoints = false;
  private drawnWhole = 0;
  /** How many pictures have been drawn since then. */
  private parts = 0;
  private standsUntil = 0;
  /** What the editor of the world shows and does here. */
  readonly editing = new Editing({
    bodies: () => this.showing.content?.pickables ?? [],
    ground: (x, y) => this.unproject(x, y),
    pixel: () => this.rig.pixel,
    middle: () => this.rig.target,
    rule: (step) => {
      this.painter.surroundings.ruled = this.carrying.step = step;
    },
    changed: () => this.invalidate(),
  });
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
    container.append(canvas, ...this.painter.layers);
    this.loop = new Loop(this.stage(), window.devicePixelRatio, this.painter.hasProcessor);
    this.painter.scene.add(this.editing.object);
    this.surveyor = new Surveyor(
      canvas,
      this.painter.overlay.ruler,
      (x, y) => this.underPointer.ground(x, y),
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
   * Shows another scene. Resolves when simple shapes are there; others, meshes and pictures come in later.
   * @param url makes an address of a path, with the token
   * @param token of the server, for what is asked for with a header
   * @param run of the server: in another one, files may have changed under the same names, and ids are others'
   */
  async setScene(
    scene: SceneView,
    layout: StateLayout,
    { url, token }: { url: (path: string) => string; token?: string | undefined },
    run: string,
  ): Promise<void> {
    const { showing, painter } = this;
    const { surroundings } = painter;
    const former = showing.content;
    const isFirst = former?.scene.name !== scene.name;
    const before = !isFirst && run === this.run ? former : undefined;
    this.run = run;
    const { load } = this;
    showing.blend.clear();
    if (!before) surroundings.unwrap();
    const changed = () => this.invalidate();
    this.streamed.show(scene, token);
    const content = new Content(
      scene,
      layout,
      url,
      showing.theme,
      painter.hasProcessor,
      changed,
      this.streamed,
      before,
    );
    showing.content = content;
    this.leaving?.dispose();
    this.leaving = former;
    former?.root.removeFromParent();
    // The picture stands until it is known where everything is.
    this.standsUntil = isFirst ? 0 : performance.now() + MAX_STAND;
    painter.scene.add(content.root);
    if (load) this.pickUp(before && load.entity, load);
    this.rig.configure(scene.gui);
    surroundings.light(scene.lights);
    surroundings.gridOfWorld = content.gridInterval;
    surroundings.hasFloor = content.hasFloor;
    if (isFirst) {
      showing.layers.forces = scene.gui.show_forces;
      showing.layers.points = scene.gui.show_sensor_points;
      showing.layers.shadows = scene.lights.enable_shadows;
      this.aim.begin();
    }
    surroundings.wrap(scene.skybox.map(url), changed).catch((error: unknown) => {
      showing.content?.drawer.lose(scene.skybox[0] ?? "skybox", error);
    });
    const indexNow = (index: number | undefined) => {
      const id = index === undefined ? undefined : former?.scene.vehicles[index]?.id;
      const place = id === undefined ? -1 : scene.vehicles.findIndex((vehicle) => vehicle.id === id);
      return place < 0 ? undefined : place;
    };
    showing.selected = indexNow(showing.selected);
    this.aim.renumber(indexNow);
    this.layer();
    this.loop.restart();
  }

  setTheme(dark: boolean): void {
    this.showing.theme = themeOf(dark);
    this.painter.paint();
    this.editing.paint(this.showing.theme.accent);
    this.invalidate();
  }

  /** What covers the edges of the canvas: what is looked at is in the middle of the rest. */
  setInset(inset: Inset): void {
    this.rig.cover(inset);
    this.invalidate();
  }

  /** Takes a state: the picture moves on to it until the next one comes. */
  pushState(sample: Sample): void {
    const { content, blend } = this.showing;
    if (!content || sample.revision !== content.scene.revision || blend.isKnown(sample)) return;
    const isFirst = !blend.isFilled;
    content.follow(blend, blend.push(sample, performance.now()), sample.time);
    if (isFirst) {
      content.measureVehicles(blend);
      this.showing.place();
      this.aim.settle();
    }
    // A state in which nothing has moved leaves the picture as it is.
    if (!isFirst && blend.isStill && !this.hasMoved) return;
    this.hasMoved = true;
    this.loop.invalidate();
  }

  /** Takes a scan in place of the last one of its sensor. */
  pushScan(scan: ScanMessage): void {
    const { content, layers } = this.showing;
    if (content?.push(scan) && layers.points) this.show(scan.vehicle);
  }

  /** Takes a cloud in place of the last one of its topic. */
  pushCloud(cloud: CloudMessage): void {
    const { content, layers } = this.showing;
    if (content?.pushCloud(cloud) && layers.points) this.show(cloud.vehicle);
  }

  /** Takes a reading in place of the last one of its topic. */
  pushReading(reading: ReadingMessage): void {
    const { content, layers } = this.showing;
    if (content?.pushReading(reading) && layers.points) this.loop.request();
  }

  /** Colours clouds by something else. */
  colorPoints(colors: PointColors): void {
    this.showing.pointColors = colors;
    this.layer();
    this.invalidate();
  }

  setCamera(mode: CameraMode): void {
    this.aim.setMode(mode);
    this.invalidate();
  }

  /** Marks a vehicle, by its index; the following camera follows it. */
  select(vehicle: number | undefined): void {
    // Readings are those of the selected vehicle.
    if (vehicle !== this.showing.selected) this.showing.content?.measured.clear();
    this.showing.selected = vehicle;
    this.layer();
    this.invalidate();
  }

  setShown(what: Shown, shown: boolean): void {
    this.showing.layers[what] = shown;
    this.layer();
    this.hasMoved = true;
    this.invalidate();
  }

  getShown(what: Shown): boolean {
    return this.showing.layers[what];
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
    const { carrying, showing } = this;
    const body = entity === undefined ? undefined : showing.content?.pickables.find(({ id }) => id === entity);
    if (body) carrying.take(body, showing.theme.accent, from);
    else if (carrying.leave()) this.events.letGo?.();
    this.canvas.style.cursor = body ? "grabbing" : "";
    this.invalidate();
  }

  /** Moves the carried body by one step of an arrow key, and keeps it in sight. */
  nudge(right: number, up: number, isFine: boolean): void {
    const { step } = this.carrying;
    const stride = step === undefined ? strideOf(this.rig.pixel, isFine) : isFine ? step / 10 : step;
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
    this.showing.content?.trails.clear();
    this.invalidate();
  }

  /** The camera as the world file wants it, or else so that all is seen. */
  home(): void {
    this.aim.home();
    this.invalidate();
  }

  /** How the camera is aimed. */
  get lookout(): Lookout {
    return this.aim.lookout;
  }

  /** Aims the camera, at once; before the first state, instead of the home position. */
  set lookout(lookout: Partial<Lookout>) {
    this.aim.lookout = lookout;
    this.invalidate();
  }

  /** The picture as PNG, as sharp as the view ever is, with shadows. */
  screenshot(): Promise<Blob> {
    const { painter, loop } = this;
    return painter.screenshot(loop.finest, loop.level, this.surveyor.labels(), () => {
      this.layer();
      this.invalidate();
    });
  }

  /** The picture as a stream, for a video. */
  stream(framesPerSecond: number): MediaStream {
    this.invalidate();
    return this.painter.stream(framesPerSecond);
  }

  /** Where a vehicle is on the canvas [px]. */
  project(vehicle: number): { x: number; y: number; visible: boolean } | undefined {
    const drawn = this.showing.vehicle(vehicle);
    if (!drawn) return undefined;
    const [x = 0, y = 0, z = 0] = drawn.pose;
    const middle = 0.5 * (drawn.view.z[0] + drawn.view.z[1]);
    const { x: px, y: py, isBefore } = this.rig.project(new Vector3(x, y, z + middle));
    const { clientWidth, clientHeight } = this.container;
    return { x: px, y: py, visible: isBefore && px >= 0 && py >= 0 && px < clientWidth && py < clientHeight };
  }

  /** The point of the ground under a point of the canvas [px]. */
  unproject(x: number, y: number): { x: number; y: number } | undefined {
    const point = this.underPointer.ground(x, y);
    return point && { x: point.x, y: point.y };
  }

  get stats() {
    const { content } = this.showing;
    const missing = [...(content?.drawer.missing ?? [])];
    const { isAimed } = this.rig;
    const { waiting } = this.streamed;
    return { ...this.painter.stats, fps: this.loop.fps, isAimed, missing, waiting, clouds: content?.clouds.stats };
  }

  dispose(): void {
    this.loop.dispose();
    this.resizes.disconnect();
    this.input.dispose();
    this.leaving?.dispose();
    this.showing.content?.dispose();
    this.showing.content = undefined;
    this.painter.dispose();
    this.canvas.remove();
  }

  /** Draws soon, with new points of a vehicle. */
  private show(vehicle: number): void {
    this.hasNewPoints = true;
    this.hasOwnPoints ||= vehicle === (this.showing.selected ?? vehicle);
    this.loop.request();
  }

  private invalidate(): void {
    this.isOther = true;
    this.loop.invalidate();
  }

  /** What the drawing loop does with this view. */
  private stage(): Stage {
    const view = this;
    return {
      get isWaiting() {
        return !view.showing.blend.isFilled && performance.now() < view.standsUntil;
      },
      scale: (pixelRatio) => view.painter.scale(pixelRatio),
      draw(elapsed) {
        const { showing } = view;
        const isMoving = showing.blend.isFilled && showing.blend.advance(performance.now());
        if (view.hasMoved) showing.place();
        view.hasMoved = isMoving;
        const isTurning = view.aim.advance(elapsed);
        const gap = view.parts < POINTS_PARTS || !view.hasOwnPoints ? LONGER_GAP : POINTS_GAP;
        const hasDue = view.hasNewPoints && performance.now() - view.drawnWhole >= gap;
        view.draw(view.isOther || hasDue);
        return isMoving || isTurning;
      },
      finish: () => view.painter.finish(),
      change: () => view.applyQuality(),
    };
  }

  private draw(isWhole = true): void {
    this.isOther = false;
    this.parts = isWhole ? 0 : this.parts + 1;
    if (isWhole) {
      this.hasNewPoints = this.hasOwnPoints = false;
      this.drawnWhole = performance.now();
    }
    this.editing.place();
    this.painter.draw(this.surveyor.labels(), isWhole);
    this.survey();
    this.leaving?.dispose();
    this.leaving = undefined;
  }

  private survey(): void {
    const { content, layers } = this.showing;
    if (content) this.events.survey?.(this.surveyor.survey(content, this.rig, layers.relief, this.carrying.step));
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.container;
    if (width === 0 || height === 0) return;
    this.painter.resize(width, height);
    this.rig.resize(width, height);
    this.draw();
    this.invalidate();
  }

  private applyQuality(): void {
    const { level } = this.loop;
    this.painter.scale(level.pixelRatio);
    this.layer();
    this.events.quality?.({ ...level });
  }

  /** Shows and hides layers as asked for, and as the quality allows. */
  private layer(): void {
    this.isOther = true;
    this.painter.layer(this.loop.level);
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
        const body = view.underPointer.pick(x, y, isFinger);
        if (!body || !view.editing.lets(body)) return false;
        view.carrying.take(body, view.showing.theme.accent);
        if (view.editing.isOn) view.carrying.hold(view.underPointer.ray(x, y));
        view.invalidate();
        return true;
      },
      carry(x, y, isPressed) {
        view.carrying.point(view.underPointer.ray(x, y), isPressed);
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
        const body = view.underPointer.pick(x, y, isFinger);
        if (body?.vehicle !== undefined) view.events.select?.(body.vehicle);
        if (view.editing.isOn) view.events.choose?.(body?.id);
      },
      home: () => view.home(),
      ground: (x, y) => view.unproject(x, y),
      moved: () => view.invalidate(),
    };
  }
}
