// Which part of a picture software draws again, and what it leaves out there.
import { BoxGeometry, InstancedMesh, Matrix4, Mesh, MeshBasicMaterial, PerspectiveCamera, Points, Scene } from "three";
import { expect, test } from "vitest";
import { Crop } from "../camera/crop";
import type { Rect } from "../camera/lens";
import { LineSet } from "../overlays/lines";
import { Changes } from "./changes";

/** From 10 m above: 20 m are 800 pixels. */
const [WIDTH, HEIGHT] = [800, 800];

function setting() {
  const scene = new Scene();
  const camera = new PerspectiveCamera(90, 1, 0.1, 100);
  camera.position.set(0, 0, 10);
  const cube = new BoxGeometry(1, 1, 0.001);
  const body = new Mesh(cube, new MeshBasicMaterial());
  const batch = new InstancedMesh(cube, new MeshBasicMaterial(), 3);
  const put = (i: number, x: number, y: number) => batch.setMatrixAt(i, new Matrix4().setPosition(x, y, 0));
  for (const [i, x] of [-8, 0, 8].entries()) put(i, x, 8);
  const lines = new LineSet(100, 2);
  lines.set(0, 5, -5, 0, 6, -5, 0);
  lines.count = 1;
  scene.add(body, batch, lines.object);
  const changes = new Changes();
  const note = () => changes.note(scene, camera, WIDTH, HEIGHT);
  const since = () => changes.since(scene, camera, WIDTH, HEIGHT);
  scene.updateMatrixWorld();
  note();
  note();
  return { scene, camera, cube, body, batch, put, lines, changes, note, since };
}

/** Whether a part of the picture has a point of the ground [m] in it. */
function has({ x, y, width, height }: Rect, [right, up]: [number, number]): boolean {
  const [px, py] = [400 + 40 * right, 400 - 40 * up];
  return px >= x && px <= x + width && py >= y && py <= y + height;
}

test("where nothing has changed, nothing is drawn, nor for points, which come whenever they come", () => {
  const { scene, note, since } = setting();
  expect(since()).toMatchObject({ width: 0, height: 0 });
  const points = new Points(new BoxGeometry(20, 20, 1));
  scene.add(points);
  note();
  points.geometry.translate(1, 0, 0);
  expect(since()).toMatchObject({ width: 0, height: 0 });
});

test("a body is drawn where it was and where it is, and what is elsewhere stays", () => {
  const { body, batch, put, since } = setting();
  body.position.set(2, -1, 0);
  const part = since() as Rect;
  expect([has(part, [-0.5, 0.5]), has(part, [2.5, -1.5]), has(part, [5, -5]), has(part, [0, 8])]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  body.position.set(0, 0, 0);
  put(2, 8, 6);
  const other = since() as Rect;
  expect([has(other, [8.5, 8.5]), has(other, [7.5, 5.5]), has(other, [0, 8]), has(other, [0, 0])]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(batch.count).toBe(3);
});

test("an instance of another colour is drawn again", () => {
  const { batch, note, since } = setting();
  batch.setColorAt(1, new MeshBasicMaterial({ color: 0x112233 }).color);
  expect(since()).toBeUndefined();
  note();
  batch.setColorAt(0, new MeshBasicMaterial({ color: 0xff0000 }).color);
  const part = since() as Rect;
  expect([has(part, [-8, 8]), has(part, [0, 8])]).toEqual([true, false]);
});

test("a path is drawn where it got longer, and stays there until the next whole picture", () => {
  const { lines, note, since } = setting();
  lines.set(1, 6, -5, 0, 7, -5, 0);
  lines.count = 2;
  expect(has(since() as Rect, [7, -5])).toBe(true);
  expect(has(since() as Rect, [7, -5])).toBe(true);
  note();
  // Equal numbers change nothing.
  lines.set(1, 6, -5, 0, 7, -5, 0);
  expect(since()).toMatchObject({ width: 0 });
});

test("what cannot be told apart takes a whole picture", () => {
  type Setting = ReturnType<typeof setting>;
  const changed: ((set: Setting) => unknown)[] = [
    ({ camera }) => camera.position.setX(1),
    ({ scene, cube }) => scene.add(new Mesh(cube, new MeshBasicMaterial())),
    ({ body }) => body.removeFromParent(),
    ({ cube }) => cube.translate(1, 0, 0),
    // Behind the camera; and nearly all of the picture.
    ({ body }) => body.position.setZ(20),
    ({ body }) => body.scale.set(15, 15, 1),
    ({ changes }) => changes.forget(),
  ];
  for (const change of changed) {
    const set = setting();
    expect(set.since()).toBeDefined();
    change(set);
    expect(set.since()).toBeUndefined();
  }
});

test("parts that grow and grow come to an end", () => {
  const { body, since } = setting();
  body.position.set(8, 0, 0);
  let count = 0;
  while (since() && count < 1000) count += 1;
  // 8 m by 1 m of the picture, of which the body needs 1 m by 1 m.
  expect(count).toBeGreaterThan(5);
  expect(count).toBeLessThan(50);
});

test("instances elsewhere are left out of a part, and are there again afterwards", () => {
  const { scene, camera, batch, body } = setting();
  const before = [...batch.instanceMatrix.array];
  const part = { x: 680, y: 40, width: 80, height: 80 };
  new Crop().draw(scene, camera, part, WIDTH, HEIGHT, () => {
    expect(batch.count).toBe(1);
    expect([...batch.instanceMatrix.array].slice(0, 16)).toEqual(before.slice(32));
    expect(body.layers.mask).toBe(0);
  });
  expect([...batch.instanceMatrix.array]).toEqual(before);
  expect([batch.count, body.layers.mask]).toEqual([3, 1]);
});
