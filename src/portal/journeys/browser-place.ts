/** Where the browser is that the portal is tried in. */

/**
 * Chromium's engine in a program without windows, profiles and what else surrounds the page: a page
 * that is opened anew takes a third of the processor that it takes in the whole browser.
 */
export const SHELL = "chromium-headless-shell";

/** As Debian calls it, and others. */
const NAMES = [SHELL, "chromium", "chromium-browser", "google-chrome"];

/** Its path; undefined where there is none. */
export function findBrowser(): string | undefined {
  return NAMES.map((name) => Bun.which(name) ?? undefined).find((path) => path !== undefined);
}

/** The same, for what cannot do without. @throws Error where there is none */
export function requireBrowser(): string {
  const found = findBrowser();
  if (found === undefined) throw new Error("there is no chromium on this machine");
  return found;
}
