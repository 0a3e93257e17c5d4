/** What reversals of older versions become once each has a row of what its order names. */

import { expect, test } from "bun:test";
import {
  type PrintReversalReceiptPayload,
  toStornoDocument,
} from "#core/command/types/print-reversal-receipt.ts";
import { type Database, openDatabase } from "./connection.ts";
import { migrate } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { namedPaper } from "./stores/accepted-reversal.ts";
import { createStores } from "./stores/index.ts";

const BEFORE = MIGRATIONS.findIndex(({ name }) => name === "0043_reversal_facts");
const ISSUED = "2026-01-15T09:00:00+02:00";
const RESULT = { success: true, fiscalId: "10", data: { settledBy: "usr_1" } };

/** A database of the version before. */
function older() {
  const database = openDatabase(":memory:");
  migrate(database, 1, MIGRATIONS.slice(0, BEFORE));
  return { database, put: (table: string, row: object) => put(database, table, row) };
}

/** A row, with something in all that has to have something. */
function put({ sqlite }: Database, table: string, row: object): void {
  const columns = sqlite
    .prepare<[string], { name: string; type: string; notnull: number; dflt_value: unknown }>(
      'SELECT name, type, "notnull", dflt_value FROM pragma_table_info(?)',
    )
    .all(table);
  const filled = columns
    .filter(({ notnull, dflt_value }) => notnull === 1 && dflt_value === null)
    .map(({ name, type }) => [name, /^int/i.test(type) ? 0 : "[]"]);
  const whole = { ...Object.fromEntries(filled), ...row };
  const names = Object.keys(whole);
  sqlite
    .prepare(`INSERT INTO ${table} (${names.join()}) VALUES (${names.map(() => "?").join()})`)
    .run(...Object.values(whole));
}

let seq = 0;
function command(id: string, type: string, row: object = {}) {
  seq += 1;
  const asked = { org_id: "org_1", device_id: "dev_1", status: "completed", payload: "{}" };
  return { id, seq, type, source: "api", ...asked, ...row };
}

function reversal(id: string, number: string, row: object = {}) {
  const payload = JSON.stringify({
    uniqueSaleNumber: " dt000600-0001-0000042",
    originalReceiptNumber: number,
    originalReceiptDateTime: ISSUED,
    ...{ fiscalMemorySerialNumber: "02000600", reason: "operator-error", items: [] },
  });
  return command(id, "print_reversal_receipt", { payload, ...row });
}

const receipt = (id: string, row: object = {}) => ({
  ...{ id, org_id: "org_1", device_id: "dev_1", type: "sale", currency: "BGN", source: "command" },
  ...row,
});

/** What the next version makes of it. */
function updated(database: Database) {
  migrate(database, 2);
  return createStores(database);
}

test("sales have their numbers by the word by which they had them when they ended", () => {
  const { database, put: add } = older();
  const sales = {
    rct_printer: { fiscal_id: "27" },
    rct_receipt: { receipt_number: "27" },
    rct_nobody: {},
    rct_person: { fiscal_id: "28" },
    rct_proven: { fiscal_id: "29" },
    rct_gone: { fiscal_id: "30" },
    rct_till: { fiscal_id: "31", source: "api", command_id: null },
  };
  for (const [id, row] of Object.entries(sales)) {
    add("receipts", receipt(id, { command_id: id.replace("rct", "cmd"), ...row }));
  }
  const hold = { org_id: "org_1", device_id: "dev_1", outcome: "printed", resolved_at: 1 };
  add("outcome_holds", { ...hold, command_id: "cmd_person", fiscal_id: "28" });
  add("outcome_holds", { ...hold, command_id: "cmd_proven", fiscal_id: null });
  add("commands", command("cmd_gone", "print_receipt", { result: JSON.stringify(RESULT) }));
  add("commands", command("cmd_printer", "print_receipt", { result: "no JSON" }));
  const { receipts } = updated(database);
  const tellers = Object.keys(sales).map((id) => receipts.get("org_1", id)?.numberBy);
  expect(tellers).toEqual(["printer", "printer", "none", "person", "none", "person", "till"]);
  const named = database.sqlite.prepare(
    "SELECT count(*) AS found FROM receipts WHERE number_by = 'none' AND fiscal_id IS NOT NULL",
  );
  expect(named.get()).toEqual({ found: 1 });
});

