/** How the database goes on when its history grows: a short one and a long one, side by side. */

import { statSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "#core/command/command.ts";
import { type Database, openDatabase } from "#db/connection.ts";
import { migrate } from "#db/migrate.ts";
import type { CommandFilter, CommandPage } from "#db/stores/command-list.ts";
import { createStores, type Stores } from "#db/stores/index.ts";
import { HISTORY, seedHistory } from "#db/testing/seed-history.ts";
import { Writer } from "#db/writer.ts";
import { Durations, ms, show, title } from "./measure.ts";

const SHORT_ROWS = 10_000;
/** What the long history may cost of the short one. */
const AIM = 1.3;
const EXPIRED_KEYS = 100_000;
/** How long a purge may keep others from writing. */
const STALL_AIM_MS = 20;
/** Rounds of each look, of which the median counts; fewer when they take long. */
const ROUNDS = 301;
const ROUNDS_MS_MAX = 10_000;
/** Looks in one round, so that a round is longer than the clock is coarse. */
const LOOKS = 4;
const DAY_MS = 86_400_000;

interface History {
  readonly rows: number;
  readonly database: Database;
  readonly stores: Stores;
  /** The instant of the newest command. */
  readonly now: number;
}

/** A look at a history; `turn` counts up, so that looks go to different places. */
type Look = (history: History, turn: number) => unknown;

/** Compares a history of `rows` commands with one of 10 thousand. */
export async function growth(folder: string, rows: number): Promise<void> {
  title(`Growth: ${count(rows)} commands beside ${count(SHORT_ROWS)}, aim ${AIM} times`);
  const short = build(folder, SHORT_ROWS);
  const long = build(folder, rows);
  try {
    for (const [what, look] of Object.entries(LOOKS_AT)) compare(what, look, { short, long });
    compare("five writes of a command, 32 in a commit", writeCommands, { short, long });
    await purgeStall(short);
    await purgeStall(long);
  } finally {
    short.database.close();
    long.database.close();
  }
}

function build(folder: string, rows: number): History {
  const file = join(folder, `growth-${rows}.db`);
  const startedAt = performance.now();
  const now = HISTORY.createdAt(rows);
  const empty = openDatabase(file);
  migrate(empty, 1);
  fillFast(empty, () =>
    seedHistory(empty, { commands: rows, keys: { count: EXPIRED_KEYS, at: now } }),
  );
  empty.close();
  const database = openDatabase(file);
  const seconds = (performance.now() - startedAt) / 1_000;
  const size = `${(statSync(file).size / 1e9).toFixed(2)} GB`;
  show(`built a history of ${count(rows)} commands`, `${seconds.toFixed(1)} s`, size);
  return { rows, database, stores: createStores(database), now };
}

/** Fills a database that nobody would miss: no safety, and indexes made from sorted rows. */
function fillFast({ sqlite }: Database, fill: () => void): void {
  sqlite.pragma("journal_mode = MEMORY");
  sqlite.pragma("synchronous = OFF");
  sqlite.pragma("cache_size = -500000");
  const indexes = sqlite
    .prepare<[], { name: string; sql: string }>(
      "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL",
    )
    .all();
  for (const { name } of indexes) sqlite.exec(`DROP INDEX ${name}`);
  fill();
  for (const { sql } of indexes) sqlite.exec(sql);
}

/** Takes both in turns, so that what else the machine does meets both. */
function compare(
  what: string,
  look: Look,
  { short, long }: { readonly short: History; readonly long: History },
): void {
  const times = { short: new Durations(), long: new Durations() };
  const time = (history: History, round: number, into: Durations): void => {
    const begin = performance.now();
    for (let turn = round * LOOKS; turn < (round + 1) * LOOKS; turn++) look(history, turn);
    if (round > 0) into.add((performance.now() - begin) / LOOKS);
  };
  const startedAt = performance.now();
  for (let round = 0; round <= ROUNDS; round++) {
    time(short, round, times.short);
    time(long, round, times.long);
    if (round > 0 && performance.now() - startedAt > ROUNDS_MS_MAX) break;
  }
  const [before, after] = [times.short.percentile(0.5), times.long.percentile(0.5)];
  const ratio = after / before;
  const beside = `${fine(before)} to ${fine(after)}${ratio > AIM ? ", over the aim" : ""}`;
  show(what, `${ratio.toFixed(2)} times`, beside);
}

const { orgId } = HISTORY;
const DEVICE = HISTORY.deviceId(3);
const NEWEST = { order: "desc", sortBy: "createdAt", limit: 51 } as const;
const LAST_CHANGED = { ...NEWEST, sortBy: "updatedAt" } as const;
/** For what is so rare that the short history fills no more than this anywhere. */
const SHORT_PAGE = { ...NEWEST, limit: 7 } as const;

/** The first page. */
function first(filter: CommandFilter, page: CommandPage = NEWEST): Look {
  return ({ stores }) => [...stores.commands.list(orgId, filter, page)];
}

/** A page after nine tenths of the history. */
function deep(filter: CommandFilter, page: CommandPage = NEWEST): Look {
  return (history, turn) => {
    const startAfter = commandAt(history, Math.floor(history.rows / 10) + turn * 7);
    return [...history.stores.commands.list(orgId, filter, { ...page, startAfter })];
  };
}

function commandAt({ stores }: History, seq: number): Command | undefined {
  return stores.commands.get(orgId, HISTORY.commandId(seq));
}

/** Finds a receipt by the name that `nameOf` gives it. */
function receiptAt({ stores }: History, seq: number, nameOf: (seq: number) => string) {
  const deviceId = HISTORY.deviceId(seq % HISTORY.devices);
  return stores.receipts.findByIdOrFiscalId(orgId, deviceId, nameOf(seq));
}

/** A place that jumps about in the history; in a long one its pages are in nobody's memory. */
function anywhere(rows: number, turn: number): number {
  return 1 + ((turn * 2_654_435_761) % rows);
}

/** A place that jumps about in the last days. */
function newest(rows: number, turn: number): number {
  return rows - anywhere(1_000, turn);
}

const LOOKS_AT: Readonly<Record<string, Look>> = {
  "start: what the queue recovers from": ({ stores, now }) => [
    stores.outcomeHolds.listOpen(),
    stores.audit.listSince("command.late_result", now - DAY_MS, 1_000),
    [1, 2, 3].map(() => stores.commands.listUnfinished()),
  ],
  "first page": first({}),
  "deep page": deep({}),
  "by device, first page": first({ deviceId: DEVICE }),
  "by device, deep page": deep({ deviceId: DEVICE }),
  "by device that has none": first({ deviceId: "dev_none" }),
  "by status completed": first({ status: "completed" }),
  "by status failed, first page": first({ status: "failed" }),
  "by status failed, deep page": deep({ status: "failed" }),
  "by status pending": first({ status: "pending" }),
  "by type print_receipt": first({ type: "print_receipt" }),
  "by type x_report, first page": first({ type: "x_report" }),
  "by type x_report, deep page": deep({ type: "x_report" }, SHORT_PAGE),
  "by type that nobody used": first({ type: "set_logo" }),
  "from and to in the middle": ({ rows, stores }, turn) => {
    const from = HISTORY.createdAt(rows / 2 + turn);
    return [...stores.commands.list(orgId, { from, to: from + DAY_MS }, NEWEST)];
  },
  "by device and type": first({ deviceId: DEVICE, type: "x_report" }, SHORT_PAGE),
  "by device and status failed": first({ deviceId: DEVICE, status: "failed" }, SHORT_PAGE),
  "by device, type and status": first({
    ...{ deviceId: DEVICE, type: "print_receipt", status: "completed" },
  }),
  "sorted by updatedAt, first page": first({}, LAST_CHANGED),
  "sorted by updatedAt, deep page": deep({}, LAST_CHANGED),
  "sorted by updatedAt, by device": first({ deviceId: DEVICE }, LAST_CHANGED),
  "sorted by updatedAt, by status failed": first({ status: "failed" }, LAST_CHANGED),
  "sorted by updatedAt, by device that has none": first({ deviceId: "dev_none" }, LAST_CHANGED),
  "sorted by updatedAt, by type that nobody used": first({ type: "set_logo" }, LAST_CHANGED),
  "command by id, of the newest": (history, turn) => commandAt(history, newest(history.rows, turn)),
  "command by id, from anywhere": (history, turn) =>
    commandAt(history, anywhere(history.rows, turn)),
  "receipt by id, of the newest": (history, turn) =>
    receiptAt(history, newest(history.rows / 4, turn), HISTORY.receiptId),
  "receipt by id, from anywhere": (history, turn) =>
    receiptAt(history, anywhere(history.rows / 4, turn), HISTORY.receiptId),
  "receipt by fiscal id, of the newest": (history, turn) =>
    receiptAt(history, newest(history.rows / 4, turn), String),
  "receipt by fiscal id, from anywhere": (history, turn) =>
    receiptAt(history, anywhere(history.rows / 4, turn), String),
  "what alerts ask of a device": ({ stores }) => [
    stores.devices.get(orgId, DEVICE),
    stores.commands.isOneOut(DEVICE),
    stores.outcomeHolds.listOpen(),
  ],
};

function writeCommands(history: History, turn: number): void {
  const { database, stores, now } = history;
  const model = commandAt(history, history.rows);
  if (model === undefined) throw new Error("the newest command is missing");
  const commands = Array.from({ length: 32 }, (_, index) => ({
    ...model,
    id: `cmd_new_${turn}_${index}`,
    deviceId: HISTORY.deviceId(index % HISTORY.devices),
  }));
  const { commands: store } = stores;
  const writes: ((id: string) => unknown)[] = [
    (id) => store.markSent(id, "builtin", now),
    (id) => store.markProcessing(id, now),
    (id) => store.setMark(id, { mark: "committed", baseline: undefined, now }),
    (id) => store.finish(id, { status: "completed", result: { success: true }, now }),
  ];
  const { sqlite } = database;
  sqlite.transaction(() => commands.map((command) => store.insert(command))).immediate();
  for (const write of writes) {
    sqlite.transaction(() => commands.map(({ id }) => write(id))).immediate();
  }
}

/**
 * How long a part of a purge keeps the next operation waiting, and beside it how long an operation
 * takes that changes one row: what the disk adds to both.
 */
async function purgeStall({ rows, database, stores, now }: History): Promise<void> {
  const writer = new Writer(database);
  const times = { purge: new Durations(), oneRow: new Durations() };
  const timed = async <T>(into: Durations, operation: () => T): Promise<T> => {
    const begin = performance.now();
    const value = await writer.run(operation);
    into.add(performance.now() - begin);
    return value;
  };
  const id = HISTORY.commandId(rows);
  stores.commands.markSent(id, "builtin", now);
  for (let hasMore = true; hasMore; ) {
    hasMore = await timed(times.purge, () => stores.idempotency.purge(now));
    const mark = { mark: "baseline", baseline: undefined, now } as const;
    await timed(times.oneRow, () => stores.commands.setMark(id, mark));
  }
  const name = `purge of ${count(EXPIRED_KEYS)} keys, ${count(rows)} commands`;
  show(name, spread(times.purge), `${count(times.purge.count)} parts, aim ${STALL_AIM_MS} ms`);
  show("  one-row operations between its parts", spread(times.oneRow));
}

function spread(durations: Durations): string {
  const [p50, p99] = [durations.percentile(0.5), durations.percentile(0.99)];
  return `p50 ${ms(p50)}, p99 ${ms(p99)}`;
}

const count = (value: number): string => value.toLocaleString("en");
const fine = (value: number): string => `${value.toFixed(3)} ms`;
