// The connection with simulated sockets.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Connection, type Finding, type Phase, PROTOCOL, type Received } from "./connection";
import { ANSWER, GREETING, SCENE, STATUS } from "./decode";
import type { Greeting, Order, SceneView } from "./types";

class Socket {
  readyState = 0;
  protocol = PROTOCOL;
  binaryType = "";
  sent: string[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: ArrayBuffer }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
  constructor(readonly protocols: string[]) {}
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.readyState = 3;
  }
  open(): void {
    this.readyState = 1;
    this.onopen?.();
  }
  say(kind: number, content: unknown): void {
    const text = new TextEncoder().encode(JSON.stringify(content));
    this.onmessage?.({ data: Uint8Array.from([kind, ...text]).buffer });
  }
  end(code = 1006, reason = ""): void {
    this.readyState = 3;
    this.onclose?.({ code, reason });
  }
}

const LAYOUT = { vehicle: [], wheel: [], pose: [], actor: [], seen: [] };
const greeting = (run: string): Greeting => ({
  version: "1",
  minor: 1,
  mode: "live",
  read_only: false,
  can_edit: false,
  layout: LAYOUT,
  run,
  warnings: [],
});
const SCENE_VIEW = { revision: 1, vehicles: [], blocks: [], planes: [], actors: [] } as unknown as SceneView;

function setUp(finding: () => Promise<Finding> = () => Promise.reject(new Error("nobody"))) {
  const sockets: Socket[] = [];
  const phases: Phase[] = [];
  const runs: [string, boolean][] = [];
  const received = {
    phase: (phase: Phase) => phases.push(phase),
    greeting: ({ run }: Greeting, anew: boolean) => runs.push([run, anew]),
    scene: () => undefined,
    status: () => undefined,
  } as unknown as Received;
  const connection = new Connection("ws://here/api/socket", "secret", received, {
    open: (_, protocols) => {
      const socket = new Socket(protocols);
      sockets.push(socket);
      return socket as unknown as WebSocket;
    },
    ask: finding,
    now: () => Date.now(),
  });
  connection.connect();
  const last = () => sockets[sockets.length - 1] as Socket;
  const live = (run = "a") => {
    last().open();
    last().say(GREETING, greeting(run));
    last().say(SCENE, SCENE_VIEW);
  };
  return { connection, sockets, phases, runs, last, live };
}

const answers = (finding: Partial<Finding>) => () =>
  Promise.resolve({ status: 200, error: "", viewers: 1, ...finding });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("it connects with its token and becomes live with the scene", () => {
  const { last, phases, live } = setUp();
  expect(last().protocols).toEqual([PROTOCOL, "token.secret"]);
  live();
  expect(phases.map(({ is }) => is)).toEqual(["connecting", "loading", "live"]);
});

test("it comes back by itself, ever more slowly, and says when", async () => {
  const { sockets, phases, last, live } = setUp();
  live();
  last().end();
  const pauses: number[] = [];
  for (let i = 0; i < 8; i += 1) {
    const phase = phases[phases.length - 1];
    if (phase?.is !== "lost") throw new Error("not lost");
    pauses.push(phase.until - Date.now());
    await vi.advanceTimersByTimeAsync(phase.until - Date.now());
    last().end();
    await vi.advanceTimersByTimeAsync(0);
  }
  expect(pauses).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000, 5000]);
  expect(sockets.length).toBe(9);
  await vi.advanceTimersByTimeAsync(5000);
  live();
  last().end();
  expect(phases[phases.length - 1]).toMatchObject({ is: "lost", attempt: 1 });
});

test("another run that answers makes everything anew", async () => {
  const { runs, last, live } = setUp();
  for (const run of ["a", "a", "b"]) {
    live(run);
    last().end(1001, "the simulation has ended");
    await vi.advanceTimersByTimeAsync(300);
  }
  expect(runs).toEqual([
    ["a", true],
    ["a", false],
    ["b", true],
  ]);
});

test.each<[Partial<Finding>, string]>([
  [{ status: 401, error: "token: it is another one" }, "token"],
  [{ status: 403, error: "Origin: another page" }, "other"],
  [{ status: 503, error: "server: all places are taken" }, "full"],
])("a refused handshake is found out about: %o", async (finding, why) => {
  const { phases, last } = setUp(answers(finding));
  last().end();
  await vi.advanceTimersByTimeAsync(0);
  expect(phases[phases.length - 1]).toMatchObject({ is: "refused", why, reason: finding.error ?? "" });
});

test("a server that answers but never takes a socket is another version", async () => {
  const { phases, last } = setUp(answers({ viewers: 0 }));
  for (let i = 0; i < 3; i += 1) {
    last().end();
    await vi.advanceTimersByTimeAsync(5000);
  }
  expect(phases[phases.length - 1]).toMatchObject({ is: "refused", why: "protocol" });
});