test("numbers are written as the orders that come name them", () => {
  const { database, put: add } = older();
  const numbers = ["34", "0034", " 0000034 ", "12-34", "0012-0034", "A33", "rct_1", "0"];
  for (const [at, number] of numbers.entries()) {
    add("commands", reversal(`cmd_${at}`, number, { status: "pending" }));
  }
  const { commands, reversals } = updated(database);
  for (const at of numbers.keys()) {
    const { payload } = commands.get("org_1", `cmd_${at}`) ?? {};
    const document = toStornoDocument(payload as PrintReversalReceiptPayload, "Europe/Sofia");
    const { number, saleNumber, namedAt, memory, zNumber } = namedPaper(document);
    // A row of an older version may lack the last zero, which names no paper.
    expect(reversals.of(`cmd_${at}`)).toMatchObject({
      ...{ number: number === "0" ? "" : number, saleNumber, namedAt },
      ...{ memory, zNumber },
      ...{ acceptedFor: null, isSure: false, items: null, stands: true },
    });
  }
});

test("what they were reserved for, or counted on, they were accepted for", () => {
  const { database, put: add } = older();
  const unread = { command_id: "cmd_unread", unique_sale_number: "DT000600-0001-0000042" };
  add("receipts", receipt("rct_sale", { fiscal_id: "34", receipt_number: "34" }));
  add("receipts", receipt("rct_unread", unread));
  const reserved = { org_id: "org_1", items: "[]", amount_minor: 100, currency: "BGN" };
  const scenes = {
    cmd_waits: { original_receipt_id: "rct_sale", stands: 1 },
    cmd_printed: { original_receipt_id: "rct_sale", stands: 0 },
    cmd_refused: { original_receipt_id: "rct_sale", stands: 0 },
    cmd_misnamed: { original_receipt_id: "rct_sale", stands: 1, number: "35" },
    cmd_by_id: { original_receipt_id: "rct_unread", stands: 1, number: "rct_unread" },
  };
  for (const [id, { number = "0034", ...row }] of Object.entries(
    scenes as Record<string, { number?: string }>,
  )) {
    add("commands", reversal(id, number));
    add("reversals", { ...reserved, ...row, command_id: id });
  }
  const storno = (id: string, original: string | null) =>
    receipt(`rct_${id}`, { command_id: id, type: "storno", original_receipt_id: original });
  add("receipts", storno("cmd_printed", "rct_sale"));
  for (const [id, original] of [
    ["cmd_linked", "rct_sale"],
    ["cmd_of_unread", "rct_unread"],
    ["cmd_of_none", null],
  ] as const) {
    add("commands", reversal(id, "0034"));
    add("receipts", storno(id, original));
  }
  add("reversals", {
    ...{ ...reserved, command_id: "cmd_purged", original_receipt_id: "rct_sale", stands: 0 },
  });
  add("receipts", storno("cmd_purged", "rct_sale"));
  const { reversals } = updated(database);
  const rows = Object.fromEntries(
    [...Object.keys(scenes), "cmd_linked", "cmd_of_unread", "cmd_of_none", "cmd_purged"].map(
      (id) => {
        const { acceptedFor, isSure, stands } = reversals.of(id) ?? {};
        return [id, [acceptedFor, isSure, stands]];
      },
    ),
  );
  expect(rows).toEqual({
    cmd_waits: ["rct_sale", true, true],
    cmd_printed: ["rct_sale", true, true],
    cmd_refused: ["rct_sale", true, false],
    cmd_misnamed: ["rct_sale", false, true],
    cmd_by_id: ["rct_unread", true, true],
    cmd_linked: ["rct_sale", true, true],
    cmd_of_unread: [null, false, true],
    cmd_of_none: [null, false, true],
    cmd_purged: ["rct_sale", true, true],
  });
});

test("what neither ended nor is known to be printed stands", () => {
  const { database, put: add } = older();
  const states = {
    cmd_pending: { status: "pending" },
    cmd_out: { status: "sent" },
    cmd_doubted: { status: "failed" },
    cmd_failed: { status: "failed" },
    cmd_damaged: { status: "pending", payload: "{" },
  };
  for (const [id, row] of Object.entries(states)) add("commands", reversal(id, "51", row));
  const hold = { org_id: "org_1", device_id: "dev_1", resolved_at: null };
  add("outcome_holds", { ...hold, command_id: "cmd_doubted" });
  const { reversals } = updated(database);
  const standing = Object.keys(states).map((id) => reversals.of(id)?.stands);
  expect(standing).toEqual([true, true, true, false, true]);
});
