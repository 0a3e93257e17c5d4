import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { getTableColumns, getTableName, is } from "drizzle-orm";
import { type SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { AuditAction } from "#core/audit.ts";
import { type Database, openDatabase } from "../connection.ts";
import { migrate } from "../migrate.ts";
import * as schema from "../schema/index.ts";
import { shapedValue } from "../testing/shaped-value.ts";
import { createStores, type Stores } from "./index.ts";

let database: Database;
let stores: Stores;
beforeEach(() => {
  database = openDatabase(":memory:");
  // The rows below name parents that are not there.
  database.sqlite.pragma("foreign_keys = OFF");
  migrate(database, 1);
  stores = createStores(database);
});
afterEach(() => database.close());

type Row<T extends SQLiteTable> = T["$inferSelect"];

/** A row made from the columns of its table, so that it has the newest of them too. */
function rowOf<T extends SQLiteTable>(table: T, value: (column: SQLiteColumn) => unknown): Row<T> {
  const columns: Record<string, SQLiteColumn> = getTableColumns(table);
  const entries = Object.entries(columns).map(([field, column]) => [field, value(column)] as const);
  const row: object = Object.fromEntries(entries);
  if (!hasAllFields(table, row)) throw new Error("a field is missing");
  return row;
}

function hasAllFields<T extends SQLiteTable>(table: T, row: object): row is Row<T> {
  return Object.keys(getTableColumns(table)).every((field) => field in row);
}

/** A value that no other column of the row has, and that no default is. */
function distinct(column: SQLiteColumn): unknown {
  if (isMade(column)) return 1;
  const length = column.name.length;
  switch (column.dataType) {
    case "string":
      return column.enumValues?.at(-1) ?? `the ${column.name}`;
    case "number":
      return 1_000 + length * 100 + column.name.charCodeAt(0);
    case "boolean":
      return true;
    case "custom":
      if (column.name === "timezone") return "Asia/Tokyo";
      return shapedValue(column, `the ${column.name}`);
    default:
      throw new Error(`no value for a column of ${column.dataType}`);
  }
}

/** Nothing wherever the table allows it. */
function bare(column: SQLiteColumn): unknown {
  return column.notNull ? distinct(column) : null;
}

/** Made by SQLite: the first row of a table gets 1. */
function isMade(column: SQLiteColumn): boolean {
  return column.primary && column.getSQLType() === "integer";
}

interface Entrance {
  readonly table: SQLiteTable;
  /** Stores a row through the store, its fields filled by `value`. */
  readonly put: (value: (column: SQLiteColumn) => unknown) => void;
}

function entrance<T extends SQLiteTable>(table: T, put: (row: Row<T>) => void): Entrance {
  return { table, put: (value) => put(rowOf(table, value)) };
}

const ENTRANCES: readonly Entrance[] = [
  entrance(schema.alertHistory, (row) => stores.alertHistory.append(row)),
  entrance(schema.apiKeys, (row) => stores.apiKeys.insert(row)),
  entrance(schema.applianceValues, ({ name, value }) => {
    stores.appliance.getOrCreate(name, () => value);
  }),
  entrance(schema.auditEntries, ({ action, ...row }) => {
    stores.audit.append({ ...row, action: action as AuditAction });
  }),
  entrance(schema.closings, ({ deviceId, ...row }) => stores.closings.note(deviceId, row)),
  entrance(schema.commands, (row) => stores.commands.insert(row)),
  entrance(schema.connectionEvents, (row) => stores.connectionEvents.append(row)),
  entrance(schema.controllers, ({ orgId, controllerId, createdAt, ...change }) => {
    // What is first said of a controller is when its row was made.
    stores.controllers.put(orgId, controllerId, { updatedAt: createdAt });
    stores.controllers.put(orgId, controllerId, change);
  }),
  entrance(schema.devices, (row) => stores.devices.insert(row)),
  entrance(schema.events, (row) => stores.events.insert(row)),
  entrance(schema.idempotencyKeys, (row) => stores.idempotency.put(row)),
  entrance(schema.locations, (row) => stores.locations.insert(row)),
  entrance(schema.openQuestions, (row) => stores.openQuestions.raise(row)),
  entrance(schema.organizations, (row) => stores.organizations.insert(row)),
  entrance(schema.outcomeHolds, (row) => {
    stores.outcomeHolds.raise(row);
    const { outcome, resolvedBy, resolvedAt, fiscalId, raisedOrder, resolvedOrder } = row;
    if (outcome !== null && resolvedBy !== null && resolvedAt !== null) {
      const settled = { outcome, resolvedBy, resolvedAt, fiscalId };
      stores.outcomeHolds.resolve(row.orgId, row.commandId, settled);
    }
    // The store takes these from the moment, not from a caller.
    database.orm.update(schema.outcomeHolds).set({ raisedOrder, resolvedOrder }).run();
  }),
  entrance(schema.passwordCodes, (row) => stores.passwordCodes.insert(row)),
  entrance(schema.receipts, (row) => stores.receipts.insert(row)),
  entrance(schema.guesses, (row) => stores.guesses.put(row)),
  entrance(schema.knownAddresses, (row) => stores.guesses.noteAddress(row)),
  entrance(schema.reports, (row) => stores.reports.insert(row)),
  entrance(schema.documentChecks, (row) => {
    stores.documentChecks.raise(row);
  }),
  entrance(schema.restoredPrinters, (row) => {
    stores.restoredPrinters.raise(row);
    stores.restoredPrinters.update(row.deviceId, { state: row.state, questionId: row.questionId });
  }),
  entrance(schema.reversals, (row) => stores.reversals.add(row)),
  entrance(schema.toldAlerts, ({ deviceId, alerts }) => stores.toldAlerts.put(deviceId, alerts)),
  entrance(schema.refreshTokens, (row) => stores.users.insertToken(row)),
  entrance(schema.userSessions, (row) => stores.users.insertSession(row)),
  entrance(schema.users, (row) => stores.users.insert(row)),
  entrance(schema.webhookDeliveries, (row) => stores.webhookDeliveries.insert(row)),
  entrance(schema.webhooks, (row) => stores.webhooks.insert(row)),
];

const NAMED = ENTRANCES.map((one) => [getTableName(one.table), one] as const);

describe("a row that a store takes", () => {
  test("is tried for every table there is", () => {
    const tables = Object.values(schema).filter((one) => is(one, SQLiteTable));
    const names = tables.map((table): string => getTableName(table)).toSorted();
    expect(NAMED.map(([name]) => name).toSorted()).toEqual(names);
  });

  test.each(NAMED)("comes back from %s with every column", (_name, { table, put }) => {
    put(distinct);
    expect(database.orm.select().from(table).all()).toEqual([rowOf(table, distinct)]);
  });

  test.each(NAMED)("leaves empty in %s what is empty", (name, { table, put }) => {
    put(bare);
    const columns: readonly SQLiteColumn[] = Object.values(getTableColumns(table));
    for (const column of columns) {
      const isNull = database.sqlite.prepare(`SELECT ${column.name} IS NULL FROM ${name}`).pluck();
      expect([column.name, isNull.get()]).toEqual([column.name, column.notNull ? 0 : 1]);
    }
  });

  test("replaces all of an answer that was kept under the same key", () => {
    const first = rowOf(schema.idempotencyKeys, distinct);
    const { orgId, key } = first;
    stores.idempotency.put(first);
    const second = rowOf(schema.idempotencyKeys, (column) =>
      column.dataType === "number" ? 7 : `another ${column.name}`,
    );
    stores.idempotency.put({ ...second, orgId, key });
    expect(database.orm.select().from(schema.idempotencyKeys).all()).toEqual([
      { ...second, orgId, key },
    ]);
  });
});
