/**
 * The portal's budgets, in Chromium with a processor four times slower, against the executable: what
 * its pages load, how soon they are there, how they scroll, what an hour of events leaves behind.
 */

import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { registerDevice, registerShop, startGateway } from "../../src/e2e/harness/gateway.ts";
import { startPrinter } from "../../src/e2e/harness/simulator.ts";
import { openPage, signIn, startBrowser } from "../../src/portal/journeys/browser.ts";
import { requireBrowser } from "../../src/portal/journeys/browser-place.ts";
import { measure, title } from "./measure.ts";
import { scrollThrough } from "./portal-scroll.ts";
import { RawHttp } from "./raw-http.ts";
import { booksFile, printOne } from "./receipts.ts";

/** How much slower than this machine the browser's processor is made. */
export const SLOWER = 4;
const CLIENTS = 8;
/** Receipts of the long list. */
const RECEIPTS = 10_000;
/** A busy shop's hour; each tells of three events or more. */
const HOUR_RECEIPTS = 1_000;
/** Of these the best counts: other work on the machine only ever adds. */
const LOADS = 5;
const SCROLLS = 4;
const KIB = 1_024;
const MB = 1_000_000;

/** What the portal may take. */
const AIM = { script: 250 * KIB, paintMs: 1_000, usableMs: 2_000, taskMs: 50, heap: 80 * MB };

/** Pages by address, with what stands there when they are usable. */
const PAGES: readonly (readonly [path: string, sign: string])[] = [
  ["/", "main table"],
  ["/printers", "main li"],
  ["/receipts", "main [data-windowed] a"],
  ["/reports", "main table"],
  ["/commands", "main [data-windowed] a"],
  ["/settings/history", "main [data-windowed] li"],
  ["/settings/controllers", "main form, main ol"],
  ["/settings/webhooks", "main strong"],
  ["/settings/webhooks/new", "main form"],
];

/** Prints each figure beside its aim. @throws Error where there is no browser */
export async function portal(folder: string, receipt: string): Promise<void> {
  title(`Portal: Chromium, processor ${SLOWER} times slower, best of ${LOADS} where a time`);
  const program = requireBrowser();
  const gateway = await startGateway(join(folder, "portal"), { args: ["--log-level=warn"] });
  const printer = await startPrinter({ stateFile: booksFile("portal") });
  const browser = await startBrowser(program, { isMeasured: true });
  try {
    const shop = await registerShop(gateway.url);
    const { host, port } = printer;
    const device = await registerDevice(shop.till, { driver: "vendorA.isl", host, port });
    const place = { browser, url: gateway.url, shop, device, receipt };
    await print(place, 50);
    await loads(place);
    await hour(place);
    await fill(place);
    const scrolled = await scrolls(place);
    const what = `longest task while scrolling, ${scrolled.rows.toLocaleString("en")} receipts`;
    row(`${what}, its work`, scrolled.longestWorkMs, { aim: AIM.taskMs, unit: "ms" });
    row("  by the clock, with what else the machine does", scrolled.longestMs, {
      ...{ aim: AIM.taskMs, unit: "ms" },
    });
  } finally {
    await browser.close();
    await Promise.all([gateway.kill(), printer.kill()]);
  }
}

interface Place {
  readonly browser: Browser;
  readonly url: string;
  readonly shop: Awaited<ReturnType<typeof registerShop>>;
  readonly device: string;
  readonly receipt: string;
}

/** Each page by its address, with nothing of it kept by the browser. */
async function loads(place: Place): Promise<void> {
  const first = await script(place, PAGES[0] ?? ["/", "main"]);
  row("script of the first page, compressed", first / KIB, { aim: AIM.script / KIB, unit: "KiB" });
  for (const page of PAGES.slice(1)) {
    const bytes = await script(place, page);
    row(`  ${page[0]}`, bytes / KIB, { aim: AIM.script / KIB, unit: "KiB" });
  }
  const times: { readonly paint: number; readonly usable: number }[] = [];
  for (let load = 0; load < LOADS; load += 1) times.push(await timesOfToday(place));
  const best = (of: "paint" | "usable") => Math.min(...times.map((time) => time[of]));
  row("first paint", best("paint"), { aim: AIM.paintMs, unit: "ms" });
  row("Today usable", best("usable"), { aim: AIM.usableMs, unit: "ms" });
}

