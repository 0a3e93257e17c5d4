import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  COMMAND_STATUSES,
  type Command,
  type CommandStatus,
  isFinal,
} from "#core/command/command.ts";
import { type Database, openDatabase } from "../connection.ts";
import { migrate } from "../migrate.ts";
import { COMMAND_PROMPT_MS, commands as table } from "../schema/commands.ts";
import {
  type CommandFilter,
  type CommandLister,
  type CommandPage,
  createCommandLister,
} from "./command-list.ts";
import type { NewCommand } from "./commands.ts";
import { createStores, type Stores } from "./index.ts";
import type { ListSizes } from "./list.ts";

/** So many that every filter and every pair of filters finds some, with ties in both instants. */
const COUNT = 600;
const ORG = "org_1";
const START = 10 * COMMAND_PROMPT_MS;
/** So long that all of them take several times as long as most commands do. */
const STEP_MS = COMMAND_PROMPT_MS / 30;
const STATUSES = ["completed", "completed", "completed", "failed", "timeout", "pending"] as const;
const TYPES = ["print_receipt", "print_receipt", "x_report", "get_status"] as const;

let database: Database;
let stores: Stores;
let everything: readonly Command[];

/** Of this device nothing completes. */
const DEAD = "dev_dead";

/** A command accepted at about `index`, by a clock that is set back now and then. */
function newCommand(index: number): NewCommand {
  const setBackMs = index % 50 === 0 ? COMMAND_PROMPT_MS : 0;
  const createdAt = START + Math.floor(index / 3) * STEP_MS - setBackMs;
  return {
    id: `cmd_${index}`,
    orgId: index % 11 === 0 ? "org_2" : ORG,
    deviceId: index % 13 === 0 ? DEAD : `dev_${index % 3}`,
    type: TYPES[(index * 7) % 4] ?? "get_status",
    payload: { index },
    status: "pending",
    source: "api",
    ...{ currency: null, locationId: null },
    ...{ apiKeyId: null, requestedBy: null, idempotencyKey: null, controllerId: null, epoch: 0 },
    formerControllers: [],
    sentTo: null,
    ...{ createdAt, updatedAt: createdAt, expiresAt: createdAt + 1_000 },
    ...{ sentAt: null, processingAt: null, finishedAt: null },
    ...{ acceptedOrder: null, sentOrder: null, finishedOrder: null },
    ...{ mark: null, baseline: null, result: null, simulated: false },
  };
}

/** Ends come in another order; some late, and some before the beginning by a clock set back. */
function tookMs(index: number): number {
  if (index % 40 === 7) return COMMAND_PROMPT_MS + (index % 3);
  if (index % 40 === 9) return -STEP_MS;
  return ((index * 37) % 90) * (STEP_MS / 5) + (index % 2);
}

function statusOf({ deviceId }: NewCommand, index: number): CommandStatus {
  const status = STATUSES[(index * 5 + Math.floor(index / 7)) % STATUSES.length] ?? "pending";
  return deviceId === DEAD && status === "completed" ? "failed" : status;
}

beforeAll(() => {
  database = openDatabase(":memory:");
  migrate(database, 1);
  stores = createStores(database);
  for (let index = 1; index <= COUNT; index++) {
    const command = newCommand(index);
    stores.commands.insert(command);
    const now = command.createdAt + tookMs(index);
    const status = statusOf(command, index);
    if (isFinal(status)) {
      stores.commands.finish(command.id, { status, result: { success: true }, now });
    } else {
      if (index % 2 === 0) stores.commands.markSent(command.id, "ctl_1", now);
      if (index % 4 === 0) stores.commands.markProcessing(command.id, now + 3);
    }
  }
  everything = database.orm.select().from(table).all();
});
afterAll(() => database.close());

/** What a filter lets through, put together once: it is asked for in each order and behind each cursor. */
const letThrough = new WeakMap<CommandFilter, readonly Command[]>();

function allOf(filter: CommandFilter): readonly Command[] {
  const { deviceId, status, type, from = -Infinity, to = Infinity } = filter;
  const known = letThrough.get(filter);
  if (known !== undefined) return known;
  const found = everything
    .filter((one) => one.orgId === ORG)
    .filter((one) => deviceId === undefined || one.deviceId === deviceId)
    .filter((one) => status === undefined || one.status === status)
    .filter((one) => type === undefined || [type].flat().includes(one.type))
    .filter((one) => one.createdAt >= from && one.createdAt < to);
  letThrough.set(filter, found);
  return found;
}

/** What the list promises, in plain words. */
function expected(filter: CommandFilter, page: CommandPage): string[] {
  const sign = page.order === "asc" ? 1 : -1;
  const compare = (a: Command, b: Command) =>
    sign * (a[page.sortBy] - b[page.sortBy] || a.seq - b.seq);
  const { startAfter } = page;
  return allOf(filter)
    .toSorted(compare)
    .filter((one) => startAfter === undefined || compare(one, startAfter) > 0)
    .slice(0, page.limit)
    .map((one) => one.id);
}

