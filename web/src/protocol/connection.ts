// The connection to the server: reports its state, passes messages on, and reconnects automatically.
import {
  ANSWER,
  CLOUD,
  type CloudMessage,
  COMPACT_SCAN,
  decodeCloud,
  decodeCompactScan,
  decodeJson,
  decodePicture,
  decodeReading,
  decodeScan,
  decodeScene,
  GREETING,
  NOTICE,
  PICTURE,
  type PictureMessage,
  READING,
  type ReadingMessage,
  type Sample,
  SCAN,
  SCENE,
  type ScanMessage,
  STATE,
  STATUS,
  StateDecoder,
} from "./decode";
import { StateLayout } from "./layout";
import { MAX_PAUSE, pauseBefore } from "./reconnect";
import { headersWith } from "./token";
import type { Answer, Greeting, Notice, Order, SceneView, Status } from "./types";

/** The WebSocket subprotocol, which names the version of messages. */
export const PROTOCOL = "skidpad.v1";

/** Why a server refuses this page. */
export type Refusal = "token" | "full" | "protocol" | "other";

/** State of the connection. */
export type Phase =
  | { is: "connecting" }
  | { is: "loading" }
  | { is: "live" }
  /** It tries again at `until` [ms, as performance.now()]. `reason`: the server's reason for closing, if any. */
  | { is: "lost"; attempt: number; until: number; reason: string }
  | { is: "refused"; why: Refusal; reason: string };

/** Messages from the server. */
export interface Received {
  phase(phase: Phase): void;
  /** `anew`: this is the first run, or another run than before; all earlier data is invalid. */
  greeting(greeting: Greeting, anew: boolean): void;
  scene(scene: SceneView, layout: StateLayout): void;
  state(sample: Sample): void;
  scan(scan: ScanMessage): void;
  cloud(cloud: CloudMessage): void;
  picture(picture: PictureMessage): void;
  reading(reading: ReadingMessage): void;
  status(status: Status): void;
  notice(notice: Notice): void;
}

/** A server's response over plain HTTP. */
export interface Finding {
  status: number;
  error: string;
  /** How many viewers there are. */
  viewers: number;
}

/** The outside world, which tests replace. */
export interface Surroundings {
  open(url: string, protocols: string[]): WebSocket;
  /** Asks the server over plain HTTP why it refuses sockets; throws when nobody answers. */
  ask(token: string | undefined): Promise<Finding>;
  now(): number;
}

const SURROUNDINGS: Surroundings = {
  open: (url, protocols) => new WebSocket(url, protocols),
  ask: async (token) => {
    const response = await fetch("api/status", { headers: headersWith(token), signal: AbortSignal.timeout(5000) });
    const body = (await response.json().catch(() => ({}))) as Partial<Finding>;
    return { status: response.status, error: body.error ?? "", viewers: body.viewers ?? 0 };
  },
  now: () => performance.now(),
};

const TRY_AGAIN_LATER = 1013;
/** After this many attempts in a row in which a server answers over HTTP but accepts no socket, the page gives up. */
const PATIENCE = 3;
/** The server sends a status every second; after this long without a message it counts as gone [ms]. */
const SILENCE = 5000;
/** The same while a scene is on its way, which may be one large message over a slow line [ms]. */
const SILENCE_LOADING = 60_000;
/** Interval between checks for silence [ms]. */
const LISTEN = 1000;

/** Keeps one connection. */
export class Connection {
  private socket: WebSocket | undefined;
  private attempt = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private run: string | undefined;
  private greeting: Greeting | undefined;
  private decoder: StateDecoder | undefined;
  private lastId = 0;
  private readonly pending = new Map<number, (answer: Answer) => void>();
  /** Times in a row that the server answered over HTTP but took no socket. */
  private deaf = 0;
  /** Counts attempts, so that events of an earlier one are recognized. */
  private generation = 0;
  private listener: ReturnType<typeof setInterval> | undefined;
  /** When something was last heard [ms]. */
  private heard = 0;
  phase: Phase = { is: "connecting" };

  constructor(
    private readonly url: string,
    /** What the server asks for, beyond this machine. */
    public token: string | undefined,
    private readonly received: Received,
    private readonly surroundings: Surroundings = SURROUNDINGS,
  ) {}

  /** Connects now: at the start, or when the user does not want to wait. `quietly`: the reported state stays until the result is known. */
  connect(token = this.token, quietly = false): void {
    this.token = token;
    this.generation += 1;
    const generation = this.generation;
    clearTimeout(this.timer);
    this.drop();
    if (this.phase.is !== "lost" && !quietly) this.enter({ is: "connecting" });
    const protocols = token === undefined ? [PROTOCOL] : [PROTOCOL, `token.${token}`];
    let socket: WebSocket;
    try {
      socket = this.surroundings.open(this.url, protocols);
    } catch (error) {
      // The token has characters that are invalid in a subprotocol.
      this.enter({ is: "refused", why: "token", reason: error instanceof Error ? error.message : String(error) });
      return;
    }
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    this.listen();
    let opened = false;
    socket.onopen = () => {
      opened = true;
      this.heard = this.surroundings.now();
      this.deaf = 0;
      if (socket.protocol !== PROTOCOL) this.refuse("protocol", `the server speaks "${socket.protocol}"`);
      else this.enter({ is: "loading" });
    };
    socket.onmessage = (event: MessageEvent) => {
      this.heard = this.surroundings.now();
      if (!(event.data instanceof ArrayBuffer)) return;
      try {
        this.take(new DataView(event.data));
      } catch (error) {
        // The displayed state may be wrong from here on, and a fast retry would not help.
        console.error(error);
        const message = error instanceof Error ? error.message : String(error);
        this.lose(`a message of the server could not be shown: ${message}`, MAX_PAUSE);
      }
    };
    socket.onclose = (event: CloseEvent) => {
      this.drop();
      if (opened) this.closed(event.code, event.reason);
      else void this.findOut(generation);
    };
  }

