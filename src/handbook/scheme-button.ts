/** The button that takes light for dark and back, and keeps it where the portal finds it too. */

import { SCHEME_KEY } from "./scheme-key.ts";

/** Shows the button; without scripts there is none. */
export function startSchemeButton(): void {
  const button = document.querySelector<HTMLButtonElement>("button.scheme");
  if (button === null) return;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const { dataset } = document.documentElement;
  const isDark = (): boolean =>
    dataset.scheme === undefined ? system.matches : dataset.scheme === "dark";
  const show = (): void => {
    button.textContent = isDark() ? "Light" : "Dark";
  };
  button.addEventListener("click", () => {
    const scheme = isDark() ? "light" : "dark";
    dataset.scheme = scheme;
    show();
    try {
      localStorage.setItem(SCHEME_KEY, scheme);
    } catch {
      // A browser that keeps nothing shows it for this page.
    }
  });
  system.addEventListener("change", show);
  show();
  button.hidden = false;
}