test("a server that answers and has viewers but takes no further one is full, and is asked again", async () => {
  const { phases, sockets, last } = setUp(answers({ viewers: 9 }));
  for (let i = 0; i < 3; i += 1) {
    last().end();
    await vi.advanceTimersByTimeAsync(i < 2 ? 500 : 0);
  }
  expect(phases[phases.length - 1]).toMatchObject({ is: "refused", why: "full" });
  const said = phases.length;
  await vi.advanceTimersByTimeAsync(5000);
  expect(sockets.length).toBe(4);
  expect(phases.slice(said), "nothing else is said while it asks").toEqual([]);
});

test("a server of another protocol is refused", () => {
  const { phases, last } = setUp();
  last().protocol = "skidpad.v2";
  last().open();
  expect(phases[phases.length - 1]).toMatchObject({ is: "refused", why: "protocol" });
});

test("orders get their own answers, or say that there is none to come", async () => {
  const { connection, last, live } = setUp();
  const pause: Order = { do: "pause" };
  expect((await connection.order(pause)).error).toContain("connection");
  live();
  const first = connection.order(pause);
  const second = connection.order({ do: "reset" });
  const third = connection.order({ do: "resume" });
  const ids = last().sent.map((text) => (JSON.parse(text) as { id: number }).id);
  last().say(ANSWER, { id: ids[1], error: "reset: no", time: null });
  last().say(ANSWER, { id: ids[0], error: null, time: 1 });
  expect([(await first).error, (await second).error]).toEqual([null, "reset: no"]);
  last().end();
  expect((await third).error).toContain("lost");
});

test("a server that falls silent is left, and tried again", async () => {
  const { phases, sockets, last, live } = setUp();
  live();
  const silent = last();
  for (let i = 0; i < 10; i += 1) {
    await vi.advanceTimersByTimeAsync(1000);
    last().say(STATUS, {});
  }
  expect(phases[phases.length - 1]).toMatchObject({ is: "live" });
  await vi.advanceTimersByTimeAsync(4900);
  expect(phases[phases.length - 1]).toMatchObject({ is: "live" });
  await vi.advanceTimersByTimeAsync(200);
  expect(phases[phases.length - 1]).toMatchObject({ is: "lost", reason: "nothing was heard for 5 s" });
  expect(silent.readyState).toBe(3);
  await vi.advanceTimersByTimeAsync(250);
  expect(sockets.length).toBe(2);
});

test("a handshake that nobody answers is given up", async () => {
  const { phases } = setUp();
  await vi.advanceTimersByTimeAsync(5000);
  expect(phases[phases.length - 1]).toMatchObject({ is: "lost", attempt: 1 });
});

test("a large scene may take longer than 5 s to come", async () => {
  const { phases, last } = setUp();
  last().open();
  last().say(GREETING, greeting("a"));
  await vi.advanceTimersByTimeAsync(15_000);
  last().say(SCENE, SCENE_VIEW);
  expect(phases[phases.length - 1]).toMatchObject({ is: "live" });
});

test("what waits while the page itself stood still is heard before the line is given up", async () => {
  const { phases, last, live } = setUp();
  live();
  vi.setSystemTime(Date.now() + 60_000);
  await vi.advanceTimersByTimeAsync(1000);
  expect(phases[phases.length - 1]).toMatchObject({ is: "live" });
  last().say(STATUS, {});
  await vi.advanceTimersByTimeAsync(2000);
  expect(phases[phases.length - 1]).toMatchObject({ is: "live" });
  vi.setSystemTime(Date.now() + 60_000);
  await vi.advanceTimersByTimeAsync(2000);
  expect(phases[phases.length - 1]).toMatchObject({ is: "lost" });
});

test("a late finding about an earlier attempt does not end a live connection", async () => {
  const late: ((finding: Finding) => void)[] = [];
  const { connection, phases, last, live } = setUp(() => new Promise((resolve) => late.push(resolve)));
  last().end();
  connection.connect();
  last().end();
  connection.connect();
  live();
  for (const resolve of late) resolve({ status: 401, error: "token: it is another one", viewers: 1 });
  await vi.advanceTimersByTimeAsync(0);
  expect(late.length).toBe(2);
  expect(phases[phases.length - 1]).toMatchObject({ is: "live" });
});

test("a message that cannot be taken ends the connection and says so", async () => {
  const complaints = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const { phases, sockets, last, live } = setUp();
  live();
  last().onmessage?.({ data: Uint8Array.from([STATUS, 123]).buffer });
  expect(complaints).toHaveBeenCalledOnce();
  const phase = phases[phases.length - 1];
  expect(phase).toMatchObject({ is: "lost", reason: expect.stringContaining("could not be shown") });
  await vi.advanceTimersByTimeAsync(4000);
  expect(sockets.length).toBe(1);
  await vi.advanceTimersByTimeAsync(1000);
  expect(sockets.length).toBe(2);
  complaints.mockRestore();
});
