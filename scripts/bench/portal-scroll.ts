/**
 * Scrolls through the beginning and the end of a long list, and finds what held the page up longest: at
 * the end each page that comes is added to all before it, so that nothing between them takes longer.
 */

import type { Browser, CDPSession, Page } from "playwright-core";

/** Pixels a frame: at 60 a second faster than a thumb flicks. */
const STEP = 300;
/** So many rows are scrolled through at either end, and twenty times a page is loaded. */
const STRETCH = 1_000;
/** A list that does not come to its end within this has stopped loading. */
const PATIENCE_MS = 180_000;
/** What a browser's own recording calls what it does without a pause, and the thread of a page. */
const CATEGORY = "disabled-by-default-devtools.timeline";
const TASK = "RunTask";
const MAIN_THREAD = "CrRendererMain";

interface Place {
  readonly browser: Browser;
  /** Shows the list. */
  readonly page: Page;
  /** How many times slower than this machine its processor is made while it is watched. */
  readonly slower: number;
}

interface Scrolled {
  /** By the clock: other work on the machine counts too. Milliseconds. */
  readonly longestMs: number;
  /** By what the processor worked on it. Milliseconds. */
  readonly longestWorkMs: number;
  readonly rows: number;
}

/** @param rows that the list has to come to at least */
export async function scrollThrough(place: Place, rows: number): Promise<Scrolled> {
  const { page } = place;
  const session = await page.context().newCDPSession(page);
  await page.locator("[data-windowed] a").first().waitFor();
  const beginning = await watched({ ...place, session }, () => go(page, SCROLL, STRETCH));
  await go(page, JUMP, rows - STRETCH);
  let listed = 0;
  const end = await watched({ ...place, session }, async () => {
    listed = await go(page, SCROLL, rows);
  });
  const tasks = [...beginning, ...end];
  return {
    longestMs: Math.max(0, ...tasks.map(({ dur = 0 }) => dur)) / 1_000,
    longestWorkMs: Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur)) / 1_000,
    rows: listed,
  };
}

/** What the page does meanwhile, with the processor made slow. */
async function watched(
  { browser, page, session, slower }: Place & { readonly session: CDPSession },
  does: () => Promise<unknown>,
): Promise<readonly TraceEvent[]> {
  await session.send("Emulation.setCPUThrottlingRate", { rate: slower });
  await browser.startTracing(page, { categories: [CATEGORY] });
  await does();
  const trace = JSON.parse((await browser.stopTracing()).toString());
  await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  return tasksIn(trace);
}

/** Until the list has so many rows. @returns how many it has */
async function go(page: Page, how: string, rows: number): Promise<number> {
  const endsAt = performance.now() + PATIENCE_MS;
  for (let listed = 0; ; ) {
    if (performance.now() > endsAt) throw new Error(`the list stopped at ${listed} rows`);
    listed = Number(await page.evaluate(how));
    if (listed >= rows) return listed;
  }
}

const FRAME = "await new Promise((next) => requestAnimationFrame(next));";
const LISTED = `return document.querySelector("[data-windowed] li")?.ariaSetSize ?? 0;`;
/** Some frames, and how long the list is then. */
const SCROLL = `(async () => {
  for (let step = 0; step < 20; step += 1) {
    scrollBy(0, ${STEP});
    ${FRAME}
  }
  ${LISTED}
})()`;
/** To where the next page is asked for. */
const JUMP = `(async () => {
  scrollTo(0, document.documentElement.scrollHeight);
  ${FRAME}
  ${LISTED}
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
