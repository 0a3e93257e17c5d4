/** Behind a repair that lost the newest events, what happens next comes behind all that is known. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "#db/connection.ts";
import { migrate } from "#db/migrate.ts";
import { orderColumns } from "#db/salvage-order.ts";
import { createStores, type Stores } from "#db/stores/index.ts";
import { stateFiles } from "../config/state-files.ts";
import { spoilPage, spoilRootPage } from "../e2e/harness/spoil-pages.ts";
import { withDatabase } from "../e2e/harness/stopped-shop.ts";
import { repairState } from "./repair-state.ts";

const ORG = "org";
const PRINTER = { serialNumber: "X1", fiscalMemorySerialNumber: null, address: null };
const usualPlace = () => ({ currency: "EUR", timezone: "UTC" }) as const;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-order-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function inStores<T>(stateDir: string, work: (stores: Stores) => T): T {
  const database = openDatabase(stateFiles(stateDir).database);
  try {
    migrate(database, 1);
    // One commit: each waits for the disk.
    return database.sqlite.transaction(() => work(createStores(database)))();
  } finally {
    database.close();
  }
}

const eventId = (nth: number) => `evt_${String(nth).padStart(26, "0")}`;
const EVENTS = 2_000;
const SAID_AFTER = 1_990;

const say = ({ outcomeHolds }: Stores, commandId: string): number | null | undefined => {
  outcomeHolds.raise({ commandId, orgId: ORG, deviceId: "dev_1", ...PRINTER, raisedAt: 1 });
  const word = { outcome: "not_printed", fiscalId: null, resolvedBy: "usr_1" } as const;
  expect(outcomeHolds.resolve(ORG, commandId, { ...word, resolvedAt: 1 })).toBe(true);
  return outcomeHolds.find(commandId)?.resolvedOrder;
};

function tell({ events }: Stores, id: string): number {
  const event = { orgId: ORG, type: "controller.connected", subjectId: "c1", data: {} } as const;
  return events.insert({ id, ...event, createdAt: 1 });
}

function placeOf({ events }: Stores, id: string): number | undefined {
  const search = events.seqOf(ORG, id);
  for (;;) {
    const { done, value } = search.next();
    if (done === true) return value;
  }
}

/** A shop with events, of which a word was said shortly before the newest. */
function usedState(name: string): string {
  const stateDir = join(folder, name);
  mkdirSync(stateDir);
  inStores(stateDir, (stores) => {
    stores.organizations.insert({
      ...{ id: ORG, name: "Shop", currency: "RON", timezone: "UTC", plan: "free" },
      ...{ createdAt: 1, updatedAt: 1 },
    });
    for (let nth = 1; nth <= EVENTS; nth += 1) {
      if (nth === SAID_AFTER + 1) expect(say(stores, "cmd_1")).toBe(SAID_AFTER);
      tell(stores, eventId(nth));
    }
  });
  withDatabase(stateFiles(stateDir).database, () => undefined);
  return stateDir;
}

const newestPage = (file: string): number =>
  withDatabase(
    file,
    (database) =>
      database
        .query<{ pageno: number }, []>(
          "SELECT pageno FROM dbstat WHERE name = 'events' AND pagetype = 'leaf' ORDER BY path DESC",
        )
        .get()?.pageno ?? 0,
  );

const LOSSES: Readonly<Record<string, (file: string) => void>> = {
  "the newest of them": (file) => spoilPage(file, newestPage(file)),
  "all of them": (file) => spoilRootPage(file, "events"),
  "all behind a word": (file) =>
    withDatabase(file, (database) =>
      database.run("DELETE FROM events WHERE seq > ?", [SAID_AFTER]),
    ),
};

test.each(Object.keys(LOSSES))("without %s", (loss) => {
  const stateDir = usedState(loss.replaceAll(" ", "-"));
  LOSSES[loss]?.(stateFiles(stateDir).database);
  const { tables } = repairState(stateDir, { now: 2, usualPlace });
  const saved = tables.find(({ table }) => table === "events")?.saved ?? 0;
  expect(saved).toBeLessThanOrEqual(SAID_AFTER);
  inStores(stateDir, (stores) => {
    // Also where nothing was told before it.
    expect(say(stores, "cmd_2")).toBeGreaterThan(SAID_AFTER);
    const seq = tell(stores, eventId(EVENTS + 1));
    expect(say(stores, "cmd_3")).toBe(seq);
    // Whoever listens goes on behind what they heard, or hears that it is not kept.
    expect(placeOf(stores, eventId(EVENTS + 1))).toBe(seq);
    expect(placeOf(stores, eventId(saved))).toBe(saved === 0 ? undefined : saved);
    expect(placeOf(stores, eventId(EVENTS))).toBeUndefined();
  });
  // What stands for the lost ones is nobody's.
  expect(repairState(stateDir, { now: 3, usualPlace }).recovered.shops).toEqual([]);
});

/** What makes no order of one that a row keeps. */
const NO_ORDER: Readonly<Record<string, (file: string) => void>> = {
  "that was written over": (file) =>
    withDatabase(file, (database) =>
      database.run("UPDATE outcome_holds SET resolved_order = 9000000000000000000"),
    ),
  "that an older version did not keep, where nothing tells of the version": (file) => {
    withDatabase(file, (database) => {
      database.run("DROP INDEX outcome_holds_settled");
      database.run("ALTER TABLE outcome_holds DROP COLUMN resolved_order");
    });
    spoilRootPage(file, "schema_migrations");
  },
};

test.each(Object.keys(NO_ORDER))("an order %s counts as one of before", (loss) => {
  const stateDir = usedState(loss.slice(0, 20).replaceAll(" ", "-"));
  NO_ORDER[loss]?.(stateFiles(stateDir).database);
  repairState(stateDir, { now: 2, usualPlace });
  inStores(stateDir, (stores) => {
    expect(stores.outcomeHolds.find("cmd_1")?.resolvedOrder).toBe(0);
    expect(stores.events.lastSeq()).toBe(EVENTS);
  });
});

test("every column of an order is looked at", () => {
  expect(
    orderColumns()
      .map(({ table, column }) => `${table}.${column}`)
      .toSorted(),
  ).toEqual([
    "commands.accepted_order",
    "commands.finished_order",
    "commands.sent_order",
    "document_checks.accepted_order",
    "outcome_holds.raised_order",
    "outcome_holds.resolved_order",
  ]);
});
