// The token that a server beyond this machine asks for: it comes in the link's fragment and stays with the tab.

const KEY = "skidpad.token";

/** The token in a fragment such as `#token=1f…`. */
export function tokenOf(hash: string): string | undefined {
  return new URLSearchParams(hash.replace(/^#/, "")).get("token") || undefined;
}

/** A fragment without its token; empty if nothing is left. */
export function withoutToken(hash: string): string {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  parts.delete("token");
  const fragment = parts.toString();
  return fragment === "" ? "" : `#${fragment}`;
}

/** The token of this tab, if it has one; one in the address takes precedence over a stored one. */
export function readToken(hash: string, storage: Storage | undefined): string | undefined {
  return tokenOf(hash) ?? storage?.getItem(KEY) ?? undefined;
}

/** Stores it while the tab is open. Returns whether that worked: browsers may refuse. */
export function keepToken(token: string, storage: Storage | undefined): boolean {
  try {
    storage?.setItem(KEY, token);
    return storage !== undefined;
  } catch {
    return false;
  }
}

/** The headers that carry a token; none where there is none. */
export function headersWith(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { Authorization: `Bearer ${token}` };
}

/** The address of a file of the server, with the token where there is one: pictures and meshes cannot send headers. */
export function withToken(path: string, token: string | undefined): string {
  if (token === undefined) return path;
  return `${path}${path.includes("?") ? "&" : "?"}token=${encodeURIComponent(token)}`;
}
