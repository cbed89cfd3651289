// Cache of loaded files by path, each loaded once, and passed on from one scene to the next.
import type { BodyView, DrawingView, SceneView } from "../../protocol/types";

/** Keeps loaded and loading files. */
export class Shelf<T> {
  private readonly files = new Map<string, Promise<T>>();

  /** @param free gives back what a thing takes on the graphics card */
  constructor(private readonly free: (file: T) => void) {}

  /** The item at a path; loaded at the first request. */
  get(path: string, load: () => Promise<T>): Promise<T> {
    let file = this.files.get(path);
    if (!file) {
      file = load();
      this.files.set(path, file);
    }
    return file;
  }

  /** Takes things from another shelf. @param paths there, by those here */
  takeOver(other: Shelf<T>, paths: ReadonlyMap<string, string>): void {
    for (const [path, otherPath] of paths) {
      const file = other.files.get(otherPath);
      if (!file) continue;
      this.files.set(path, file);
      other.files.delete(otherPath);
    }
  }

  dispose(): void {
    for (const file of this.files.values()) file.then(this.free, () => undefined);
    this.files.clear();
  }
}

/**
 * Paths that files had in the scene before, by those that they have now. Files are numbered as a scene names them, so that the same path
 * may be another file after something went: only what stays tells which are the same.
 */
export function formerPaths(now: SceneView, before: SceneView): Map<string, string> {
  const paths = new Map<string, string>();
  const pair = (drawings: readonly DrawingView[], former: readonly DrawingView[] = []) => {
    for (const [i, { shape, texture }] of drawings.entries()) {
      const { shape: formerShape, texture: formerTexture } = former[i] ?? {};
      if (shape.is === "mesh" && formerShape?.is === "mesh") add(paths, shape.path, formerShape.path);
      if (texture && formerTexture) add(paths, texture.path, formerTexture.path);
    }
  };
  for (const vehicle of now.vehicles) {
    const former = before.vehicles.find(({ id }) => id === vehicle.id);
    pair(vehicle.drawings, former?.drawings);
    for (const [i, wheel] of vehicle.wheels.entries()) pair(wheel.drawings, former?.wheels[i]?.drawings);
  }
  for (const block of now.blocks) pair(block.drawings, before.blocks.find(({ id }) => id === block.id)?.drawings);
  // These have no ids: they are the same where none came or went.
  const pairAll = (bodies: readonly BodyView[], former: readonly BodyView[]) => {
    if (bodies.length !== former.length) return;
    for (const [i, { drawings, name }] of bodies.entries()) {
      if (former[i]?.name === name) pair(drawings, former[i]?.drawings);
    }
  };
  pairAll(now.planes, before.planes);
  pairAll(now.actors, before.actors);
  if (now.fixed.length === before.fixed.length) pair(now.fixed, before.fixed);
  return paths;
}

function add(paths: Map<string, string>, now: string, before: string): void {
  const withoutNumber = (path: string) => path.replace(/^api\/files\/\d+\//, "");
  if (withoutNumber(now) === withoutNumber(before)) paths.set(now, before);
}
