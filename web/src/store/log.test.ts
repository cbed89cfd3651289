// The log.
import { expect, test } from "vitest";
import { Log } from "./log";

test("what happens again and again is counted, and warnings are news until they are seen", () => {
  const log = new Log();
  let changes = 0;
  log.onChange = () => {
    changes += 1;
  };
  log.add("info", "paused", 1);
  log.add("warning", "car: collision", 2);
  log.add("warning", "car: collision", 3);
  expect(log.entries).toEqual([
    { level: "info", text: "paused", time: 1, count: 1 },
    { level: "warning", text: "car: collision", time: 3, count: 2 },
  ]);
  expect([log.unseen, changes]).toEqual([2, 3]);
  log.see();
  expect(log.unseen).toBe(0);
});

test("it does not grow without bound", () => {
  const log = new Log();
  for (let i = 0; i < 1000; i += 1) log.add("error", `${i} ${"x".repeat(5000)}`, i);
  expect(log.entries.length).toBe(400);
  expect(log.entries.at(-1)?.time).toBe(999);
  expect(log.entries.at(-1)?.text.length).toBeLessThan(2100);
});
