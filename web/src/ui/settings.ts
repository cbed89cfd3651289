// Settings stored between visits, if the browser allows it.

/** A kept value. */
export function recall(name: string): string | undefined {
  try {
    return localStorage.getItem(`skidpad.${name}`) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a value; undefined forgets it. */
export function keep(name: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(`skidpad.${name}`);
    else localStorage.setItem(`skidpad.${name}`, value);
  } catch {
    // Private windows may refuse; then the setting holds until the page is closed.
  }
}

/** The storage of this tab, where there is one. */
export function tabStorage(): Storage | undefined {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}
