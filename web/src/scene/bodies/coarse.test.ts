// Shapes with fewer corners.
import {
  BufferGeometry,
  CylinderGeometry,
  Float32BufferAttribute,
  PlaneGeometry,
  SphereGeometry,
  Triangle,
  Vector3,
} from "three";
import { expect, test } from "vitest";
import { coarsened, isCoarsenable } from "./coarse";

/** Without coordinates on pictures, which stay as they are. */
function plain(geometry: BufferGeometry): BufferGeometry {
  return geometry.deleteAttribute("uv");
}

function trianglesOf(geometry: BufferGeometry): Triangle[] {
  const position = geometry.getAttribute("position");
  const corner = (i: number) => new Vector3().fromBufferAttribute(position, geometry.index?.getX(i) ?? i);
  const count = (geometry.index?.count ?? position.count) / 3;
  return Array.from({ length: count }, (_, i) => new Triangle(corner(3 * i), corner(3 * i + 1), corner(3 * i + 2)));
}

const areaOf = (geometry: BufferGeometry) =>
  trianglesOf(geometry).reduce((sum, triangle) => sum + triangle.getArea(), 0);

/** How far the corners of one shape are from the surface of another, at most. */
function farthest(from: BufferGeometry, to: BufferGeometry): number {
  const surface = trianglesOf(to);
  const closest = new Vector3();
  const distance = (point: Vector3) =>
    Math.min(...surface.map((triangle) => triangle.closestPointToPoint(point, closest).distanceTo(point)));
  return Math.max(...trianglesOf(from).flatMap(({ a, b, c }) => [a, b, c].map(distance)));
}

/** Rows of squares along x; those beyond the middle are red, the others blue. */
function twoColored(count: number): BufferGeometry {
  const geometry = plain(new PlaneGeometry(2, 1, count, 4).toNonIndexed());
  const position = geometry.getAttribute("position");
  const colors: number[] = [];
  for (let i = 0; i < position.count; i += 3) {
    const middle = (position.getX(i) + position.getX(i + 1) + position.getX(i + 2)) / 3;
    for (let corner = 0; corner < 3; corner += 1) colors.push(...(middle > 0 ? [1, 0, 0] : [0, 0, 1]));
  }
  return geometry.setAttribute("color", new Float32BufferAttribute(colors, 3));
}

test("a plane needs two triangles, however many it has", () => {
  const plane = plain(new PlaneGeometry(2, 1, 12, 7));
  const coarse = coarsened(plane, 0.001);
  expect(trianglesOf(coarse)).toHaveLength(2);
  expect(areaOf(coarse)).toBeCloseTo(2, 6);
  expect([...coarse.getAttribute("normal").array.slice(0, 3)]).toEqual([0, 0, 1]);
});

test.each([
  ["sphere", plain(new SphereGeometry(1, 32, 16)), 0.03],
  ["tube", plain(new CylinderGeometry(1, 1, 2, 48, 6, true)), 0.02],
  ["drum", plain(new CylinderGeometry(1, 1, 0.5, 40)), 0.05],
])("a %s loses corners, none of which was much farther from what is left than it may", (_, shape, error) => {
  const coarse = coarsened(shape, error);
  expect(trianglesOf(coarse).length).toBeLessThan(0.6 * trianglesOf(shape).length);
  expect(farthest(shape, coarse)).toBeLessThan(1.1 * error);
  // Corners do not leave the shape.
  expect(farthest(coarse, shape)).toBeLessThan(1e-6);
  // Faces look where they looked before.
  const normals = coarse.getAttribute("normal");
  const outward = trianglesOf(coarse).filter((triangle, i) => {
    const normal = new Vector3().fromBufferAttribute(normals, coarse.index?.getX(3 * i) ?? 0);
    return triangle.getNormal(new Vector3()).dot(normal) > 0;
  });
  expect(outward).toHaveLength(trianglesOf(coarse).length);
});

test("colours end where they ended", () => {
  const coarse = coarsened(twoColored(10), 0.05);
  const colors = coarse.getAttribute("color");
  const area = (axis: "x" | "z") =>
    trianglesOf(coarse).reduce((sum, triangle, i) => {
      const corner = coarse.index?.getX(3 * i) ?? 0;
      return sum + ((axis === "x" ? colors.getX(corner) : colors.getZ(corner)) > 0.5 ? triangle.getArea() : 0);
    }, 0);
  expect(trianglesOf(coarse).length).toBeLessThan(12);
  expect([area("x"), area("z")].map((value) => Number(value.toFixed(6)))).toEqual([1, 1]);
});

test("parts too small to be seen go, but never all", () => {
  const large = plain(new SphereGeometry(1, 8, 6)).toNonIndexed();
  const small = plain(new SphereGeometry(0.01, 8, 6))
    .toNonIndexed()
    .translate(3, 0, 0);
  const geometry = new BufferGeometry();
  for (const name of ["position", "normal"]) {
    const values = [large, small].flatMap((part) => [...part.getAttribute(name).array]);
    geometry.setAttribute(name, new Float32BufferAttribute(values, 3));
  }
  const coarse = coarsened(geometry, 0.03);
  coarse.computeBoundingBox();
  expect(coarse.boundingBox?.max.x).toBeLessThan(1.1);
  expect(coarsened(small, 10)).toBe(small);
});

test("what has a picture or several materials stays as it is", () => {
  expect(isCoarsenable(new SphereGeometry(1, 8, 6))).toBe(false);
  expect(isCoarsenable(plain(new SphereGeometry(1, 8, 6)))).toBe(true);
  expect(isCoarsenable(plain(new CylinderGeometry(1, 1, 1, 8)))).toBe(false);
});
