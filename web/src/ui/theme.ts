// Dark or light theme: the system's, unless the user has chosen one.
import { keep, recall } from "./panels/settings";

const system = () => matchMedia("(prefers-color-scheme: dark)");

/** Whether the page is dark now. */
export function isDark(): boolean {
  const chosen = document.documentElement.dataset.theme;
  return chosen === undefined ? system().matches : chosen === "dark";
}

/** Applies the stored choice, and reports every later change. */
export function followTheme(changed: (dark: boolean) => void): void {
  const chosen = recall("theme");
  if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
  system().addEventListener("change", () => changed(isDark()));
  changed(isDark());
}

/** Switches to the other theme; a choice equal to the system's follows the system again. */
export function switchTheme(): void {
  const dark = !isDark();
  if (dark === system().matches) {
    delete document.documentElement.dataset.theme;
    keep("theme", undefined);
  } else {
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    keep("theme", dark ? "dark" : "light");
  }
}
