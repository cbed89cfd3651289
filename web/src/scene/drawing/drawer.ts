// Attaches the document's drawings to bodies: triangles at once, pictures and meshes when loaded.
import { Box3, BufferAttribute, type BufferGeometry, Color, type Material, type Matrix4, type Object3D } from "three";
import type { DrawingView, ShapeView } from "../../protocol/types";
import { Batches, type Rigid } from "../bodies/batch";
import { type ColorView, colorFrom } from "../bodies/colors";
import { colorCorners, lowered, smoothNormals, triangleGeometry } from "../bodies/geometry";
import { type Look, Materials, ownColor } from "../bodies/materials";
import { type MeshContent, MeshLibrary, type Piece, scaled } from "../bodies/meshes";
import { listsOf, Parts } from "../bodies/parts";
import { matrixOf } from "../bodies/pose";
import { Floors } from "../environment/floors";
import { Pictures } from "../environment/pictures";
import { contours, reliefGeometry } from "../environment/relief";
import { LineSet } from "../overlays/lines";

type Triangles = Extract<ShapeView, { is: "triangles" }>;

/** A shape and its appearance. */
interface Surface {
  geometry: BufferGeometry;
  look: Look;
}

const WHITE: ColorView = [255, 255, 255, 255];
/** Height of contours above the ground [m], so that it does not hide them. */
const CONTOUR_LIFT = 0.01;
const BOX_COLOR = new Color(0xe0a030);
const GREY: ColorView = [0xb0, 0xb6, 0xbe, 0xff];

/** Resources for drawing one scene. */
export class Drawer {
  readonly batches: Batches;
  readonly materials: Materials;
  readonly meshes: MeshLibrary;
  readonly pictures: Pictures;
  /** Surfaces that bodies can stand on. */
  readonly floors = new Floors();
  /** Distance of two contours on uneven ground [m]; 0: there are none. */
  contourInterval = 0;
  /** Names of files that could not be loaded. */
  readonly missing: string[] = [];
  private readonly geometries = new Map<string, BufferGeometry>();
  private readonly lines: LineSet[] = [];
  /** Uneven ground: draws it with or without its relief. */
  private readonly grounds: ((hasRelief: boolean) => void)[] = [];
  private hasRelief = true;
  /** Whether its scene is gone. */
  isDisposed = false;

  /**
   * @param changed called when something loaded later is displayed
   * @param hasProcessor whether a graphics processor draws: then surfaces shine a little
   * @param parts lists of numbers that the document names
   */
  constructor(
    readonly parent: Object3D,
    url: (path: string) => string,
    readonly changed: () => void,
    readonly hasProcessor = false,
    readonly parts = new Parts(),
  ) {
    this.materials = new Materials(hasProcessor);
    this.batches = new Batches(parent);
    this.meshes = new MeshLibrary(url);
    this.pictures = new Pictures(url);
  }

  /** Takes over files of the scene before. @param paths path in that scene for each path in this one */
  takeOver(before: Drawer, paths: ReadonlyMap<string, string>): void {
    this.meshes.contents.takeOver(before.meshes.contents, paths);
    this.pictures.pictures.takeOver(before.pictures.pictures, paths);
  }

  /**
   * Draws something on a body. Resolves whether it is there: at once, or when its mesh or its lists are loaded.
   * @param tint the colour of its triangles, instead of their own, and of the paint of its meshes
   */
  draw(drawing: DrawingView, body: Rigid, frame = matrixOf(drawing.pose), tint?: ColorView): Promise<boolean> {
    const { shape } = drawing;
    switch (shape.is) {
      case "triangles":
        return this.whenThere(listsOf(shape), frame, body, () => this.drawTriangles(drawing, shape, body, frame, tint));
      case "line":
        return this.whenThere(listsOf(shape), frame, body, () =>
          this.drawLine(drawing, this.parts.floats(shape.points), body, frame),
        );
      case "mesh":
        return this.meshes
          .load(shape.path, shape.format)
          .then((content) => {
            if (this.isDisposed) return false;
            this.place(content, drawing, shape.scale, body, frame, tint);
            this.changed();
            return true;
          })
          .catch((error: unknown) => this.lose(shape.path, error));
    }
  }

  /**
   * Draws what needs some lists of numbers: at once where they are there, else when they have come. Resolves whether it is drawn.
   * @param frame of what is drawn in that of its body
   */
  whenThere(texts: readonly string[], frame: Matrix4, body: Rigid, draw: () => void): Promise<boolean> {
    if (this.parts.has(texts)) {
      draw();
      return Promise.resolve(true);
    }
    const place = () => (this.isDisposed ? undefined : body.matrix.clone().multiply(frame));
    return this.parts.load(texts, place).then(
      () => {
        if (this.isDisposed) return false;
        draw();
        this.changed();
        return true;
      },
      (error: unknown) => this.lose("geometry", error),
    );
  }

