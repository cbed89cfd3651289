// Geometry that is apart from the scene: fetched by the name of its content, what looks largest first, and kept for the scenes that follow.
import { Box3, type Matrix4, Sphere, Vector3 } from "three";
import { headersWith } from "../../protocol/token";
import type { PartView, SceneView, ShapeView } from "../../protocol/types";
import { cornersOf } from "../camera/framing";
import { bytesOf, floatsOf } from "./geometry";

/** In place of a text that is a part; its name follows. */
const SIGN = "@";
/** Parts that are on their way at the same time: browsers open six connections, and meshes and pictures need some of them. */
const AT_ONCE = 4;
/** How long an order of what is waiting holds [ms]: the camera may move. */
const ORDERED = 250;
/** How long to wait before each further attempt to fetch a part [ms]. */
const PAUSES = [300, 2000];

type Bytes = Uint8Array<ArrayBuffer>;

/** The frame in the world of what waits for a part; none: it is not wanted any more. */
export type Place = () => Matrix4 | undefined;

/** Where something waits for a part, and the part whose box tells how far it reaches. */
interface Waiting {
  place: Place;
  measured: string;
}

/** A part that is not there yet. */
interface Awaited {
  waiting: Waiting[];
  arrived: Promise<void>;
  settle(error?: unknown): void;
}

/** An answer that would be the same in a moment. */
class Refusal extends Error {}

/** The lists of numbers that a shape has. */
export function listsOf(shape: ShapeView): string[] {
  switch (shape.is) {
    case "triangles":
      return [shape.corners, shape.colors, shape.on_picture];
    case "line":
      return [shape.points];
    case "mesh":
      return [];
  }
}

/** The lists of numbers of a scene: those that its document has, and those that are fetched. */
export class Parts {
  private known: Record<string, PartView> = {};
  private headers: Record<string, string> = {};
  private readonly fetched = new Map<string, Bytes>();
  private readonly awaited = new Map<string, Awaited>();
  /** Names of those that have not been asked for, the last one first. */
  private queue: string[] = [];
  private orderedAt = Number.NEGATIVE_INFINITY;
  private running = 0;
  /** Ends what is on its way. */
  private requests = new AbortController();

  /** @param eye where the camera is, in the world */
  constructor(private readonly eye: () => Vector3 = () => new Vector3()) {}

  /** How many have not come yet. */
  get waiting(): number {
    return this.awaited.size;
  }

  /**
   * Goes on to another scene: what that does not name is forgotten, and what is on its way is asked for anew where it is still wanted: the connection
   * may be another one.
   * @param token of the server; in a header, so that browsers keep parts under addresses without it
   */
  show(scene: SceneView, token?: string): void {
    this.known = scene.parts ?? {};
    this.headers = headersWith(token);
    this.requests.abort();
    this.requests = new AbortController();
    for (const names of [this.fetched, this.awaited]) {
      for (const name of names.keys()) if (!(name in this.known)) names.delete(name);
    }
    this.queue = this.queue.filter((name) => this.awaited.has(name));
  }

  /** Whether all of these lists are there. */
  has(texts: readonly string[]): boolean {
    return texts.every((text) => !text.startsWith(SIGN) || this.fetched.has(text.slice(1)));
  }

  /** The bytes of a list that is there. */
  bytes(text: string): Bytes {
    return text.startsWith(SIGN) ? (this.fetched.get(text.slice(1)) ?? new Uint8Array()) : bytesOf(text);
  }

  /** The numbers of a list that is there. Every machine with a browser is little-endian, as parts are. */
  floats(text: string): Float32Array<ArrayBuffer> {
    if (!text.startsWith(SIGN)) return floatsOf(text);
    const { buffer, byteOffset, length } = this.bytes(text);
    return new Float32Array(buffer, byteOffset, length >> 2);
  }

  /** How many numbers a list of places has, and the box around these; also before they are there. */
  extent(text: string): { count: number; box: Box3 } {
    if (!text.startsWith(SIGN)) {
      const floats = floatsOf(text);
      return { count: floats.length, box: new Box3().setFromArray(floats) };
    }
    const { length = 0, bounds: [x0, y0, z0, x1, y1, z1] = [] } = this.known[text.slice(1)] ?? {};
    const box = new Box3();
    if (x0 !== undefined) box.set(new Vector3(x0, y0, z0), new Vector3(x1, y1, z1));
    return { count: length >> 2, box };
  }

