// Surfaces of one file joined to one.
import {
  BufferAttribute,
  BufferGeometry,
  type Material,
  Matrix4,
  MeshLambertMaterial,
  MeshStandardMaterial,
} from "three";
import { expect, test } from "vitest";
import { merged } from "./merging";
import type { Piece } from "./meshes";

function piece(material: Material, changes: Partial<Piece> = {}): Piece {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]), 3));
  // Bytes, as files may have them.
  geometry.setAttribute("normal", new BufferAttribute(new Int8Array([0, 0, 127, 0, 0, 127, 0, 0, 127]), 3, true));
  geometry.setIndex([2, 0, 1]);
  return { geometry, material, role: undefined, cull: "none", matrix: new Matrix4(), ...changes };
}

test("plain surfaces become one with their colours at its corners, where they were", () => {
  const red = new MeshLambertMaterial({ color: 0xff0000 });
  const grey = new MeshStandardMaterial({ color: 0x373737 });
  const [whole, ...further] = merged([piece(red), piece(grey, { matrix: new Matrix4().makeTranslation(0, 0, 5) })]);
  expect(further).toEqual([]);
  const of = (name: string) => [...(whole?.geometry.getAttribute(name).array ?? [])];
  expect([...(whole?.geometry.index?.array ?? [])]).toEqual([2, 0, 1, 5, 3, 4]);
  expect(of("position").slice(9)).toEqual([0, 0, 5, 1, 0, 5, 0, 1, 5]);
  expect(of("normal").slice(9, 12)).toEqual([0, 0, 1]);
  expect(of("color").slice(0, 3)).toEqual([1, 0, 0]);
  // Linear light of 0x37 is 0x80 as sRGB.
  expect(of("color")[9]).toBeCloseTo(0x80 / 255, 2);
  expect(whole?.material).toMatchObject({ vertexColors: true });
});

test("what is more than a colour stays apart", () => {
  const plain = () => piece(new MeshLambertMaterial());
  const apart = [
    piece(new MeshLambertMaterial({ transparent: true, opacity: 0.5 })),
    piece(new MeshLambertMaterial({ vertexColors: true })),
    piece(new MeshLambertMaterial({ emissive: 0x00ff00 })),
    piece(new MeshLambertMaterial(), { role: "paint" }),
    piece(new MeshLambertMaterial(), { matrix: new Matrix4().makeScale(1, -1, 1) }),
  ];
  const pieces = merged([plain(), ...apart, plain()]);
  expect(pieces.slice(0, 5)).toEqual(apart);
  expect(pieces).toHaveLength(6);
  expect(merged([plain(), ...apart])).toHaveLength(6);
});
