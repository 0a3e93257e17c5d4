/**
 * How the gateway goes on when its history grows: one with a short history and one with a long one
 * run side by side and are asked the same in turns, over HTTP.
 */

import { ApiClient, registerDevice } from "../../src/e2e/harness/gateway.ts";
import { type SimulatedPrinter, startPrinter } from "../../src/e2e/harness/simulator.ts";
import {
  type Comparison,
  compare,
  goOn,
  hasMissed,
  type Pair,
  type Served,
  type Side,
  showHead,
  showMemory,
  showRatio,
  sides,
} from "./growth-compare.ts";
import {
  BOOK_LISTS,
  COMMAND_LISTS,
  FIGURES,
  OTHER_LISTS,
  RARE_TEXT,
  SINGLE,
  submissions,
} from "./growth-operations.ts";
import { EXPIRED_KEYS } from "./growth-rows.ts";
import {
  connectTo,
  expireKeys,
  hasExpiredKeys,
  type OpenShop,
  prepareShop,
  type Shop,
  startShop,
} from "./growth-shops.ts";
import { Durations, ms, show, title } from "./measure.ts";
import { booksFile, printOne } from "./receipts.ts";

const SHORT_ROWS = 10_000;
/** How long a purge may keep a submission waiting. */
const STALL_AIM_MS = 20;
const STARTS = 60;
/** Between two submissions beside a purge: others are let in, and the queue does not overflow. */
const SUBMISSION_PAUSE_MS = 10;

/** What misses an aim is asked so many times more, later: the machine may have been busy. */
const TRIES = 3;

/** Compares a history of `rows` commands and receipts with one of 10 thousand. */
export async function growth(receipt: string, rows: number): Promise<void> {
  title(`Growth: ${count(SHORT_ROWS)} commands and receipts beside ${count(rows)}`);
  const shops = { short: await prepareShop(SHORT_ROWS), long: await prepareShop(rows) };
  showHead();
  await starts(shops);
  await withGateways(shops, async (both) => {
    await showMemory("memory after the start", both);
    const comparisons: Comparison[] = [];
    for (const operations of [SINGLE, COMMAND_LISTS, BOOK_LISTS, OTHER_LISTS, FIGURES]) {
      for (const operation of operations) comparisons.push(await compare(operation, both));
    }
    await askAgain(comparisons, both);
    await compare(RARE_TEXT, both);
    await showMemory("memory after reading", both);
    for (const operation of submissions(receipt)) await compare(operation, both);
    await prints(both, receipt);
    await showMemory("memory after writing", both);
  });
  await purges(shops, receipt);
}

/** Asks once more what missed its aim, with the rounds before. */
async function askAgain(comparisons: readonly Comparison[], both: Pair<Served>): Promise<void> {
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const missed = comparisons.filter(hasMissed);
    if (missed.length === 0) return;
    title("What missed its aim, asked once more");
    for (const comparison of missed) await goOn(comparison, both);
  }
}

async function withGateways(
  shops: Pair<Shop>,
  use: (both: Pair<Served>) => Promise<void>,
): Promise<void> {
  const short = await startShop(shops.short);
  try {
    const long = await startShop(shops.long);
    try {
      await use({
        short: { shop: shops.short, gateway: short },
        long: { shop: shops.long, gateway: long },
      });
    } finally {
      await long.stop();
    }
  } finally {
    await short.stop();
  }
}

/** From the start of the process to the answer that it is ready. */
async function starts(shops: Pair<Shop>): Promise<void> {
  const times = { short: new Durations(), long: new Durations() };
  for (let turn = 0; turn <= STARTS; turn += 1) {
    for (const side of sides(turn)) {
      const begin = performance.now();
      const gateway = await startShop(shops[side]);
      const { ok, status } = await fetch(`${gateway.url}/ready`);
      if (!ok) throw new Error(`/ready: ${status}`);
      if (turn > 0) times[side].add(performance.now() - begin);
      await gateway.stop();
    }
  }
  showTimes("start of the process until /ready", times);
}

/** A receipt until it is completed, at a simulated printer for each. */
async function prints(both: Pair<Served>, receipt: string): Promise<void> {
  const printers: SimulatedPrinter[] = [];
  const devices = new Map<Shop, string>();
  try {
    for (const { gateway, shop } of [both.short, both.long]) {
      const stateFile = booksFile(`growth-${printers.length}`);
      const printer = await startPrinter({ stateFile });
      printers.push(printer);
      const { host, port } = printer;
      const till = new ApiClient(gateway.url, shop.key);
      devices.set(shop, await registerDevice(till, { driver: "vendorA.isl", host, port }));
    }
    const run = async ({ asker, shop }: OpenShop): Promise<string> => {
      await printOne(asker, `/api/v1/devices/${devices.get(shop)}/commands`, receipt);
      return "";
    };
    await compare({ what: "submit, print, completed", run }, both);
  } finally {
    await Promise.all(printers.map((printer) => printer.kill()));
  }
}

/**
 * How long submissions take while a gateway purges, in turns with the other one, which has nothing
 * to purge: what else the machine does meets both.
 */
async function purges(shops: Pair<Shop>, receipt: string): Promise<void> {
  for (const side of sides(0)) {
    expireKeys(shops[side]);
    await withGateways(shops, async (both) => {
      const times = await submitWhilePurging(side, both, receipt);
      showStall(side, times);
    });
  }
}

async function submitWhilePurging(
  purging: Side,
  both: Pair<Served>,
  receipt: string,
): Promise<Pair<Durations>> {
  const times = { short: new Durations(), long: new Durations() };
  const [submit] = submissions(receipt);
  const connect = ({ gateway, shop }: Served) => connectTo(gateway, shop, "till");
  const asker = { short: await connect(both.short), long: await connect(both.long) };
  for (let turn = 1; ; turn += 1) {
    for (const side of sides(turn)) {
      const begin = performance.now();
      await submit.run({ ...both[side], asker: asker[side] }, turn);
      times[side].add(performance.now() - begin);
    }
    if (turn % 100 === 0 && !hasExpiredKeys(both[purging].shop)) break;
    await Bun.sleep(SUBMISSION_PAUSE_MS);
  }
  for (const one of [asker.short, asker.long]) one.close();
  return times;
}

function showTimes(what: string, { short, long }: Pair<Durations>): void {
  const measured = (times: Durations) => ({ times, processorMs: Number.NaN });
  showRatio(what, { short: measured(short), long: measured(long) });
}

/** What a purge adds to one submission of a hundred; the slowest may have met anything. */
function showStall(purging: Side, times: Pair<Durations>): void {
  const beside = times[purging];
  const other = times[purging === "short" ? "long" : "short"];
  const stall = beside.percentile(0.99) - other.percentile(0.99);
  const figures = (one: Durations) =>
    [0.5, 0.99, 1].map((share) => one.percentile(share).toFixed(1)).join(", ");
  show(
    `purge of ${count(EXPIRED_KEYS)} keys, ${purging} history: stall`,
    ms(stall),
    `aim ${STALL_AIM_MS} ms: ${stall <= STALL_AIM_MS ? "met" : "missed"}; p50, p99 and slowest of ` +
      `${count(beside.count)} submissions ${figures(beside)} ms, to the other ${figures(other)} ms`,
  );
}

const count = (value: number): string => value.toLocaleString("en");
