// Geometry that is apart from the scene, with a server in place of the network.
import { Group, InstancedMesh, Matrix4, Vector3 } from "three";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { PartView } from "../../protocol/types";
import { Drawer } from "../drawing/drawer";
import { base64, block, drawing, layoutOf, scene } from "../fixture";
import { Movers } from "./movers";
import { Parts } from "./parts";

const addresses: string[] = [];
/** The headers of the requests. */
const sent: object[] = [];
/** What the next answers are instead. */
const failing: number[] = [];
/** What holds the answers back, in the order of the requests. */
const gates: (() => void)[] = [];
const bytes = (numbers: readonly number[]) => new Uint8Array(Float32Array.from(numbers).buffer);
const content: Record<string, Uint8Array<ArrayBuffer>> = {};

beforeEach(() => {
  addresses.length = sent.length = failing.length = gates.length = 0;
  vi.stubGlobal("fetch", (address: string, { headers, signal }: { headers: object; signal: AbortSignal }) => {
    addresses.push(address);
    sent.push(headers);
    const list = content[address.replace("api/parts/", "")];
    return new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
      const answer = () => {
        const status = failing.shift();
        if (status !== undefined) return new Response("", { status, statusText: "busy" });
        return list ? new Response(list) : new Response("", { status: 404, statusText: "gone" });
      };
      gates.push(() => resolve(answer()));
    });
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Parts of a scene with boxes of this size at the origin of their frames, and of four numbers. */
function partsOf(sizes: Record<string, number>, eye = new Vector3()): Parts {
  const parts: Record<string, PartView> = {};
  for (const [name, size] of Object.entries(sizes)) {
    parts[name] = { length: 24, bounds: [-size, -size, -size, size, size, size] };
    content[name] = bytes([size, 1, 2, 3, 4, 5]);
  }
  const made = new Parts(() => eye);
  made.show(scene({ parts }));
  return made;
}

const at = (x: number) => () => new Matrix4().makeTranslation(x, 0, 0);
const settled = () => new Promise((resolve) => setTimeout(resolve));

test("a list of the document is there, and one apart when it has come, once for all who wait", async () => {
  const parts = partsOf({ a: 2 });
  expect([...parts.floats(base64([1, 2]))]).toEqual([1, 2]);
  expect([parts.has([base64([1]), ""]), parts.has(["@a"])]).toEqual([true, false]);
  const waiting = Promise.all([parts.load(["@a", ""], at(1)), parts.load(["@a"], at(2))]);
  await settled();
  expect([addresses, parts.waiting]).toEqual([["api/parts/a"], 1]);
  gates[0]?.();
  await waiting;
  expect([[...parts.floats("@a")], parts.has(["@a"]), parts.waiting]).toEqual([[2, 1, 2, 3, 4, 5], true, 0]);
});

test("how far a part reaches is known before it has come", () => {
  const parts = partsOf({ a: 2 });
  const { count, box } = parts.extent("@a");
  expect([count, box.min.toArray(), box.max.toArray()]).toEqual([6, [-2, -2, -2], [2, 2, 2]]);
  expect(parts.landmarks("@a").length).toBe(24);
  expect([...Array.from(parts.landmarks(base64([1, 2, 3])))]).toEqual([1, 2, 3]);
});

test("four are on their way at a time, and what looks largest comes first", async () => {
  const sizes = { far: 1, small: 0.1, near: 1, large: 30, a: 5, b: 5 };
  const parts = partsOf(sizes);
  const places: Record<string, number> = { far: 100, small: 10, near: 10, large: 100, a: 6, b: 6 };
  for (const name of Object.keys(sizes)) void parts.load([`@${name}`], at(places[name] ?? 0));
  await settled();
  const names = () => addresses.map((address) => address.replace("api/parts/", ""));
  // 1, the most, for a and b, 0.3·√3, 0.1·√3, then 0.01·√3 for both others.
  expect([names().slice(0, 2).sort(), names().slice(2)]).toEqual([
    ["a", "b"],
    ["large", "near"],
  ]);
  gates[0]?.();
  await settled();
  expect(addresses).toHaveLength(5);
});

test("who cannot have a part is told why, and what nobody waits for any more is not asked for", async () => {
  const parts = partsOf({ gone: 1, cut: 1 });
  delete content.gone;
  content.cut = bytes([1]);
  const outcomes = Promise.allSettled([parts.load(["@gone"], at(1)), parts.load(["@cut"], at(1))]);
  void parts.load(["@left"], () => undefined);
  await settled();
  expect(addresses).toHaveLength(2);
  for (const open of gates) open();
  const reasons = (await outcomes).map((result) => (result.status === "rejected" ? String(result.reason) : "there"));
  expect(reasons.sort()).toEqual(["Error: 404 gone", "Error: it has 4 of 24 bytes"]);
});

test("lists without places come with the one of their shape that has them", async () => {
  const parts = partsOf({ corners: 5, one: 1, two: 1, three: 1, four: 1, five: 1 });
  parts.show(
    scene({
      parts: {
        ...Object.fromEntries(
          ["one", "two", "three", "four", "five"].map((name) => [name, { length: 24, bounds: [-1, -1, -1, 1, 1, 1] }]),
        ),
        corners: { length: 24, bounds: [-5, -5, -5, 5, 5, 5] },
        colors: { length: 24 },
      },
    }),
  );
  for (const name of ["one", "two", "three", "four", "five"]) void parts.load([`@${name}`], at(50));
  void parts.load(["@corners", "@colors"], at(20));
  await settled();
  expect(addresses.slice(0, 2).sort()).toEqual(["api/parts/colors", "api/parts/corners"]);
});

test("a server that is busy is asked again, and one that has changed is asked with its token", async () => {
  vi.useFakeTimers();
  const parts = partsOf({ a: 1 });
  failing.push(503);
  const waiting = parts.load(["@a"], at(1));
  await vi.advanceTimersByTimeAsync(0);
  gates[0]?.();
  await vi.advanceTimersByTimeAsync(5000);
  expect(addresses).toHaveLength(2);
  // While that is on its way, the page connects again.
  parts.show(scene({ parts: { a: { length: 24, bounds: [-1, -1, -1, 1, 1, 1] } } }), "0123");
  await vi.advanceTimersByTimeAsync(0);
  expect([addresses.length, sent[2]]).toEqual([3, { Authorization: "Bearer 0123" }]);
  gates[2]?.();
  await waiting;
  expect(parts.has(["@a"])).toBe(true);
});

test("the next scene has what it shares with the last one", async () => {
  const parts = partsOf({ kept: 1, left: 1 });
  const loads = Promise.all([parts.load(["@kept"], at(1)), parts.load(["@left"], at(1))]);
  await settled();
  for (const open of gates) open();
  await loads;
  const shape = { is: "triangles" as const, corners: "@kept", colors: "", on_picture: "" };
  parts.show(scene({ fixed: [drawing({ shape })], parts: { kept: { length: 24 } } }));
  expect([parts.has(["@kept"]), parts.has(["@left"])]).toEqual([true, false]);
});

test("a block has its outline until its triangles have come, which cannot be told from those of a document", async () => {
  const corners = [0, 0, 0, 1, 0, 0, 0, 1, 0];
  content.late = bytes(corners);
  const known: Record<string, PartView> = { late: { length: 36, bounds: [0, 0, 0, 1, 1, 0] } };
  const drawn = (text: string) => {
    const shape = { is: "triangles" as const, corners: text, colors: "", on_picture: "" };
    const view = scene({ blocks: [block({ drawings: [drawing({ shape })] })], parts: known });
    const [parent, parts] = [new Group(), new Parts()];
    parts.show(view);
    new Movers(
      view,
      layoutOf(view),
      new Drawer(
        parent,
        (path) => path,
        () => undefined,
        false,
        parts,
      ),
    );
    return () =>
      parent.children.flatMap((child) =>
        child instanceof InstancedMesh && child.instanceMatrix.array.some((value, i) => i < 16 * child.count && value)
          ? [[...child.geometry.getAttribute("position").array].length]
          : [],
      );
  };
  const [atOnce, late] = [drawn(base64(corners)), drawn("@late")];
  // A prism of 12 triangles.
  expect([atOnce(), late()]).toEqual([[9], [108]]);
  await settled();
  gates[0]?.();
  await vi.waitFor(() => expect(late()).toEqual([9]));
});
