// Geometry that is apart from the scene: fetched by the name of its content, what looks largest first, and kept for the scenes that follow.
import { Box3, type Matrix4, Sphere, Vector3 } from "three";
import { withoutQuery } from "../protocol/token";
import type { PartView, SceneView, ShapeView } from "../protocol/types";
import { cornersOf } from "./framing";
import { bytesOf, floatsOf } from "./geometry";

/** In place of a text that is a part; its name follows. */
const SIGN = "@";
/** Parts that are on their way at the same time: browsers open six connections, and meshes and pictures need some of them. */
const AT_ONCE = 4;
/** How long an order of what is waiting holds [ms]: the camera may move. */
const ORDERED = 250;
/** How often a part is asked for before it is lost, and the pause before the second time, which doubles [ms]. */
const TRIES = 3;
const PAUSE = 500;
/** How long a part may take [ms]. */
const LONGEST = 60_000;

type Bytes = Uint8Array<ArrayBuffer>;

/** The frame in the world of what waits for a part; none: it is not wanted any more. */
export type Place = () => Matrix4 | undefined;

/** What waits for a part: where it is, and the list whose bounds tell how large it is. */
interface Waiter {
  place: Place;
  bounded: string;
}

/** An answer that would be the same another time. */
class Refused extends Error {}

/** A part that is not there yet. */
interface Awaited {
  waiters: Waiter[];
  arrived: Promise<void>;
  settle(error?: unknown): void;
}

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
  private url = (path: string): string => path;
  private readonly there = new Map<string, Bytes>();
  private readonly awaited = new Map<string, Awaited>();
  /** Names of those that have not been asked for, the last one first. */
  private queue: string[] = [];
  private orderedAt = Number.NEGATIVE_INFINITY;
  private running = 0;
  /** What is on its way. */
  private readonly flights = new Map<string, AbortController>();

  /** @param eye where the camera is, in the world */
  constructor(private readonly eye: () => Vector3 = () => new Vector3()) {}

  /** How many have not come yet. */
  get waiting(): number {
    return this.awaited.size;
  }

  /**
   * Goes on to another scene: what that does not name is forgotten.
   * @param url makes an address of a path
   */
  show(scene: SceneView, url: (path: string) => string): void {
    this.known = scene.parts ?? {};
    this.url = url;
    for (const names of [this.there, this.awaited]) {
      for (const name of names.keys()) if (!(name in this.known)) names.delete(name);
    }
    this.queue = this.queue.filter((name) => this.awaited.has(name));
    for (const [name, flight] of this.flights) if (!this.awaited.has(name)) flight.abort();
  }

  /** Whether all of these lists are there. */
  has(texts: readonly string[]): boolean {
    return texts.every((text) => !text.startsWith(SIGN) || this.there.has(text.slice(1)));
  }

  /** The bytes of a list that is there. */
  bytes(text: string): Bytes {
    return text.startsWith(SIGN) ? (this.there.get(text.slice(1)) ?? new Uint8Array()) : bytesOf(text);
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
    // Colours have no bounds: they are as large as the places that they come with.
    const bounded = texts.find((text) => text !== "" && !this.extent(text).box.isEmpty()) ?? "";
    await Promise.all(names.map((name) => this.want(name, { place, bounded })));
  }

  private want(name: string, waiter: Waiter): Promise<void> {
    let awaited = this.awaited.get(name);
    if (!awaited) {
      let settle: Awaited["settle"] = () => undefined;
      const arrived = new Promise<void>((resolve, reject) => {
        settle = (error) => (error === undefined ? resolve() : reject(error));
      });
      awaited = { waiters: [], arrived, settle };
      this.awaited.set(name, awaited);
      this.queue.push(name);
      this.orderedAt = Number.NEGATIVE_INFINITY;
      // When all that the scene waits for is known.
      queueMicrotask(() => this.ask());
    }
    awaited.waiters.push(waiter);
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
    const flight = new AbortController();
    this.flights.set(name, flight);
    let error: unknown;
    try {
      const bytes = await this.fetch(name, flight.signal);
      // The scene may be another one now.
      if (this.awaited.get(name) === awaited) this.there.set(name, bytes);
    } catch (found) {
      error = found ?? new Error("it cannot be had");
    } finally {
      if (this.flights.get(name) === flight) this.flights.delete(name);
    }
    if (this.awaited.get(name) !== awaited) return;
    this.awaited.delete(name);
    awaited?.settle(error);
  }

  /** Asks again where another time may help: lines break, and servers start. */
  private async fetch(name: string, left: AbortSignal): Promise<Bytes> {
    for (let tried = 1; ; tried += 1) {
      const call = new AbortController();
      const stop = () => call.abort(new Error("it is not wanted"));
      left.addEventListener("abort", stop);
      const limit = setTimeout(() => call.abort(new Error("it took too long")), LONGEST);
      try {
        const [address, headers] = withoutQuery(this.url(`api/parts/${name}`));
        const answer = await fetch(address, { headers, signal: call.signal });
        if (answer.status < 500 || tried === TRIES) return await this.read(name, answer);
      } catch (error) {
        // What the server said is final; what the line did is not.
        if (left.aborted || tried === TRIES || error instanceof Refused) throw error;
      } finally {
        clearTimeout(limit);
        left.removeEventListener("abort", stop);
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE * 2 ** (tried - 1)));
      if (left.aborted) throw new Error("it is not wanted");
    }
  }

  private async read(name: string, answer: Response): Promise<Bytes> {
    if (!answer.ok) throw new Refused(`${answer.status} ${answer.statusText}`);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const { length } = this.known[name] ?? { length: bytes.length };
    if (bytes.length !== length) throw new Refused(`it has ${bytes.length} of ${length} bytes`);
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
      let largest: number | undefined;
      for (const { place, bounded } of this.awaited.get(name)?.waiters ?? []) {
        const at = place();
        if (at) largest = Math.max(largest ?? 0, this.sizeOf(bounded, at, eye));
      }
      if (largest === undefined) this.awaited.delete(name);
      else sizes.set(name, largest);
    }
    this.queue = [...sizes.keys()].sort((a, b) => (sizes.get(a) ?? 0) - (sizes.get(b) ?? 0));
  }

  /** How large a list of places looks from there [-]: its radius by its distance. */
  private sizeOf(bounded: string, place: Matrix4, eye: Vector3): number {
    const { center, radius } = this.extent(bounded).box.getBoundingSphere(new Sphere());
    const reach = Math.max(radius, 1e-3);
    return reach / Math.max(center.applyMatrix4(place).distanceTo(eye), reach);
  }
}
