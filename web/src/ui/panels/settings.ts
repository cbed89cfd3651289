// Settings stored between visits, if the browser allows it.

/** A stored value. */
export function recall(name: string): string | undefined {
  try {
    return localStorage.getItem(`skidpad.${name}`) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores a value; undefined deletes it. */
export function keep(name: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(`skidpad.${name}`);
    else localStorage.setItem(`skidpad.${name}`, value);
  } catch {
    // Private windows may refuse; then the setting lasts until the page is closed.
  }
}

/** The storage of this tab, if available. */
export function tabStorage(): Storage | undefined {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}
