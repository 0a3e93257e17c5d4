/** Light or dark, and that scripts run, before anything is shown. The portal of the same gateway keeps it at the same place. */

/** Where the portal's component library keeps the reader's choice. */
const KEY = "mantine-color-scheme-value";

function kept(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    // A browser that keeps nothing.
    return null;
  }
}

document.documentElement.dataset.scripts = "";
const chosen = kept();
if (chosen === "light" || chosen === "dark") document.documentElement.dataset.scheme = chosen;