  /**
   * Calls `then` once all of these drawings are there. They resolve whether they are.
   * @param otherwise if none of them can be had
   */
  whenAll(waiting: Promise<boolean>[], then: () => void, otherwise = () => {}): void {
    if (waiting.length === 0) return;
    Promise.all(waiting).then((loaded) => {
      if (this.isDisposed) return;
      if (loaded.every(Boolean)) then();
      else if (!loaded.some(Boolean)) otherwise();
      this.changed();
    });
  }

  /** A shape of the page's own, made once for each key. */
  shared(key: string, make: () => BufferGeometry): BufferGeometry {
    let geometry = this.geometries.get(key);
    if (!geometry) {
      geometry = make();
      this.geometries.set(key, geometry);
    }
    return geometry;
  }

  /** Shows uneven ground with its relief, or in its plain colours. */
  set relief(shown: boolean) {
    if (shown === this.hasRelief) return;
    this.hasRelief = shown;
    for (const draw of this.grounds) draw(shown);
  }

  /** Adds a part to a body, with a colour of its own if it has one, and a material that is white; the returned function removes it. */
  part(
    body: Rigid,
    geometry: BufferGeometry,
    material: Material,
    local?: Matrix4,
    castsShadow = true,
    tint?: ColorView,
  ): () => void {
    return body.add(this.batches.of(geometry, material, castsShadow), local, tint && colorFrom(tint));
  }

  /** Records files that could not be loaded. */
  lose(path: string, error: unknown): false {
    if (this.isDisposed) return false;
    const name = decodeURIComponent(path.slice(path.lastIndexOf("/") + 1));
    if (this.lack(name)) {
      console.warn(`${name}: not shown: ${error instanceof Error ? error.message : "it cannot be had"}`);
    }
    return false;
  }

  /** Counts a file that is not there. Returns whether it was not known yet. */
  lack(name: string): boolean {
    if (this.missing.includes(name)) return false;
    this.missing.push(name);
    return true;
  }

  dispose(): void {
    this.isDisposed = true;
    this.batches.clear();
    this.materials.dispose();
    this.floors.dispose();
    this.pictures.pictures.dispose();
    this.meshes.contents.dispose();
    for (const geometry of this.geometries.values()) geometry.dispose();
    for (const line of this.lines) line.dispose();
  }

  private drawTriangles(drawing: DrawingView, shape: Triangles, body: Rigid, frame: Matrix4, tint?: ColorView): void {
    const { texture, kind } = drawing;
    const { corners, colors, on_picture: onPicture } = shape;
    const z = kind === "region" ? drawing.pose[2] : 0;
    const key = [kind, z, corners, colors, onPicture].join("|");
    const geometry = this.shared(key, () => {
      const floats = this.parts.floats(corners);
      const made = triangleGeometry(kind === "region" ? lowered(floats, z) : floats);
      if (kind === "elevation") smoothNormals(made);
      if (colors) colorCorners(made, this.parts.bytes(colors));
      if (onPicture) made.setAttribute("uv", new BufferAttribute(this.parts.floats(onPicture), 2));
      return made;
    });
    const color = tint ? WHITE : (drawing.color ?? (colors ? ([255, 255, 255, 255] as const) : GREY));
    const look = {
      color,
      isLit: drawing.is_lit,
      cull: drawing.cull,
      hasCornerColors: colors !== "",
      isMatte: kind !== "body" || body.bears,
    };
    const casts = drawing.is_lit && kind !== "region";
    const plain = { geometry, look };
    const remove =
      kind === "elevation" ? this.drawGround(plain, body, frame) : this.draws(plain, body, frame, casts, tint);
    if (kind === "elevation" || body.bears) this.floors.add(geometry, body, frame, drawing.cull);
    if (drawing.show_bounding_box) this.drawBox(geometry, body, frame);
    if (!texture) return;
    this.pictures
      .load(texture.path)
      .then((picture) => {
        if (this.isDisposed) return;
        remove();
        // A picture has its own colours, as cameras see it.
        const papered = { geometry, look: { ...look, color: [255, 255, 255, color[3]] as ColorView, picture } };
        if (kind === "elevation") this.drawGround(papered, body, frame);
        else this.draws(papered, body, frame, casts);
        this.changed();
      })
      .catch((error: unknown) => this.lose(texture.path, error));
  }

  private draws(
    { geometry, look }: Surface,
    body: Rigid,
    frame: Matrix4,
    casts: boolean,
    tint?: ColorView,
  ): () => void {
    return this.part(body, geometry, this.materials.material(look), frame, casts, tint);
  }

