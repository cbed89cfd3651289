// Motion between two states.
import { expect, test } from "vitest";
import { Blend } from "./blend";

function state(time: number, ...values: number[]) {
  return { time, revision: 1, values: Float64Array.from(values) };
}

/** A blend that has settled on states 100 ms apart. */
function blendOf(before: number[], after: number[], span = 0.1): Blend {
  const blend = new Blend();
  for (let i = 0; i < 40; i += 1) blend.push(state(i * span, ...before), 1000 + 100 * i);
  blend.push(state(40 * span, ...after), 5000);
  return blend;
}

test("values go evenly from one state to the next, and stay there", () => {
  const blend = blendOf([0, 2], [1, 2]);
  expect(blend.advance(5050)).toBe(true);
  expect(blend.value(0)).toBeCloseTo(0.5, 2);
  expect(blend.value(1)).toBe(2);
  expect(blend.advance(5200)).toBe(false);
  expect(blend.value(0)).toBe(1);
});

test("angles go the short way around", () => {
  const blend = blendOf([3], [-3]);
  blend.advance(5050);
  expect(Math.abs(blend.angle(0))).toBeCloseTo(Math.PI, 2);
});

test("a wheel that goes around more than once between two states turns on forward", () => {
  // 100 rad/s for 0.1 s: ten radians, that is one turn and 3.717 rad.
  const blend = blendOf([0, 100], [10 % (2 * Math.PI), 100]);
  blend.advance(5050);
  expect(blend.spin(0, 1)).toBeCloseTo(5, 1);
});

test("what was put elsewhere does not fly there", () => {
  const blend = blendOf([0, 0, 0, 0, 0, 0], [30, 0, 0, 1, 0, 0]);
  blend.advance(5010);
  const pose = new Float64Array(6);
  blend.pose(0, 3, pose);
  expect([...pose]).toEqual([30, 0, 0, 1, 0, 0]);
  expect(blend.jumped(0, 3)).toBe(true);
  // At 300 m/s it can have moved there.
  expect(blend.jumped(0, 300)).toBe(false);
});

test("what is put elsewhere while time stands is there at once, and the same again is nothing new", () => {
  const blend = blendOf([0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0]);
  const next = state(4, 9, 0, 0, 0, 0, 0);
  expect(blend.isKnown(next)).toBe(false);
  expect(blend.push(next, 5100)).toBe("on");
  expect([blend.value(0), blend.jumped(0, 1), blend.isKnown(state(4, 9, 0, 0, 0, 0, 0))]).toEqual([9, true, true]);
});

test("what a seek leads to is not gone to, but fast simulations go on", () => {
  const blend = blendOf([0], [1]);
  expect(blend.push(state(14, 9), 5100)).toBe("ahead");
  expect([blend.advance(5101), blend.value(0)]).toEqual([false, 9]);
  expect(blend.push(state(14.1, 10), 5200)).toBe("on");
  // A user needs some time between two seeks.
  expect([blend.push(state(24.1, 9), 6000), blend.push(state(34.1, 9), 7000)]).toEqual(["ahead", "ahead"]);
  const fast = blendOf([0], [1], 3);
  expect(fast.push(state(40 * 3 + 10, 5), 5100)).toBe("on");
  expect(fast.advance(5110)).toBe(true);
});

test("another scene may go on in time, from no state that was before", () => {
  const blend = blendOf([0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0]);
  blend.clear();
  expect(blend.isFilled).toBe(false);
  expect(blend.push(state(4.1, 70, 0, 0, 0, 0, 0, 8), 5100)).toBe("on");
  expect([blend.advance(5101), blend.value(0), blend.jumped(0, 1)]).toEqual([false, 70, false]);
  blend.clear();
  expect(blend.push(state(0, 1), 5200)).toBe("back");
});

test("time that goes back or jumps shows the new state at once", () => {
  const blend = blendOf([0], [1]);
  expect(blend.push(state(0, 7), 5100)).toBe("back");
  expect(blend.advance(5101)).toBe(false);
  expect(blend.value(0)).toBe(7);
});

test("where two states are the same, nothing moves", () => {
  const blend = blendOf([1, 2], [1, 2]);
  expect(blend.isStill).toBe(true);
  expect(blend.advance(5050)).toBe(false);
  expect(blendOf([1, 2], [1, 2.001]).isStill).toBe(false);
});
