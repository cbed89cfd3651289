// The focus, which determines the receiver of keys.

/** The focus, as far as it matters for keys. */
export type Focus = "text" | "arrows" | "button" | "page";

/** The focused part. */
export function focus(): Focus {
  const element = document.activeElement;
  if (element === null || element === document.body) return "page";
  if (element.matches("input:not([type=checkbox], [type=range]), textarea")) return "text";
  if (element.matches("input[type=range], select, canvas, [role=slider], [role=listbox]")) return "arrows";
  return element.matches("button, a, summary, input") ? "button" : "page";
}