  /** Draws uneven ground, with its relief where that is wanted. The returned function removes it. */
  private drawGround(plain: Surface, body: Rigid, frame: Matrix4): () => void {
    const { geometry, look } = plain;
    // What has a picture or colours of its own is shaded only.
    const color = look.picture || look.hasCornerColors ? undefined : colorFrom(look.color);
    const shaded = this.shared(`relief ${geometry.uuid} ${color?.getHex()}`, () => reliefGeometry(geometry, color));
    const { interval, pieces } = contours(geometry);
    this.contourInterval = Math.max(this.contourInterval, interval);
    const lines = this.drawContours(pieces, (color ?? new Color(0x909090)).clone().multiplyScalar(0.45), body, frame);
    const relief = { geometry: shaded, look: { ...look, color: WHITE, hasCornerColors: true } };
    let remove = () => {};
    const draw = (hasRelief: boolean) => {
      remove();
      remove = this.draws(hasRelief ? relief : plain, body, frame, look.isLit);
      lines.isShown = hasRelief;
      body.place();
    };
    draw(this.hasRelief);
    this.grounds.push(draw);
    return () => {
      this.grounds.splice(this.grounds.indexOf(draw), 1);
      lines.isShown = false;
      remove();
    };
  }

  private drawContours(pieces: readonly number[], color: Color, body: Rigid, frame: Matrix4): LineSet {
    const lines = new LineSet(pieces.length / 6, 0);
    for (let i = 0; i < lines.capacity; i += 1) {
      const [x0 = 0, y0 = 0, z0 = 0, x1 = 0, y1 = 0, z1 = 0] = pieces.slice(6 * i, 6 * i + 6);
      lines.set(i, x0, y0, z0 + CONTOUR_LIFT, x1, y1, z1 + CONTOUR_LIFT, color);
    }
    lines.count = lines.capacity;
    this.lines.push(lines);
    this.parent.add(lines.object);
    body.attach(lines.object, frame);
    return lines;
  }

  private drawLine(drawing: DrawingView, points: Float32Array, body: Rigid, frame: Matrix4): void {
    const count = Math.max(points.length / 3 - 1, 0);
    const line = new LineSet(count, 2.5);
    const color = colorFrom(drawing.color ?? GREY);
    for (let i = 0; i < count; i += 1) {
      const [x0 = 0, y0 = 0, z0 = 0, x1 = 0, y1 = 0, z1 = 0] = points.subarray(3 * i, 3 * i + 6);
      line.set(i, x0, y0, z0, x1, y1, z1, color);
    }
    line.count = count;
    this.lines.push(line);
    this.parent.add(line.object);
    body.attach(line.object, frame);
  }

  private place(
    content: MeshContent,
    drawing: DrawingView,
    scale: number,
    body: Rigid,
    frame: Matrix4,
    paint?: ColorView,
  ): void {
    const box = new Box3();
    for (const piece of content.pieces) {
      this.placePiece(piece, drawing, body, frame.clone().multiply(scaled(piece.matrix, scale)), paint);
      piece.geometry.computeBoundingBox();
      if (piece.geometry.boundingBox)
        box.union(piece.geometry.boundingBox.clone().applyMatrix4(scaled(piece.matrix, scale)));
    }
    if (drawing.show_bounding_box) this.attachBox(box, body, frame);
  }

  private placePiece(
    { geometry, material, role, cull: own }: Piece,
    { color, cull: wanted }: DrawingView,
    body: Rigid,
    inBody: Matrix4,
    paint?: ColorView,
  ): void {
    // A mirrored surface has its back in front.
    const cull = wanted === "none" && inBody.determinant() > 0 ? own : wanted;
    if (!paint || !role || color) {
      this.part(body, geometry, this.materials.simplified(material, color, cull), inBody);
    } else if (role === "paint") {
      const white: ColorView = [255, 255, 255, paint[3]];
      this.part(body, geometry, this.materials.simplified(material, white, cull), inBody, true, paint);
    } else {
      const look = this.materials.material({ color: WHITE, isLit: false, cull, hasCornerColors: false });
      body.addLamp(this.batches.of(geometry, look), inBody, role, ownColor(material));
    }
  }

  private drawBox(geometry: BufferGeometry, body: Rigid, frame: Matrix4): void {
    geometry.computeBoundingBox();
    if (geometry.boundingBox) this.attachBox(geometry.boundingBox, body, frame);
  }

  private attachBox(box: Box3, body: Rigid, frame: Matrix4): void {
    const line = new LineSet(12, 1.5);
    const ends = [box.min.toArray(), box.max.toArray()];
    const corner = (i: number) => [0, 1, 2].map((axis) => ends[(i >> axis) & 1]?.[axis] ?? 0);
    let edge = 0;
    for (let i = 0; i < 8; i += 1) {
      for (const bit of [1, 2, 4]) {
        if (i & bit) continue;
        const [x0 = 0, y0 = 0, z0 = 0, x1 = 0, y1 = 0, z1 = 0] = [...corner(i), ...corner(i | bit)];
        line.set(edge, x0, y0, z0, x1, y1, z1, BOX_COLOR);
        edge += 1;
      }
    }
    line.count = 12;
    this.lines.push(line);
    this.parent.add(line.object);
    body.attach(line.object, frame);
  }
}