  /** Sends an order; the answer holds why not, when it is not done. */
  order(order: Order): Promise<Answer> {
    this.lastId += 1;
    const id = this.lastId;
    if (this.socket?.readyState !== 1) {
      return Promise.resolve({ id, error: "connection: not connected", time: null });
    }
    this.socket.send(JSON.stringify({ id, order }));
    return new Promise((resolve) => this.pending.set(id, resolve));
  }

  /** Detects silence: an interrupted line is not reported otherwise. */
  private listen(): void {
    this.heard = this.surroundings.now();
    let looked = this.heard;
    let wasLate = false;
    this.listener = setInterval(() => {
      const now = this.surroundings.now();
      // After a pause of the page itself, waiting messages are processed first.
      const isLate = now - looked > 2 * LISTEN && !wasLate;
      looked = now;
      wasLate = isLate;
      const silence = this.phase.is === "loading" ? SILENCE_LOADING : SILENCE;
      if (!isLate && now - this.heard >= silence) this.lose(`nothing was heard for ${silence / 1000} s`);
    }, LISTEN);
  }

  private drop(): void {
    clearInterval(this.listener);
    const socket = this.socket;
    this.socket = undefined;
    if (socket !== undefined) {
      socket.onopen = null;
      socket.onmessage = null;
      socket.onclose = null;
      socket.close();
    }
    for (const [id, resolve] of this.pending) resolve({ id, error: "connection: lost before the answer", time: null });
    this.pending.clear();
  }

  private enter(phase: Phase): void {
    this.phase = phase;
    this.received.phase(phase);
  }

  private refuse(why: Refusal, reason: string): void {
    clearTimeout(this.timer);
    this.drop();
    this.enter({ is: "refused", why, reason });
    // A full server may have room later; anything else needs the user.
    if (why === "full") this.timer = setTimeout(() => this.connect(this.token, true), pauseBefore(this.attempt++));
  }

  private closed(code: number, reason: string): void {
    if (code === TRY_AGAIN_LATER) this.refuse("full", reason);
    else this.lose(reason);
  }

  private lose(reason = "", pause = pauseBefore(this.attempt)): void {
    clearTimeout(this.timer);
    this.drop();
    this.attempt += 1;
    this.enter({ is: "lost", attempt: this.attempt, until: this.surroundings.now() + pause, reason });
    this.timer = setTimeout(() => this.connect(), pause);
  }

  /** To a page, a refused handshake looks like a dead server; plain HTTP distinguishes them. */
  private async findOut(generation: number): Promise<void> {
    let finding: Finding;
    try {
      finding = await this.surroundings.ask(this.token);
    } catch {
      if (generation !== this.generation) return;
      this.deaf = 0;
      this.lose();
      return;
    }
    // By now somebody may have tried again.
    if (generation !== this.generation) return;
    const { status, error, viewers } = finding;
    if (status === 401) this.refuse("token", error);
    else if (status === 403) this.refuse(/token/i.test(error) ? "token" : "other", error);
    else if (status === 503 || status === 429) this.refuse("full", error);
    else if (status < 300) {
      this.deaf += 1;
      if (this.deaf < PATIENCE) this.lose();
      else if (viewers === 0) this.refuse("protocol", "it answers, but takes no connection of this page");
      else this.refuse("full", `It has ${viewers} ${viewers === 1 ? "viewer" : "viewers"} and takes no further one.`);
    } else this.lose();
  }

  private take(message: DataView): void {
    switch (message.getUint8(0)) {
      case GREETING: {
        const greeting = decodeJson<Greeting>(message);
        const anew = greeting.run !== this.run;
        this.run = greeting.run;
        this.greeting = greeting;
        this.decoder = undefined;
        this.received.greeting(greeting, anew);
        break;
      }
      case SCENE: {
        if (this.greeting === undefined) return;
        const scene = decodeScene(message);
        const layout = new StateLayout(this.greeting.layout, scene);
        this.decoder = new StateDecoder(layout, scene.revision);
        this.attempt = 0;
        this.received.scene(scene, layout);
        this.enter({ is: "live" });
        break;
      }
      case STATE: {
        const sample = this.decoder?.decode(message);
        if (sample !== undefined) this.received.state(sample);
        break;
      }
      case SCAN:
        this.received.scan(decodeScan(message));
        break;
      case COMPACT_SCAN:
        if (this.greeting !== undefined) this.received.scan(decodeCompactScan(message, this.greeting.layout.pose));
        break;
      case CLOUD:
        this.received.cloud(decodeCloud(message));
        break;
      case PICTURE:
        this.received.picture(decodePicture(message));
        break;
      case READING:
        this.received.reading(decodeReading(message));
        break;
      case STATUS:
        this.received.status(decodeJson<Status>(message));
        break;
      case ANSWER: {
        const answer = decodeJson<Answer>(message);
        this.pending.get(answer.id)?.(answer);
        this.pending.delete(answer.id);
        break;
      }
      case NOTICE:
        this.received.notice(decodeJson<Notice>(message));
        break;
    }
  }
}