/** Bytes of script that a page has the browser load, as they travel. */
async function script(place: Place, [path, sign]: (typeof PAGES)[number]): Promise<number> {
  const { page, context } = await signedIn(place);
  const sizes: Promise<number>[] = [];
  page.on("requestfinished", (request) => {
    if (request.resourceType() !== "script") return;
    sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  await page.goto(`${place.url}${path}`);
  await page.locator(sign).first().waitFor();
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  await context.close();
  return bytes;
}

async function timesOfToday(place: Place) {
  const page = await slowPage(place, undefined);
  await page.addInitScript(`new MutationObserver((_, watch) => {
    if (document.querySelector("main table") === null) return;
    performance.mark("usable");
    watch.disconnect();
  }).observe(document, { childList: true, subtree: true });`);
  await page.goto(place.url);
  await page.locator("main table").first().waitFor();
  const at = (name: string) =>
    page.evaluate(`performance.getEntriesByName("${name}")[0]?.startTime ?? Infinity`);
  const times = {
    paint: Number(await at("first-contentful-paint")),
    usable: Number(await at("usable")),
  };
  await page.context().close();
  return times;
}

/** The list at its top and at its end, anew each time: the one that was held up least. */
async function scrolls(place: Place) {
  const { browser } = place;
  let best: Awaited<ReturnType<typeof scrollThrough>> | undefined;
  for (let time = 0; time < SCROLLS; time += 1) {
    const { page, context } = await signedIn(place);
    await page.goto(`${place.url}/receipts`);
    const scrolled = await scrollThrough({ browser, page, slower: SLOWER }, RECEIPTS);
    if (best === undefined || scrolled.longestWorkMs < best.longestWorkMs) best = scrolled;
    await context.close();
  }
  if (best === undefined) throw new Error("nothing was scrolled");
  return best;
}

/** Today stands open while a busy hour goes by, faster than in a shop. */
async function hour(place: Place): Promise<void> {
  const page = await slowPage(place, "/");
  let events = 0;
  page.on("websocket", (socket) => socket.on("framereceived", () => (events += 1)));
  await page.reload();
  await page.locator("main table").first().waitFor();
  const before = await heapOf(page);
  await print(place, HOUR_RECEIPTS);
  await page.waitForLoadState("networkidle");
  const heap = await heapOf(page);
  const what = `heap after ${events.toLocaleString("en")} events (${(before / MB).toFixed(1)} before)`;
  row(what, heap / MB, { aim: AIM.heap / MB, unit: "MB" });
  await page.context().close();
}

/** What is still in use of the page's memory once it is cleaned up. */
async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return usedSize;
}

/** Prints receipts, so many at once as a shop has tills. */
async function print({ url, shop, device, receipt }: Place, count: number): Promise<void> {
  const clients = await Promise.all(
    Array.from({ length: CLIENTS }, () => RawHttp.open(url, shop.key)),
  );
  await measure({ workers: CLIENTS, count }, async (_, worker) => {
    const client = clients[worker];
    if (client) await printOne(client, `/api/v1/devices/${device}/commands`, receipt);
  });
  for (const client of clients) client.close();
}

/** Stores receipts that were printed elsewhere, until there are as many as the list is to have. */
async function fill({ shop, device }: Place): Promise<void> {
  await measure({ workers: CLIENTS, count: RECEIPTS }, async (run) => {
    await shop.owner.expect("POST", "/receipts", {
      ...{ deviceId: device, type: "sale", fiscalId: `E${run}` },
      items: [{ name: "Bread", quantity: 2, price: 1.5, vatGroup: "VAT2" }],
      payments: [{ method: "cash", amount: 3 }],
    });
  });
}

async function slowPage(place: Place, path: string | undefined): Promise<Page> {
  const { page, context } = await signedIn(place);
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  if (path !== undefined) {
    await page.goto(`${place.url}${path}`);
    await page.locator("main").first().waitFor();
  }
  return page;
}

async function signedIn({
  browser,
  url,
  shop,
}: Place): Promise<{ page: Page; context: BrowserContext }> {
  const { page, context } = await openPage(browser);
  context.setDefaultTimeout(60_000);
  await signIn(context, url, shop);
  return { page, context };
}

/** One line of the table. */
function row(
  what: string,
  figure: number,
  { aim, unit }: { readonly aim: number; readonly unit: string },
): void {
  const digits = figure < 100 ? 1 : 0;
  const verdict = figure <= aim ? "" : "  MISSED";
  console.log(
    `${what.padEnd(62)} ${`${figure.toFixed(digits)} ${unit}`.padStart(14)}   aim ${aim} ${unit}${verdict}`,
  );
}
