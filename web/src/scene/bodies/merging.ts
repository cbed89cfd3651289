// Surfaces of a mesh file that differ only in their plain colours become one, with colours at its corners: one draw call instead of many.
import { BufferAttribute, BufferGeometry, type Material, MeshLambertMaterial } from "three";
import { plainColor } from "./materials";
import type { Piece } from "./meshes";

/** The pieces with all plain ones, if there are several, as one that comes last. */
export function merged(pieces: readonly Piece[]): Piece[] {
  const plain = pieces.filter(isPlain);
  const [first] = plain;
  if (!first || plain.length < 2) return [...pieces];
  const geometry = joined(plain);
  // White, so that the colours of corners are seen as they are.
  const material = new MeshLambertMaterial({ vertexColors: true });
  const cull = plain.every((piece) => piece.cull === "back") ? ("back" as const) : ("none" as const);
  const whole = { geometry, material, role: undefined, cull, matrix: first.matrix.clone().identity() };
  return [...pieces.filter((piece) => !isPlain(piece)), whole];
}

/** Whether nothing but a colour tells its look, and it is not mirrored, which would turn its faces around. */
function isPlain({ geometry, material, role, matrix }: Piece): boolean {
  const look = material as Material & Partial<MeshLambertMaterial>;
  const isOpaque = !look.transparent && look.opacity === 1 && look.alphaTest === 0;
  const isWhole = geometry.drawRange.count === Number.POSITIVE_INFINITY && geometry.getAttribute("normal");
  const isDark = !look.emissive || look.emissive.getHex() === 0;
  return !role && isOpaque && Boolean(isWhole) && isDark && !look.map && !look.vertexColors && matrix.determinant() > 0;
}

/** One geometry of all of them, in the frame of the file. */
function joined(pieces: readonly Piece[]): BufferGeometry {
  const parts = pieces.map(({ geometry, matrix, material }) => {
    const part = new BufferGeometry();
    for (const name of ["position", "normal"]) part.setAttribute(name, floats(geometry, name));
    part.applyMatrix4(matrix);
    return { part, index: geometry.index, color: plainColor(material) };
  });
  const count = parts.reduce((sum, { part }) => sum + part.getAttribute("position").count, 0);
  const [positions, normals, colors] = [0, 1, 2].map(() => new Float32Array(3 * count)) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  const corners: number[] = [];
  let from = 0;
  for (const { part, index, color } of parts) {
    const size = part.getAttribute("position").count;
    positions.set(part.getAttribute("position").array, 3 * from);
    normals.set(part.getAttribute("normal").array, 3 * from);
    for (let i = from; i < from + size; i += 1) color.toArray(colors, 3 * i);
    for (let i = 0; i < (index?.count ?? size); i += 1) corners.push(from + (index?.getX(i) ?? i));
    from += size;
  }
  const whole = new BufferGeometry();
  whole.setAttribute("position", new BufferAttribute(positions, 3));
  whole.setAttribute("normal", new BufferAttribute(normals, 3));
  whole.setAttribute("color", new BufferAttribute(colors, 3));
  whole.setIndex(corners);
  return whole;
}

/** An attribute of three numbers a corner, as such: files may interleave or shorten them. */
function floats(geometry: BufferGeometry, name: string): BufferAttribute {
  const from = geometry.getAttribute(name);
  const values = new Float32Array(3 * from.count);
  for (let i = 0; i < from.count; i += 1) values.set([from.getX(i), from.getY(i), from.getZ(i)], 3 * i);
  return new BufferAttribute(values, 3);
}
