// Time windows as CSV.
import { expect, test } from "vitest";
import type { Layout, VehicleView } from "../../protocol/types";
import { History } from "../../store/history";
import { csv } from "./csv";

const LAYOUT: Layout = {
  vehicle: [
    { name: "x", unit: "m", resolution: 1e-3 },
    { name: "gear", unit: "-", resolution: 1 },
  ],
  wheel: [{ name: "load", unit: "N", resolution: 0.1 }],
  pose: [],
  actor: [],
  seen: [],
};

test("every number in SI, with the digits that it came with", () => {
  const rows = new History(3, 4);
  rows.push(0.1, [1.2, 1, 1234.5], 0);
  rows.push(0.2, [-0.0004, -1, Number.NaN], 0);
  const vehicle = { wheels: [{ name: 'left,"front"' }] } as VehicleView;
  expect(csv(rows, LAYOUT, vehicle)).toBe(
    'time [s],x [m],gear,"left,""front"".load [N]"\n0.1,1.2,1,1234.5\n0.2,0,-1,\n',
  );
});

test("what a recording does not tell is empty", () => {
  const rows = new History(3, 4);
  rows.push(0.1, [1.2, 0, 0], 0);
  const vehicle = { wheels: [{ name: "left" }], not_recorded: ["gear", "load"] } as unknown as VehicleView;
  expect(csv(rows, LAYOUT, vehicle)).toBe("time [s],x [m],gear,left.load [N]\n0.1,1.2,,\n");
});
