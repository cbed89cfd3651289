// A time window as CSV, in SI units: every number of the vehicle and its wheels.
import type { Layout, VehicleView } from "../../protocol/types";
import type { History } from "../../store/history";

/** The text of a file; columns are named as in the interface's description. @param ghost whose numbers are behind those of the vehicle */
export function csv(rows: History, layout: Layout, vehicle: VehicleView, ghost?: VehicleView): string {
  const label = (name: string, unit: string) => quoted(unit === "-" ? name : `${name} [${unit}]`);
  const head = [
    label("time", "s"),
    ...layout.vehicle.map(({ name, unit }) => label(name, unit)),
    ...vehicle.wheels.flatMap((wheel) => layout.wheel.map(({ name, unit }) => label(`${wheel.name}.${name}`, unit))),
  ];
  const channels = [...layout.vehicle, ...vehicle.wheels.flatMap(() => layout.wheel)];
  const isTold = channels.map(({ name }) => vehicle.not_recorded?.includes(name) !== true);
  if (ghost !== undefined) {
    head.push(...layout.vehicle.map(({ name, unit }) => label(`${ghost.name}.${name}`, unit)));
    head.push(label(`${ghost.name}.distance`, "m"));
    channels.push(...layout.vehicle, { name: "distance", unit: "m", resolution: 1e-3 });
    isTold.push(...layout.vehicle.map(({ name }) => ghost.not_recorded?.includes(name) !== true), true);
  }
  const lines = [head.join(",")];
  for (let row = 0; row < rows.length; row += 1) {
    const cells = [plain(rows.time(row), 1e-6)];
    for (let column = 0; column < rows.width; column += 1)
      cells.push(isTold[column] ? plain(rows.value(row, column), channels[column]?.resolution ?? 1e-6) : "");
    lines.push(cells.join(","));
  }
  return `${lines.join("\n")}\n`;
}

/** As many digits as the number was sent with. */
function plain(value: number, resolution: number): string {
  if (!Number.isFinite(value)) return "";
  return String(Number(value.toFixed(Math.max(0, Math.ceil(-Math.log10(resolution))))));
}

function quoted(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