  /** Places that tell how far a list of them reaches: the list, or the corners of the box around those that are apart. */
  landmarks(text: string): ArrayLike<number> {
    if (!text.startsWith(SIGN)) return floatsOf(text);
    const { box } = this.extent(text);
    return box.isEmpty() ? [] : cornersOf(box).flatMap((corner) => corner.toArray());
  }

  /** Resolves when all of these lists are there. @param place of what waits for them */
  async load(texts: readonly string[], place: Place): Promise<void> {
    const names = texts.filter((text) => !this.has([text])).map((text) => text.slice(1));
    // Lists without places, such as colours, come with the one that has them.
    const measured = names.find((name) => this.known[name]?.bounds !== undefined);
    await Promise.all(names.map((name) => this.want(name, { place, measured: measured ?? name })));
  }

  private want(name: string, waiting: Waiting): Promise<void> {
    let awaited = this.awaited.get(name);
    if (!awaited) {
      let settle: Awaited["settle"] = () => undefined;
      const arrived = new Promise<void>((resolve, reject) => {
        settle = (error) => (error === undefined ? resolve() : reject(error));
      });
      awaited = { waiting: [], arrived, settle };
      this.awaited.set(name, awaited);
      this.queue.push(name);
      this.orderedAt = Number.NEGATIVE_INFINITY;
      // When all that the scene waits for is known.
      queueMicrotask(() => this.ask());
    }
    awaited.waiting.push(waiting);
    return awaited.arrived;
  }

  private ask(): void {
    while (this.running < AT_ONCE) {
      this.order();
      const name = this.queue.pop();
      if (name === undefined) return;
      this.running += 1;
      void this.take(name).finally(() => {
        this.running -= 1;
        this.ask();
      });
    }
  }

  private async take(name: string): Promise<void> {
    const awaited = this.awaited.get(name);
    const { signal } = this.requests;
    let error: unknown;
    try {
      const bytes = await this.fetch(name, signal);
      // The scene may be another one now.
      if (this.awaited.get(name) === awaited) this.fetched.set(name, bytes);
    } catch (reason) {
      error = reason ?? new Error("it cannot be had");
    }
    if (this.awaited.get(name) !== awaited) return;
    if (signal.aborted && error !== undefined) {
      this.queue.push(name);
      this.orderedAt = Number.NEGATIVE_INFINITY;
      return;
    }
    this.awaited.delete(name);
    awaited?.settle(error);
  }

  private async fetch(name: string, signal: AbortSignal): Promise<Bytes> {
    for (const pause of PAUSES) {
      try {
        return await this.fetchOnce(name, signal);
      } catch (error) {
        if (signal.aborted || error instanceof Refusal) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
    return this.fetchOnce(name, signal);
  }

  private async fetchOnce(name: string, signal: AbortSignal): Promise<Bytes> {
    const answer = await fetch(`api/parts/${name}`, { headers: this.headers, signal });
    const { status, statusText } = answer;
    if (status >= 500) throw new Error(`${status} ${statusText}`);
    if (!answer.ok) throw new Refusal(`${status} ${statusText}`);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const { length } = this.known[name] ?? { length: bytes.length };
    if (bytes.length !== length) throw new Refusal(`it has ${bytes.length} of ${length} bytes`);
    return bytes;
  }

  /** Puts what looks largest at the end of the queue, and forgets what nobody waits for. */
  private order(): void {
    const now = performance.now();
    if (now - this.orderedAt < ORDERED) return;
    this.orderedAt = now;
    const eye = this.eye();
    const sizes = new Map<string, number>();
    for (const name of this.queue) {
      const awaited = this.awaited.get(name);
      if (awaited === undefined) continue;
      let [size, isWanted] = [0, false];
      awaited.waiting = awaited.waiting.filter(({ place, measured }) => {
        const matrix = place();
        if (matrix === undefined) return false;
        size = Math.max(size, this.sizeOf(measured, matrix, eye));
        isWanted = true;
        return true;
      });
      if (isWanted) sizes.set(name, size);
      else this.awaited.delete(name);
    }
    this.queue = [...sizes.keys()].sort((a, b) => (sizes.get(a) ?? 0) - (sizes.get(b) ?? 0));
  }

  /** How large a part at this place looks from there [-]: its radius by its distance, at most 1. */
  private sizeOf(name: string, place: Matrix4, eye: Vector3): number {
    const { center, radius } = this.extent(SIGN + name).box.getBoundingSphere(new Sphere());
    const reach = Math.max(radius, 1e-3);
    return reach / Math.max(center.applyMatrix4(place).distanceTo(eye), reach);
  }
}
