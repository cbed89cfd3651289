// The content of mesh files as drawn by the page.
import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  FrontSide,
  Group,
  Mesh,
  MeshBasicMaterial,
  type Side,
  Texture,
} from "three";
import { afterEach, expect, test, vi } from "vitest";
import { contentOf, freeMesh, MeshLibrary } from "./meshes";

afterEach(() => vi.unstubAllGlobals());

/** Answers requests from a table, and records their addresses. */
function serve(files: Record<string, string>): string[] {
  const addresses: string[] = [];
  vi.stubGlobal("fetch", async (address: string) => {
    addresses.push(address);
    const text = files[address];
    return text === undefined ? new Response("", { status: 404, statusText: "Not Found" }) : new Response(text);
  });
  return addresses;
}

const url = (path: string) => `${path}?token=t`;
const CONE =
  "solid x\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid";

test("a file is asked for once, however many vehicles show it", async () => {
  const addresses = serve({ "api/files/3/cone.stl?token=t": CONE });
  const library = new MeshLibrary(url);
  const [a, b] = await Promise.all([
    library.load("api/files/3/cone.stl", "stl"),
    library.load("api/files/3/cone.stl", "stl"),
  ]);
  expect(a).toBe(b);
  expect(addresses).toHaveLength(1);
  const normal = a.pieces[0]?.geometry.getAttribute("normal");
  // The file has none: the normals of the faces are used.
  expect([normal?.getX(0), normal?.getY(0), normal?.getZ(0)]).toEqual([0, 0, 1]);
});

test("materials beside a mesh are asked for in one segment, also above its folder", async () => {
  const obj = "mtllib ../materials/car.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3";
  const beside = "api/files/1/..%2Fmaterials%2Fcar.mtl?token=t";
  const addresses = serve({ "api/files/1/car.obj?token=t": obj, [beside]: "newmtl red\nKd 1 0 0" });
  const { pieces } = await new MeshLibrary(url).load("api/files/1/car.obj", "obj");
  expect(addresses).toContain(beside);
  expect(pieces[0]?.material).toMatchObject({ color: { r: 1, g: 0, b: 0 } });
});

test("a mesh without its materials is there all the same; without the file it is not", async () => {
  serve({ "a/car.obj?token=t": "mtllib no.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3" });
  const library = new MeshLibrary(url);
  expect((await library.load("a/car.obj", "obj")).pieces).toHaveLength(1);
  await expect(library.load("a/other.stl", "stl")).rejects.toThrow("404");
  await expect(library.load("a/car.obj2", "fbx")).rejects.toThrow("accepted: dae, stl");
});

test("surfaces of several materials come apart, each with its own corners", () => {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(18), 3));
  geometry.addGroup(0, 3, 0);
  geometry.addGroup(3, 3, 1);
  const mesh = new Mesh(geometry, [new MeshBasicMaterial({ name: "a" }), new MeshBasicMaterial({ name: "b" })]);
  mesh.position.set(1, 2, 3);
  const root = new Group().add(mesh);
  const { pieces } = contentOf({ root, clips: [] }, "dae");
  expect(pieces.map(({ material }) => material.name)).toEqual(["a", "b"]);
  expect(pieces.map(({ geometry: part }) => part.drawRange.start)).toEqual([0, 3]);
  expect(pieces[1]?.matrix.elements.slice(12, 15)).toEqual([1, 2, 3]);
});

test("a surface of a glTF file has one side unless its material has two; other formats cannot tell", () => {
  const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(9), 3));
  const surface = (side: Side) => new Mesh(geometry, new MeshBasicMaterial({ side, transparent: true }));
  const culls = (format: string) => {
    const root = new Group().add(surface(FrontSide), surface(DoubleSide));
    return contentOf({ root, clips: [] }, format).pieces.map(({ cull }) => cull);
  };
  expect(culls("glb")).toEqual(["back", "none"]);
  expect(culls("stl")).toEqual(["none", "none"]);
});

test("what a file takes on the graphics card is given back: corners, materials and pictures", () => {
  const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(9), 3));
  const map = new Texture();
  const material = new MeshBasicMaterial({ map });
  const content = contentOf({ root: new Group().add(new Mesh(geometry, material)), clips: [] }, "obj");
  const freed = new Set<string>();
  geometry.addEventListener("dispose", () => freed.add("corners"));
  material.addEventListener("dispose", () => freed.add("material"));
  map.addEventListener("dispose", () => freed.add("picture"));
  freeMesh(content);
  expect([...freed].sort()).toEqual(["corners", "material", "picture"]);
});
