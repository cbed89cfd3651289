// Rings of rows: bounded, in order, and restarted when time goes back.
import { expect, test } from "vitest";
import { History } from "./history";

function filled(count: number, capacity: number): History {
  const history = new History(2, capacity);
  for (let i = 0; i < count; i += 1) history.push(i * 0.5, [99, i, -i], 1);
  return history;
}

test("the oldest rows go first", () => {
  const history = filled(7, 4);
  expect(history.length).toBe(4);
  expect([0, 1, 2, 3].map((row) => history.time(row))).toEqual([1.5, 2, 2.5, 3]);
  expect([0, 3].map((row) => [history.value(row, 0), history.value(row, 1)])).toEqual([
    [3, -3],
    [6, -6],
  ]);
  expect(history.end).toBe(3);
});

test("the same instant again replaces the newest row", () => {
  const history = filled(3, 4);
  history.push(1, [50, 60], 0);
  expect(history.length).toBe(3);
  expect(history.value(2, 0)).toBe(50);
  expect(history.value(1, 0)).toBe(1);
});

test("time that runs back begins anew", () => {
  const history = filled(7, 4);
  history.push(0.2, [1, 2], 0);
  expect(history.length).toBe(1);
  expect(history.time(0)).toBe(0.2);
});

test("rows are found by time across the seam of the ring", () => {
  const history = filled(7, 4);
  expect([0, 1.5, 1.6, 3, 3.1].map((time) => history.rowAt(time))).toEqual([0, 0, 1, 3, 4]);
});

test("a slice is a copy of its span", () => {
  const history = filled(7, 4);
  const slice = history.slice(2, 2.5);
  history.push(9, [0, 0], 0);
  history.push(10, [0, 0], 0);
  history.push(11, [0, 0], 0);
  expect([slice.length, slice.time(0), slice.time(1), slice.value(1, 0)]).toEqual([2, 2, 2.5, 5]);
  expect(history.slice(100, 200).length).toBe(0);
});

test("a step is a leap when it is long, and much longer than the one before", () => {
  const history = new History(1, 8);
  expect(history.isLeap(50)).toBe(false);
  history.push(0, [0], 0);
  expect([history.isLeap(1), history.isLeap(1.1)]).toEqual([false, true]);
  history.push(0.05, [0], 0);
  expect([history.isLeap(1), history.isLeap(1.1)]).toEqual([false, true]);
  history.push(0.35, [0], 0);
  expect([history.isLeap(3.3), history.isLeap(3.4)]).toEqual([false, true]);
});
