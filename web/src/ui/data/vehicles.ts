// The list of vehicles. Only rows in sight exist, so that a thousand vehicles cost as much as twenty.
import type { VehicleView } from "../../protocol/types";
import { vehicleColor } from "../../scene/bodies/palette";
import { ghostColor } from "../../scene/overlays/ghosts";
import type { Page } from "../panels/page";
import { byId, h, say } from "../parts/dom";
import { icon } from "../parts/icons";
import { isDark } from "../theme";
import { fixed } from "./format";
import { standingOf } from "./ghost";

const ROW = 32;
/** Number of vehicles from which a filter field is shown. */
const MANY = 8;

/** Indices of the vehicles whose name or class contains the typed text. */
export function matching(vehicles: VehicleView[], typed: string): number[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const indices: number[] = [];
  vehicles.forEach((vehicle, index) => {
    const text = `${vehicle.name} ${vehicle.class}`.toLowerCase();
    if (words.every((word) => text.includes(word))) indices.push(index);
  });
  return indices;
}

interface Row {
  element: HTMLElement;
  swatch: HTMLElement;
  name: HTMLElement;
  speed: HTMLElement;
}

/** Fills the panel. */
export function vehicleList(page: Page): void {
  const { store } = page;
  let indices: number[] = [];
  const rows: Row[] = [];

  const count = h("span", { class: "count" }, "");
  const filter = h("input", {
    type: "search",
    id: "filter",
    placeholder: "Filter  ·  /",
    "aria-label": "Filter vehicles",
    "aria-keyshortcuts": "/",
    hidden: true,
    oninput: () => refilter(),
    onkeydown: (event: KeyboardEvent) => {
      if (event.key === "Escape") {
        filter.value = "";
        refilter();
        filter.blur();
      }
      if (event.key === "Enter" && indices[0] !== undefined) {
        store.select(indices[0]);
        filter.blur();
      }
      if (event.key === "ArrowDown") list.focus();
    },
  });
  const space = h("div", { class: "space" });
  const list = h(
    "div",
    {
      class: "list",
      role: "listbox",
      tabindex: 0,
      "aria-labelledby": "vehicles-title",
      onscroll: () => draw(),
      onkeydown: (event: KeyboardEvent) => walk(event),
    },
    space,
  );
  const empty = h("p", { class: "empty" });
  const header = h(
    "button",
    {
      type: "button",
      class: "fold",
      "aria-expanded": "true",
      onclick: () => {
        const folded = byId("vehicles").classList.toggle("folded");
        header.setAttribute("aria-expanded", String(!folded));
      },
    },
    h("h2", { id: "vehicles-title" }, "Vehicles"),
    count,
    icon("down"),
  );
  byId("vehicles").append(header, filter, list, empty);

  function refilter(): void {
    const vehicles = store.world?.vehicles ?? [];
    indices = matching(vehicles, filter.value);
    filter.hidden = vehicles.length <= MANY && filter.value === "";
    say(
      count,
      indices.length === vehicles.length ? String(vehicles.length) : `${indices.length} of ${vehicles.length}`,
    );
    space.style.height = `${indices.length * ROW}px`;
    list.hidden = indices.length === 0;
    empty.hidden = indices.length > 0 || store.world === undefined;
    say(
      empty,
      vehicles.length === 0 ? "This world has no vehicles. They show up here as they come." : "None by this name.",
    );
    draw();
  }

  function draw(): void {
    const { world, sample, layout, selected } = store;
    if (world === undefined) return;
    const first = Math.max(0, Math.floor(list.scrollTop / ROW) - 2);
    const last = Math.min(indices.length, Math.ceil((list.scrollTop + (list.clientHeight || 400)) / ROW) + 2);
    while (rows.length < last - first) rows.push(row());
    rows.forEach((line, i) => {
      const place = first + i;
      const index = indices[place];
      const vehicle = index === undefined ? undefined : world.vehicles[index];
      line.element.hidden = place >= last || vehicle === undefined;
      if (index === undefined || vehicle === undefined || place >= last) {
        line.element.removeAttribute("id");
        return;
      }
      line.element.style.transform = `translateY(${place * ROW}px)`;
      line.element.dataset.index = String(index);
      line.element.id = `vehicle-${index}`;
      line.element.setAttribute("aria-selected", String(index === selected));
      line.element.setAttribute("aria-setsize", String(indices.length));
      line.element.setAttribute("aria-posinset", String(place + 1));
      const { ghost } = vehicle;
      line.element.classList.toggle("ghost", ghost !== undefined);
      line.element.setAttribute("aria-disabled", String(ghost !== undefined));
      line.element.title = ghost === undefined ? "" : `Ghost: ${ghost.vehicle} in ${ghost.file}`;
      line.swatch.style.backgroundColor = ghost ? ghostColor(isDark()) : vehicleColor(isDark(), index);
      const standing = ghost && sample && standingOf(ghost, sample.time);
      line.element.classList.toggle("standing", standing !== undefined);
      say(line.name, vehicle.name);
      if (sample !== undefined && layout !== undefined) {
        const value = (channel: string) => sample.values[layout.vehicleChannel(index, channel)] ?? 0;
        say(line.speed, standing ?? fixed(Math.hypot(value("vx"), value("vy")), 2));
        line.element.classList.toggle("colliding", value("colliding") > 0);
      } else say(line.speed, "–");
    });
    if (selected !== undefined && indices.includes(selected))
      list.setAttribute("aria-activedescendant", `vehicle-${selected}`);
    else list.removeAttribute("aria-activedescendant");
  }

  function row(): Row {
    const swatch = h("span", { class: "swatch" });
    const name = h("span", { class: "name" });
    const speed = h("span", { class: "value" });
    const element = h(
      "div",
      {
        class: "row",
        role: "option",
        onclick: () => store.select(Number(element.dataset.index)),
        ondblclick: () => page.view?.setCamera("follow"),
      },
      swatch,
      name,
      h("span", { class: "hit", role: "img", "aria-label": "Collision", title: "Collision" }, icon("warning")),
      speed,
      h("span", { class: "unit" }, "m/s"),
    );
    space.append(element);
    return { element, swatch, name, speed };
  }

  function walk(event: KeyboardEvent): void {
    const ownIndices = indices.filter((index) => store.world?.vehicles[index]?.ghost === undefined);
    const place = store.selected === undefined ? -1 : ownIndices.indexOf(store.selected);
    const to: Record<string, number> = {
      ArrowDown: place + 1,
      ArrowUp: place - 1,
      PageDown: place + 10,
      PageUp: place - 10,
      Home: 0,
      End: ownIndices.length - 1,
    };
    const next = to[event.key];
    if (next === undefined || ownIndices.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    store.select(ownIndices[Math.max(0, Math.min(ownIndices.length - 1, next))]);
  }

  function reveal(): void {
    const place = store.selected === undefined ? -1 : indices.indexOf(store.selected);
    if (place >= 0) {
      const top = place * ROW;
      if (top < list.scrollTop) list.scrollTop = top;
      else if (top + ROW > list.scrollTop + list.clientHeight) list.scrollTop = top + ROW - list.clientHeight;
    }
    draw();
  }

  store.on("scene", refilter);
  store.on("selected", reveal);
  store.on("shown", draw);
  addEventListener("skidpad:theme", draw);
  new ResizeObserver(() => draw()).observe(list);
}

/** The next vehicle (1) or the one before (-1). */
export function stepVehicle(page: Page, direction: 1 | -1): void {
  // Ghosts are the last ones.
  const count = page.store.world?.vehicles.filter(({ ghost }) => ghost === undefined).length ?? 0;
  if (count === 0) return;
  const from = page.store.selected ?? (direction > 0 ? -1 : 0);
  page.store.select((from + direction + count) % count);
}
