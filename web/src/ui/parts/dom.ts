// Creates an element in one call. Markup in strings is avoided: the page's security policy forbids styles in it.

type Child = Node | string | undefined | false;
/** Attributes; those that begin with `on` are listeners, `true` means present, `false` and undefined absent. */
export type Attributes = Record<string, string | number | boolean | undefined | ((event: never) => void)>;

/** Makes an element. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child !== undefined && child !== false) element.append(child);
  return element;
}

/** Sets the text only if it differs, which avoids needless layout. */
export function say(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** The element of the page's frame with this id. */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no element "${id}"`);
  return element;
}

/** Throttles a function: runs it soon after each request, but at most once per period [ms]. */
export function throttled(period: number, work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = Number.NEGATIVE_INFINITY;
  const run = () => {
    timer = undefined;
    last = performance.now();
    work();
  };
  return () => {
    if (timer === undefined) timer = setTimeout(run, Math.max(0, last + period - performance.now()));
  };
}

/** Offers a file for saving. */
export function save(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
