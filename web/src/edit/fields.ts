// The fields of the chosen body: pose, size, colour and parameters.
import type { DescriptionView, PropertyView } from "../protocol/types";
import { degrees } from "../ui/data/format";
import { h } from "../ui/parts/dom";
import { icon } from "../ui/parts/icons";

/** What fields do when they change. */
export interface FieldActions {
  /** x, y [m], heading [rad]. */
  place(x: number, y: number, yaw: number): void;
  /** [m] */
  resize(size: [number, number, number]): void;
  set(key: string, value: string): void;
}

/** A value without digits that nobody has asked for. */
export function tidy(value: number, digits = 4): string {
  return String(Number(value.toFixed(digits)));
}

/** An angle [rad] from [°]. */
export function radians(angle: number): number {
  return (angle * Math.PI) / 180;
}

/** A heading [°] from a yaw [rad], half a turn without a sign. */
export function heading(yaw: number): number {
  const angle = degrees(yaw);
  return angle <= -180 + 1e-9 ? angle + 360 : angle;
}

/** The last part of a path of tags, which names a value: `dynamics/chassis@mass` as `chassis mass`. */
export function labelOf(path: string): string {
  const [tags = "", attribute] = path.split("@");
  const tag = tags.split("/").at(-1) ?? "";
  return [tag, attribute].filter(Boolean).join(" ").replaceAll("_", " ");
}

/** The colour for a colour field, which knows no transparency. */
export function opaque(color: string): string {
  return color.slice(0, 7).toLowerCase();
}

/** A row of number fields, which report all of their values when one changes. */
function numbers(
  names: [string, string][],
  values: number[],
  key: string,
  changed: (values: number[]) => void,
): HTMLElement {
  const inputs = values.map((value, i) =>
    h("input", {
      type: "number",
      step: "any",
      value: tidy(value),
      "data-key": `${key}${i}`,
      onchange: () => {
        const all = inputs.map((input, at) =>
          input.value === tidy(values[at] ?? 0) ? (values[at] ?? 0) : Number(input.value),
        );
        if (inputs.every((input) => input.value !== "")) changed(all);
      },
    }),
  );
  return h(
    "div",
    { class: "field-row" },
    ...inputs.map((input, i) =>
      h(
        "label",
        { class: "field" },
        h("span", { class: "label" }, `${names[i]?.[0]} `, h("span", { class: "unit" }, names[i]?.[1] ?? "")),
        input,
      ),
    ),
  );
}

function property(view: PropertyView, set: FieldActions["set"]): HTMLElement {
  const { key, value, kind } = view;
  const common = { "data-key": key, "aria-label": view.label };
  const name = h("span", { class: view.is_written ? "name" : "name muted" }, labelOf(view.label));
  const change = (written: string) => written !== value && set(key, written);
  const control = () => {
    if (kind === "switch") {
      const box = h("input", {
        ...common,
        type: "checkbox",
        checked: value === "true",
        onchange: () => change(String(box.checked)),
      });
      return box;
    }
    if (kind === "color") {
      // The transparency stays.
      const color = h("input", {
        ...common,
        type: "color",
        value: opaque(value),
        onchange: () => change(color.value + value.slice(7)),
      });
      return color;
    }
    const text = h("input", {
      ...common,
      type: "text",
      inputmode: "decimal",
      value,
      disabled: kind === "expression",
      onchange: () => change(text.value),
    });
    return text;
  };
  return h("label", { class: "property", title: view.label }, name, control());
}

/** All fields of a body. */
export function fields(description: DescriptionView, actions: FieldActions): HTMLElement {
  const [x, y, yaw] = description.pose;
  const pose = numbers(
    [
      ["x", "m"],
      ["y", "m"],
      ["Heading", "°"],
    ],
    [x, y, heading(yaw)],
    "pose",
    ([x = 0, y = 0, heading = 0]) => actions.place(x, y, radians(heading)),
  );
  const size =
    description.size &&
    numbers(
      [
        ["Length", "m"],
        ["Width", "m"],
        ["Height", "m"],
      ],
      description.size,
      "size",
      ([a = 0, b = 0, c = 0]) => actions.resize([a, b, c]),
    );
  const owners = [...new Set(description.properties.map(({ owner }) => owner))];
  const groups = owners.map((owner) => {
    const rows = description.properties
      .filter((view) => view.owner === owner)
      .map((view) => property(view, actions.set));
    const title = owner === "" ? "Parameters" : `Shared: ${owner}`;
    return h(
      "details",
      { class: "group unfolds", open: owner === "" || owners.length === 1 },
      h("summary", {}, title, icon("down")),
      ...rows,
    );
  });
  return h("div", { class: "fields" }, pose, ...(size ? [size] : []), ...groups);
}
