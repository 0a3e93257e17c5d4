/** Measures the same of two gateways in turns, and tells the ratio beside its aim. */

import { type Operation, PLACES } from "./growth-operations.ts";
import { connectTo, type OpenShop } from "./growth-shops.ts";
import { Durations, memoryOf, processorMsOf, show } from "./measure.ts";

/** What is measured of both. */
export interface Pair<T> {
  readonly short: T;
  readonly long: T;
}

/** A gateway and the shop that it serves. */
export type Served = Omit<OpenShop, "asker">;

export type Side = keyof Pair<unknown>;

/** What the long history may cost of the short one. */
const AIMS = { p50: 1.3, p99: 2 } as const;
/** Rounds of each operation, and how long they may take together; there are so many at least. */
const ROUNDS = 1_000;
const ROUNDS_MS_MAX = 10_000;
const ROUNDS_MIN = 200;

/** What was measured of a gateway. */
export interface Measured {
  readonly times: Durations;
  /** Processor time of its process meanwhile, in milliseconds; NaN where it was not measured. */
  processorMs: number;
}

/** What was measured of an operation, to go on with. */
export interface Comparison {
  readonly operation: Operation;
  readonly measured: Pair<Measured>;
  /** Times that it was measured. */
  tries: number;
}

/** Says what the columns of `showRatio` are. */
export function showHead(): void {
  const columns = "p50 of both         p99 of both   ratios: p50   p99  processor  samples  aim";
  console.log(`${"milliseconds".padEnd(64)}${columns}`);
}

/** Asks both in turns, so that what else the machine does meets both. */
export async function compare(operation: Operation, both: Pair<Served>): Promise<Comparison> {
  const nothing = (): Measured => ({ times: new Durations(), processorMs: 0 });
  const comparison = { operation, measured: { short: nothing(), long: nothing() }, tries: 0 };
  await goOn(comparison, both);
  return comparison;
}

async function requireSame({ what, run }: Operation, open: Pair<OpenShop>): Promise<void> {
  const rows = { short: rowsOf(await run(open.short, 0)), long: rowsOf(await run(open.long, 0)) };
  if (rows.short !== rows.long) {
    throw new Error(`${what}: ${rows.short} rows beside ${rows.long} are no comparison`);
  }
}

/** Asks for some more rounds, and shows what came of all. */
export async function goOn(comparison: Comparison, both: Pair<Served>): Promise<void> {
  const { by = "till" } = comparison.operation;
  const open = {
    short: { ...both.short, asker: await connectTo(both.short.gateway, both.short.shop, by) },
    long: { ...both.long, asker: await connectTo(both.long.gateway, both.long.shop, by) },
  };
  try {
    await requireSame(comparison.operation, open);
    await measure(comparison, open);
  } finally {
    for (const { asker } of [open.short, open.long]) asker.close();
  }
}

async function measure(comparison: Comparison, open: Pair<OpenShop>): Promise<void> {
  const { operation, measured } = comparison;
  const startedAt = performance.now();
  const ask = async (turn: number): Promise<Pair<number>> => {
    const took = { short: 0, long: 0 };
    for (const side of sides(turn)) {
      const begin = performance.now();
      await operation.run(open[side], comparison.tries * 10 * ROUNDS + turn);
      took[side] = performance.now() - begin;
    }
    return took;
  };
  // Each of the places once.
  for (let turn = 1; turn <= PLACES; turn += 1) await ask(turn);
  const before = await processorOf(open);
  for (let round = 1; round <= ROUNDS; round += 1) {
    const took = await ask(PLACES + round);
    measured.short.times.add(took.short);
    measured.long.times.add(took.long);
    if (round >= ROUNDS_MIN && performance.now() - startedAt > ROUNDS_MS_MAX) break;
  }
  const after = await processorOf(open);
  measured.short.processorMs += after.short - before.short;
  measured.long.processorMs += after.long - before.long;
  comparison.tries += 1;
  showRatio(operation.what, measured);
}

/** True when a ratio is beyond its aim. */
export function hasMissed({ measured: { short, long } }: Comparison): boolean {
  return missed({ short: short.times, long: long.times }).length > 0;
}

/** Who comes first in a turn. */
export function sides(turn: number): readonly Side[] {
  return turn % 2 === 0 ? ["short", "long"] : ["long", "short"];
}

async function processorOf({ short, long }: Pair<Served>): Promise<Pair<number>> {
  return {
    short: await processorMsOf(short.gateway.pid),
    long: await processorMsOf(long.gateway.pid),
  };
}

/** How many rows a list shows; 1 for what is no list. */
function rowsOf(body: string): number {
  const fields: object = body.startsWith("{") ? JSON.parse(body) : {};
  const list = Object.values(fields).find((value) => Array.isArray(value));
  return Array.isArray(list) ? list.length : 1;
}

function missed({ short, long }: Pair<Durations>): string[] {
  const isOver = (share: number, aim: number) =>
    long.percentile(share) > aim * short.percentile(share);
  return [...(isOver(0.5, AIMS.p50) ? ["p50"] : []), ...(isOver(0.99, AIMS.p99) ? ["p99"] : [])];
}

/** Prints the times of both, their ratios, and whether these are within their aims. */
export function showRatio(what: string, { short, long }: Pair<Measured>): void {
  const both = (share: number) =>
    fine(short.times.percentile(share)) + fine(long.times.percentile(share));
  const ratio = (after: number, before: number) => (after / before).toFixed(2).padStart(6);
  const ratioAt = (share: number) =>
    ratio(long.times.percentile(share), short.times.percentile(share));
  const over = missed({ short: short.times, long: long.times });
  const columns = [
    both(0.5),
    both(0.99),
    `        ${ratioAt(0.5)}${ratioAt(0.99)}`,
    `   ${ratio(long.processorMs, short.processorMs).replace("NaN", "   ")}`,
    String(long.times.count).padStart(8),
    over.length === 0 ? "met" : `missed: ${over.join(", ")}`,
  ];
  console.log(`${what.padEnd(56)}${columns.join("  ")}`);
}

/** Prints what both gateways take of the memory. */
export async function showMemory(what: string, { short, long }: Pair<Served>): Promise<void> {
  const uses = [await memoryOf(short.gateway.pid), await memoryOf(long.gateway.pid)];
  const text = (megabytes: readonly number[]) =>
    megabytes.map((value) => value.toFixed(0)).join(" and ");
  const own = text(uses.map(({ anonymous }) => anonymous));
  show(what, `${text(uses.map(({ resident }) => resident))} MB`, `${own} MB of it their own`);
}

const fine = (value: number): string => value.toFixed(value < 100 ? 2 : 0).padStart(9);