const ORDERS = (["createdAt", "updatedAt"] as const).flatMap((sortBy) =>
  (["asc", "desc"] as const).map((order) => ({ sortBy, order })),
);
const MIDDLE = START + 60 * STEP_MS;
const RANGES = [
  {},
  { from: MIDDLE },
  { to: MIDDLE },
  { from: MIDDLE, to: MIDDLE + STEP_MS },
  { from: 0, to: 0 },
];
/** None of z_report was submitted. */
const ASKED_TYPES: readonly CommandFilter["type"][] = [
  ...([undefined, "print_receipt", "x_report", "z_report"] as const),
  ["x_report", "print_receipt"],
  ["get_status", "z_report", "x_report", "get_status"],
  ["z_report", "cash_in"],
  ["x_report", "x_report"],
];
const FILTERS: readonly CommandFilter[] = [undefined, "dev_1", DEAD].flatMap((deviceId) =>
  [undefined, ...COMMAND_STATUSES].flatMap((status) =>
    ASKED_TYPES.flatMap((type) => RANGES.map((range) => ({ deviceId, status, type, ...range }))),
  ),
);

/** As the store has them, and so small that most of what is asked has to be searched in parts. */
const SIZES: readonly ListSizes[] = [
  { few: 1_000, firstPart: 500, largestPart: 4_000 },
  { few: 20, firstPart: 5, largestPart: 40 },
];
const CASES = ORDERS.flatMap((order) => SIZES.map((sizes) => ({ order, sizes, few: sizes.few })));

describe.each(CASES)("$order.sortBy $order.order, sorting up to $few", ({ order, sizes }) => {
  let list: CommandLister;
  beforeAll(() => {
    list = createCommandLister(database.orm, sizes);
  });
  const listed = (filter: CommandFilter, page: CommandPage) => [...list(ORG, filter, page)].flat();

  test("shows for every filter what it should, from its beginning and after any command", () => {
    // Cursors may lie outside of what the filter lets through, and in another shop's past.
    const cursors = [undefined, ...everything.filter((_, index) => index % 211 === 5)];
    for (const filter of FILTERS) {
      for (const startAfter of cursors) {
        const page = { ...order, limit: 9, startAfter };
        const found = listed(filter, page).map((one) => one.id);
        const wanted = expected(filter, page);
        if (!Bun.deepEquals(found, wanted)) {
          expect([filter, startAfter?.id, found]).toEqual([filter, startAfter?.id, wanted]);
        }
      }
    }
    expect(FILTERS.length * cursors.length).toBeGreaterThan(500);
  });

  test("shows each command once when it is paged through", () => {
    const found: string[] = [];
    let startAfter: Command | undefined;
    do {
      const page = listed({}, { ...order, limit: 7, startAfter });
      found.push(...page.map((one) => one.id));
      startAfter = page.at(-1);
    } while (startAfter);
    expect(found).toEqual(expected({}, { ...order, limit: COUNT }));
  });
});

test("the rows above include each kind that the lists tell apart", () => {
  const count = (filter: CommandFilter) =>
    expected(filter, { sortBy: "createdAt", order: "asc", limit: COUNT }).length;
  for (const status of COMMAND_STATUSES)
    expect(count({ status, deviceId: "dev_1" })).toBeGreaterThan(3);
  for (const type of TYPES) expect(count({ type, deviceId: "dev_1" })).toBeGreaterThan(3);
});

describe("a search in parts", () => {
  const search = (filter: CommandFilter, page: CommandPage) =>
    createCommandLister(database.orm, { few: 0, firstPart: 5, largestPart: 10 })(ORG, filter, page);

  test("stops between parts also where it finds nothing, and ends with its page", () => {
    const page = { order: "desc", sortBy: "createdAt", limit: 5 } as const;
    const nothing = [...search({ status: "completed", deviceId: DEAD }, page)];
    expect(nothing.length).toBeGreaterThan(3);
    expect(nothing.flat()).toEqual([]);
    const something = [...search({ status: "completed", deviceId: "dev_1" }, page)];
    expect(something.flat()).toHaveLength(5);
    expect(something.at(-1)).not.toEqual([]);
  });

  test("shows a command once that moves on meanwhile to where it still comes", () => {
    const page = { order: "asc", sortBy: "updatedAt", limit: COUNT } as const;
    const found: Command[] = [];
    for (const part of search({ deviceId: "dev_1" }, page)) {
      found.push(...part);
      for (const { id, status } of part) {
        const result = { success: true };
        if (isFinal(status)) continue;
        stores.commands.finish(id, { status: "completed", result, now: 100 * START });
      }
    }
    expect(found.map((one) => one.id)).toEqual(expected({ deviceId: "dev_1" }, page));
  });
});
