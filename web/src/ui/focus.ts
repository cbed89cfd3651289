// Where the focus is, and with it which keys are whose.

/** What has the focus, as far as keys care. */
export type Focus = "text" | "arrows" | "button" | "page";

/** What has it. */
export function focus(): Focus {
  const element = document.activeElement;
  if (element === null || element === document.body) return "page";
  if (element.matches("input:not([type=checkbox], [type=range]), textarea")) return "text";
  if (element.matches("input[type=range], select, canvas, [role=slider], [role=listbox]")) return "arrows";
  return element.matches("button, a, summary, input") ? "button" : "page";
}
