/** Light or dark, and that scripts run, before anything is shown. The portal of the same gateway keeps it at the same place. */

import { SCHEME_KEY } from "./scheme-key.ts";

function kept(): string | null {
  try {
    return localStorage.getItem(SCHEME_KEY);
  } catch {
    // A browser that keeps nothing.
    return null;
  }
}

document.documentElement.dataset.scripts = "";
const chosen = kept();
if (chosen === "light" || chosen === "dark") document.documentElement.dataset.scheme = chosen;
