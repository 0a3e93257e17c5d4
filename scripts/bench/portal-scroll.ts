/** Scrolls a long list from its top to its end, and finds what held the page up longest. */

import type { Browser, Page } from "playwright-core";

/** Pixels a frame: at 60 a second faster than a thumb flicks. */
const STEP = 300;
/** A list that does not come to its end within this has stopped loading. */
const PATIENCE_MS = 600_000;
/** What a browser's own recording calls what it does without a pause, and the thread of a page. */
const CATEGORY = "disabled-by-default-devtools.timeline";
const TASK = "RunTask";
const MAIN_THREAD = "CrRendererMain";

interface Scrolled {
  /** By the clock: other work on the machine counts too. Milliseconds. */
  readonly longestMs: number;
  /** By what the processor worked on it. Milliseconds. */
  readonly longestWorkMs: number;
  readonly rows: number;
}

/**
 * @param page shows the list
 * @param rows that it has to come to at least
 */
export async function scrollThrough(
  { browser, page }: { readonly browser: Browser; readonly page: Page },
  rows: number,
): Promise<Scrolled> {
  await page.locator("[data-windowed] a").first().waitFor();
  await browser.startTracing(page, { categories: [CATEGORY] });
  const endsAt = performance.now() + PATIENCE_MS;
  let listed = 0;
  while (listed < rows) {
    if (performance.now() > endsAt) throw new Error(`the list stopped at ${listed} rows`);
    listed = Number(await page.evaluate(SCROLL));
  }
  const tasks = tasksIn(JSON.parse((await browser.stopTracing()).toString()));
  return {
    longestMs: Math.max(0, ...tasks.map(({ dur = 0 }) => dur)) / 1_000,
    longestWorkMs: Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur)) / 1_000,
    rows: listed,
  };
}

/** Some frames, and how long the list is then. */
const SCROLL = `(async () => {
  for (let step = 0; step < 20; step += 1) {
    scrollBy(0, ${STEP});
    await new Promise((next) => requestAnimationFrame(next));
  }
  return document.querySelector("[data-windowed] li")?.ariaSetSize ?? 0;
})()`;

/** Of a browser's recording, in microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** The tasks of pages' own threads. */
function tasksIn({ traceEvents }: { readonly traceEvents: readonly TraceEvent[] }): TraceEvent[] {
  const isMain = (event: TraceEvent) =>
    event.name === "thread_name" && event.args?.name === MAIN_THREAD;
  const threads = new Set(traceEvents.filter(isMain).map(({ pid, tid }) => `${pid}/${tid}`));
  return traceEvents.filter(({ name, pid, tid }) => name === TASK && threads.has(`${pid}/${tid}`));
}
