// Speeds of time to choose from.

import type { Page } from "../panels/page";
import { h } from "../parts/dom";
import { pace } from "./format";

/** Simulated seconds per second; null: as fast as possible. */
const RATES: readonly (number | null)[] = [0.1, 0.2, 0.5, 1, 2, 5, 10, null];

/** The rates to choose from; a recording cannot play as fast as possible. */
export function ratesOf(isReplay: boolean): readonly (number | null)[] {
  return isReplay ? RATES.filter((rate) => rate !== null) : RATES;
}

/** The next higher (1) or lower (-1) rate; the given one need not be among `rates`. */
export function nextRate(rates: readonly (number | null)[], rate: number | null, direction: 1 | -1): number | null {
  const size = (value: number | null) => value ?? Number.POSITIVE_INFINITY;
  const candidates = direction > 0 ? rates : [...rates].reverse();
  const next = candidates.find((value) => (size(value) - size(rate)) * direction > 1e-9);
  return next === undefined ? rate : next;
}

/** A select box with `rates` that follows the actual speed. */
export function rateBox(page: Page, rates: readonly (number | null)[]): HTMLSelectElement {
  const option = (rate: number | null) => h("option", { value: String(rate) }, pace(rate));
  const box = h(
    "select",
    {
      class: "rate",
      "aria-label": "Speed of time",
      title: "Speed of time  ·  − +",
      onchange: () => {
        page.tell({ do: "set_rate", rate: box.value === "null" ? null : Number(box.value) });
        box.blur();
      },
    },
    ...rates.map(option),
  );
  page.store.on("status", ({ rate }) => {
    const value = String(rate);
    if (box.value === value) return;
    // A speed set by the world file or by another viewer.
    box.querySelector(".other")?.remove();
    if (!rates.includes(rate)) {
      const other = option(rate);
      other.className = "other";
      box.append(other);
    }
    box.value = value;
  });
  box.value = "1";
  return box;
}
