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
  const rest = parts.toString();
  return rest === "" ? "" : `#${rest}`;
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

/** An address without its token, and the headers that have it instead: so it is in no cache, and an address stays the same over runs. */
export function withoutQuery(address: string): [string, Record<string, string>] {
  const [path = "", query] = address.split("?");
  const token = new URLSearchParams(query).get("token");
  return [path, token === null ? {} : { Authorization: `Bearer ${token}` }];
}

/** The address of a file of the server, with the token where there is one: pictures and meshes cannot send headers. */
export function withToken(path: string, token: string | undefined): string {
  if (token === undefined) return path;
  return `${path}${path.includes("?") ? "&" : "?"}token=${encodeURIComponent(token)}`;
}
