/** Scrolls a long list from its top to its end and back, and finds what held the page up longest. */

import type { Page } from "playwright-core";

/** Pixels at once, as a quick thumb or wheel goes. */
const STEP = 1_200;
/** A list that does not come to its end within this has stopped loading. */
const PATIENCE_MS = 600_000;

/**
 * @param page shows the list
 * @param rows that it has to come to at least
 * @returns the longest task; under 50 ms browsers do not tell, and it is 0
 */
export async function longestTaskOfScrolling(
  page: Page,
  rows: number,
): Promise<{ readonly ms: number; readonly rows: number }> {
  await page.locator("[data-windowed] a").first().waitFor();
  await page.evaluate(`
    globalThis.longest = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
    }).observe({ type: "longtask" });`);
  const scroll = (by: number) =>
    page.evaluate(`(async () => {
      for (let step = 0; step < 20; step += 1) {
        scrollBy(0, ${by});
        await new Promise((next) => requestAnimationFrame(next));
      }
      const list = document.querySelector("[data-windowed]");
      return [scrollY, Number(list?.querySelector("li")?.ariaSetSize ?? 0)];
    })()`) as Promise<[top: number, rows: number]>;
  const endsAt = performance.now() + PATIENCE_MS;
  let listed = 0;
  while (listed < rows) {
    if (performance.now() > endsAt) throw new Error(`the list stopped at ${listed} rows`);
    [, listed] = await scroll(STEP);
  }
  for (let top = Number.POSITIVE_INFINITY; top > 0; ) [top] = await scroll(-20 * STEP);
  return { ms: Number(await page.evaluate("longest")), rows: listed };
}
