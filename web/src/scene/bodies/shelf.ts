// Cache of loaded files by path, each loaded once, and passed on from one scene to the next.
import type { BodyView, DrawingView, SceneView } from "../../protocol/types";

/** Keeps loaded and loading files. */
export class Shelf<T> {
  private readonly things = new Map<string, Promise<T>>();

  /** @param free gives back what a thing takes on the graphics card */
  constructor(private readonly free: (thing: T) => void) {}

  /** The item at a path; loaded at the first request. */
  get(path: string, load: () => Promise<T>): Promise<T> {
    let thing = this.things.get(path);
    if (!thing) {
      thing = load();
      this.things.set(path, thing);
    }
    return thing;
  }

  /** Takes things from another shelf. @param paths there, by those here */
  takeOver(other: Shelf<T>, paths: ReadonlyMap<string, string>): void {
    for (const [here, there] of paths) {
      const thing = other.things.get(there);
      if (!thing) continue;
      this.things.set(here, thing);
      other.things.delete(there);
    }
  }

  dispose(): void {
    for (const thing of this.things.values()) thing.then(this.free, () => undefined);
    this.things.clear();
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
