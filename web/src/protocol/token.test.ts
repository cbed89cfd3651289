// Where the token comes from, and where it stays.
import { expect, test } from "vitest";
import { keepToken, readToken, withoutToken, withToken } from "./token";

function storage(): Storage {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  } as unknown as Storage;
}

test("a token that was kept is found again, and one in the address comes before it", () => {
  const tab = storage();
  expect(readToken("", tab)).toBeUndefined();
  expect(keepToken("typed", tab)).toBe(true);
  expect(readToken("", tab)).toBe("typed");
  expect(readToken("#token=pasted", tab)).toBe("pasted");
});

test("without a place to keep it, the address has to go on holding it", () => {
  expect(keepToken("a", undefined)).toBe(false);
  const full = {
    setItem: () => {
      throw new Error("quota");
    },
  } as unknown as Storage;
  expect(keepToken("a", full)).toBe(false);
});

test("addresses of files carry it as a parameter", () => {
  expect(withToken("api/maps/0.png", undefined)).toBe("api/maps/0.png");
  expect(withToken("api/files/0/a.png?v=1", "a b")).toBe("api/files/0/a.png?v=1&token=a%20b");
});

test("without the token the rest of the fragment stays", () => {
  expect(withoutToken("#token=1f&camera=top&at=1+2")).toBe("#camera=top&at=1+2");
  expect(withoutToken("#token=1f")).toBe("");
  expect(withoutToken("")).toBe("");
});
