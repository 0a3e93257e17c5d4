/**
 * How SQLite goes about each statement of the stores, with and without the statistics that ANALYZE
 * leaves. A table that grows with the years may be entered through an index only, at the place
 * where the answer is.
 */

import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import { COMMAND_STATUSES, type CommandResult } from "#core/command/command.ts";
import { ALERT_STATES } from "#core/device/alert-history.ts";
import type { NamedSale } from "#core/named-sale.ts";
import type { ReceiptPrinter } from "#core/receipt-record.ts";
import { RECEIPT_TYPES } from "#core/receipt-record.ts";
import { toReportFigures } from "#core/report-record.ts";
import { type Database, openDatabase } from "../connection.ts";
import { migrate } from "../migrate.ts";
import { AUDIT_INDEXES } from "../schema/audit.ts";
import { COMMAND_INDEXES } from "../schema/commands.ts";
import { RECEIPT_INDEXES } from "../schema/receipts.ts";
import { HISTORY, seedHistory } from "../testing/seed-history.ts";
import type { AlertHistoryFilter, NewPastAlert } from "./alert-history.ts";
import type { AuditEntry, AuditFilter } from "./audit.ts";
import { createAuditPeriod } from "./audit-period.ts";
import { type CommandFilter, type CommandPage, createCommandLister } from "./command-list.ts";
import { createStores, type Stores } from "./index.ts";
import { createReceiptLister, type ReceiptFilter, type ReceiptPage } from "./receipt-list.ts";
import type { ReportFilter } from "./report-list.ts";

const { orgId } = HISTORY;

const GROWING =
  /^(SCAN|SEARCH) (commands|receipts|reports|reversals|alert_history|audit_entries|connection_events|events|idempotency_keys|outcome_holds|refresh_tokens|user_sessions|password_codes|webhook_deliveries)\b/;

/** These hold what is not final or not settled, or lead to a few rows: there may be a sort. */
const SMALL_INDEX =
  /USING (COVERING )?INDEX (commands_unfinished\b|outcome_holds_open\b|alert_history_to_end\b|webhook_deliveries_waiting\b|receipts_by_fiscal_id \(org_id=\? AND fiscal_id=\?|receipts_by_original \(original_receipt_id=\?)/;
/**
 * In the order of the index, up to the limit, without any other condition, or passing over the few
 * alerts that stand.
 */
const BOUNDED = /USING INDEX (audit_entries_by_org|alert_history_by_org|alert_history_standing) /;

let database: Database;
/** Every SQL text that a store prepared. */
let statements: readonly string[];

beforeAll(() => {
  database = openDatabase(":memory:");
  migrate(database, 1);
  seedHistory(database, {
    ...{ commands: 2_000, reports: 200, alerts: 2_000, keys: { count: 1_000, at: 1 } },
  });
  const prepare = spyOn(database.sqlite, "prepare");
  const stores = createStores(database);
  for (const calls of Object.values(callsOf(stores))) {
    for (const call of Object.values(calls)) call();
  }
  // One that searches where the other sorts, because for it nothing is little.
  const searching = createCommandLister(database.orm, SEARCHING);
  for (const filter of FILTERS) {
    for (const page of PAGES) expect([...searching(orgId, filter, page)].length).toBePositive();
  }
  const searchingReceipts = createReceiptLister(database.orm, SEARCHING);
  for (const filter of RECEIPT_FILTERS) {
    for (const page of RECEIPT_PAGES) {
      expect([...searchingReceipts(orgId, filter, page)].length).toBePositive();
    }
  }
  const searchingAudit = createAuditPeriod(database.orm, SEARCHING);
  const { actor, resource } = ENTRY;
  for (const filter of [{ actor }, { actor: [actor, "user:usr_1"] }, { resource }]) {
    for (const order of ["asc", "desc"] as const) {
      for (const period of [{ from: 1 }, { from: 1, to: 2 }]) {
        expect([
          ...searchingAudit(orgId, { ...filter, ...period }, { order, ...BY_TIME }),
        ]).toBeArray();
      }
    }
  }
  statements = [...new Set(prepare.mock.calls.map(([text]) => text))];
  prepare.mockRestore();
});
afterAll(() => database.close());

/** How SQLite would run a statement, a line for each step. */
function planOf(text: string): string[] {
  const parameters = Array.from(text.matchAll(/\?/g), () => null);
  return database.sqlite
    .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`)
    .all(...parameters)
    .map(({ detail }) => detail);
}

function faultsOf(text: string): string[] {
  const plan = planOf(text);
  // What a subquery yields up to its own limit may be read whole and sorted.
  const [, limited] = / limit \d+\) "(commands|receipts)"/.exec(text) ?? [];
  const isLimited = limited !== undefined && plan[0] === `CO-ROUTINE ${limited}`;
  const reads = plan
    .filter((step) => GROWING.test(step) && !SMALL_INDEX.test(step))
    .filter((step) => !(isLimited && step === `SCAN ${limited}`));
  // To sort is to read all before the first row is known; of a merge only the small arm sorts.
  const mayOrder = isLimited || plan.includes("MERGE (UNION ALL)");
  return reads.filter(
    (step) =>
      step.startsWith("SCAN") ||
      (/\(org_id=\?( AND simulated=\?)?\)$/.test(step) && !BOUNDED.test(step)) ||
      (plan.some((other) => other.includes("TEMP B-TREE")) && !mayOrder),
  );
}

const PAGES: readonly Omit<CommandPage, "startAfter">[] = (
  ["createdAt", "updatedAt"] as const
).flatMap((sortBy) => (["asc", "desc"] as const).map((order) => ({ sortBy, order, limit: 10 })));
const TYPES: readonly CommandFilter["type"][] = [
  ...([undefined, "x_report", "print_receipt"] as const),
  ["x_report", "print_receipt", "get_status"],
];
const FILTERS: readonly CommandFilter[] = [undefined, HISTORY.deviceId(1)].flatMap((deviceId) =>
  [undefined, ...COMMAND_STATUSES].flatMap((status) =>
    TYPES.flatMap((type) => [
      { deviceId, status, type },
      { deviceId, status, type, from: 1, to: 2 },
    ]),
  ),
);

/** All of one kind, and one alone. */
const DEVICES = [{}, { simulated: true }, { deviceId: HISTORY.deviceId(1) }];
const REPORT_FILTERS: readonly ReportFilter[] = DEVICES.flatMap((device) =>
  ([undefined, "z_report"] as const).map((type) => ({ ...device, type, from: 1 })),
);
/** A part of a device's books. */
const SPAN = { after: { at: 1, key: "" }, upTo: { at: 2, key: "" }, limit: 10 };
const RECEIPT_PAGES: readonly Omit<ReceiptPage, "startAfter">[] = (
  ["createdAt", "issuedAt", "bookedAt", "totalMinor"] as const
).flatMap((sortBy) => (["asc", "desc"] as const).map((order) => ({ sortBy, order, limit: 10 })));
const RECEIPT_FILTERS: readonly ReceiptFilter[] = DEVICES.flatMap((device) =>
  [undefined, ...RECEIPT_TYPES].flatMap((type) =>
    [undefined, "7"].flatMap((fiscalId) =>
      [undefined, "bread"].flatMap((q) => [
        { ...device, type, fiscalId, q },
        { ...device, type, fiscalId, q, from: 1, to: 2 },
        { ...device, type, fiscalId, q, from: 1, to: 2, time: "bookedAt" },
        { ...device, type, fiscalId, q, originalReceiptId: "rct_1" },
      ]),
    ),
  ),
);
const PAPER = {
  ...{ fiscalId: "1", receiptNumber: "1", zReportNumber: null },
  ...{ fiscalMemorySerialNumber: null, issuedAt: 0, payments: [] },
};
const PRINTER: ReceiptPrinter = {
  ...{ orgId: "org_1", records: ["dev_1"], fiscalMemorySerialNumber: "02000600" },
  ...{ serialNumber: "DT000600", simulated: false },
};
const NAMED: NamedSale = {
  by: PRINTER,
  ...{ numbers: ["1"], issuedAt: 1, fiscalMemorySerialNumber: "02000600" },
  ...{ zReportNumber: "12", uniqueSaleNumber: null },
};
/** Nothing is little. */
const SEARCHING = { few: 0, firstPart: 200, largestPart: 200 };

/** The stores of the tables that grow. */
type GrowingStores = Pick<
  Stores,
  | "alertHistory"
  | "audit"
  | "bookedReceipts"
  | "commands"
  | "connectionEvents"
  | "events"
  | "idempotency"
  | "outcomeHolds"
  | "passwordCodes"
  | "receipts"
  | "reports"
  | "reversals"
  | "users"
  | "webhookDeliveries"
>;
/** A call of each function that they have, so that a new one has to be added here. */
type Calls = { [S in keyof GrowingStores]: Record<keyof GrowingStores[S], () => unknown> };

/** An insert of a row reads nothing. */
const insert = () => undefined;
const NOW = { now: 1 };
const ENDED = { until: 1, now: 2 };

function callsOf(stores: Stores): Calls {
  const { audit, bookedReceipts, commands, connectionEvents, events, idempotency } = stores;
  const { outcomeHolds, passwordCodes, receipts, reports, reversals, users } = stores;
  const { alertHistory, webhookDeliveries } = stores;
  const settled = { outcome: "printed", fiscalId: null, resolvedBy: "", resolvedAt: 1 } as const;
  return {
    alertHistory: {
      append: () => alertHistory.append(PAST_ALERT),
      end: () =>
        [{}, { commandId: "cmd_1" }].map((about) =>
          alertHistory.end("dev_none", { type: "paper_out", ...about }, ENDING),
        ),
      get: () => alertHistory.get("org_1", 1),
      page: () =>
        (["asc", "desc"] as const).flatMap((order) =>
          [undefined, { ...PAST_ALERT, seq: 5 }].map((startAfter) =>
            ALERT_FILTERS.map((filter) =>
              alertHistory.page("org_1", { filter, limit: 10, order, startAfter }),
            ),
          ),
        ),
      purge: () => alertHistory.purge(0),
    },
    audit: {
      ...{ append: insert, appendOf: insert },
      appendNote: () => audit.appendNote(NO_TRANSACTION, { ...ENTRY, ...NOTE }),
      list: () => audit.list("org_1", 10),
      get: () => audit.get("org_1", 1),
      isRepeated: () =>
        audit.isRepeated({ ...ENTRY, controllerId: "c1", action: "command.report_refused" }),
      last: () => audit.last({ ...ENTRY, action: "device.released" }),
      listProofs: () => audit.listProofs("org_1", "cmd_1"),
      listTold: () => audit.listTold("org_1", ["1"]),
      page: () =>
        (["asc", "desc"] as const).flatMap((order) =>
          [undefined, ENTRY].map((startAfter) =>
            AUDIT_FILTERS.map((filter) =>
              audit.page("org_1", { filter, limit: 10, order, startAfter }),
            ),
          ),
        ),
      period: () =>
        (["asc", "desc"] as const).flatMap((order) =>
          AUDIT_FILTERS.flatMap((filter) => [
            ...audit.period("org_1", { ...filter, from: 1, to: 2 }, { order, ...BY_TIME }),
          ]),
        ),
      listSince: () => [...audit.listSince("plan.changed", 1)],
    },
    bookedReceipts: {
      last: () => bookedReceipts.last(orgId, HISTORY.deviceId(1)),
      list: () => bookedReceipts.list(orgId, HISTORY.deviceId(1), SPAN),
      listTotals: () => bookedReceipts.listTotals(orgId, HISTORY.deviceId(1), SPAN),
      devices: () => bookedReceipts.devices(orgId),
    },
    commands: {
      insert,
      orderNow: () => commands.orderNow(),
      get: () => commands.get("org_1", "cmd_1"),
      handOver: () => commands.handOver("cmd_1", "ctl_1"),
      noteFormer: () => commands.noteFormer("cmd_1", "ctl_1"),
      noteSentTo: () => commands.noteSentTo("cmd_1", "192.168.1.20:9100"),
      putBack: () => commands.putBack("cmd_1", 1),
      nextPending: () => [true, false].map((held) => commands.nextPending("dev_none", held)),
      isOneOut: () => commands.isOneOut("dev_1"),
      findOut: () => commands.findOut("dev_none"),
      markSent: () => commands.markSent("cmd_1", "ctl_1", 1),
      markProcessing: () => commands.markProcessing("cmd_1", 1),
      presumeMark: () => commands.presumeMark("cmd_1", "committing", 1),
      setMark: () => commands.setMark("cmd_1", { mark: "baseline", baseline: undefined, ...NOW }),
      finish: () => commands.finish("cmd_1", { status: "failed", result: FAILED, ...NOW }),
      forgetSecrets: () => commands.forgetSecrets("cmd_1"),
      listUnfinished: () => [{}, { deviceId: "dev_1" }].map((of) => commands.listUnfinished(of)),
      countUnfinished: () => commands.countUnfinished(),
      countPending: () => commands.countPending("dev_1"),
      newestPrinted: () => commands.newestPrinted(HISTORY.deviceId(1)),
      lastDocumentAnswer: () => commands.lastDocumentAnswer(HISTORY.deviceId(1)),
      listPrinted: () => [...commands.listPrinted(HISTORY.deviceId(1))],
      shiftExpiry: () => commands.shiftExpiry(0),
      purge: () => commands.purge(ENDED),
      list: () =>
        FILTERS.map((filter) => PAGES.map((page) => [...commands.list(orgId, filter, page)])),
    },
    connectionEvents: {
      append: insert,
      latest: () => connectionEvents.latest("dev_1", 20),
      purge: () => connectionEvents.purge(ENDED),
    },
    events: {
      insert,
      leaveOut: insert,
      listAfter: () => events.listAfter(1, 10),
      lastSeq: () => events.lastSeq(),
      seqOf: () => [...events.seqOf(orgId, "evt_1")],
      purge: () => events.purge(ENDED),
    },
    idempotency: {
      get: () => idempotency.get("org_1", "key"),
      put: insert,
      purge: () => idempotency.purge(0),
    },
    outcomeHolds: {
      raise: insert,
      get: () => outcomeHolds.get("org_1", "cmd_1"),
      find: () => outcomeHolds.find("cmd_1"),
      listOpen: () => outcomeHolds.listOpen(),
      listSaidDocuments: () => outcomeHolds.listSaidDocuments("org_1", 10),
      reopen: () => outcomeHolds.reopen("cmd_none"),
      resolve: () => outcomeHolds.resolve("org_1", "cmd_none", settled),
      correct: () => outcomeHolds.correct("org_1", "cmd_none", settled),
    },
    passwordCodes: {
      insert,
      find: () => passwordCodes.find("none"),
      shift: () => passwordCodes.shift(0),
      removeOfUser: () => passwordCodes.removeOfUser("usr_none"),
      purge: () => passwordCodes.purge(0),
    },
    receipts: {
      insert,
      get: () => receipts.get("org_1", "rct_1"),
      findByIdOrFiscalId: () => receipts.findByIdOrFiscalId(PRINTER, "1"),
      listNumbered: () => receipts.listNumbered(PRINTER, "1"),
      listSalesNumbered: () => receipts.listSalesNumbered(PRINTER, "1"),
      listNamed: () => receipts.listNamed("org_1", NAMED),
      ofCommand: () => receipts.ofCommand("cmd_1"),
      listUnnumbered: () => receipts.listUnnumbered("org_1", "DT000600-0001-0000001"),
      listElsewhere: () => receipts.listElsewhere(PRINTER, 1),
      listReversing: () => receipts.listReversing("org_1", "rct_1"),
      number: () => receipts.number("rct_none", PAPER),
      correct: () => receipts.correct("rct_none", PAPER),
      setOriginal: () => receipts.setOriginal("rct_none", "rct_1"),
      list: () =>
        RECEIPT_FILTERS.map((filter) =>
          RECEIPT_PAGES.map((page) => [...receipts.list(orgId, filter, page)]),
        ),
    },
    reversals: {
      add: insert,
      of: () => reversals.of("cmd_1"),
      listAcceptedFor: () => reversals.listAcceptedFor("org_1", "rct_1"),
      listNaming: () =>
        reversals.listNaming("org_1", {
          ...{ number: "34", at: 1, memories: ["2000600"], zNumber: "12" },
        }),
      listNamingSale: () => reversals.listNamingSale("org_1", "DT000600-0001-0000001", 1),
      name: () =>
        reversals.name("cmd_none", {
          ...{ number: "34", namedAt: 1, memory: null, zNumber: null, saleNumber: null },
        }),
      setStands: () => reversals.setStands("cmd_1", false),
    },
    reports: {
      insert,
      get: () => reports.get("org_1", "rpt_1"),
      complete: () => reports.complete("rpt_none", toReportFigures("z_report")),
      ofCommand: () => reports.ofCommand("cmd_1"),
      list: () =>
        REPORT_FILTERS.map((filter) =>
          (["asc", "desc"] as const).map((order) => [
            ...reports.list(orgId, filter, { sortBy: "createdAt", order, limit: 10 }),
          ]),
        ),
      listBooked: () => reports.listBooked(orgId, HISTORY.deviceId(1), SPAN),
      listClosings: () => reports.listClosings(orgId, HISTORY.deviceId(1), SPAN),
      lastClosing: () => reports.lastClosing(orgId, HISTORY.deviceId(1), SPAN.upTo),
      devices: () => reports.devices(orgId),
    },
    users: {
      ...{ insert, insertSession: insert, insertToken: insert },
      get: () => users.get("org_1", "usr_1"),
      findByEmail: () => users.findByEmail("none"),
      count: () => users.count("org_1"),
      list: () => users.list("org_1"),
      hasOwner: () => users.hasOwner("org_1"),
      setPassword: () => users.setPassword("org_1", "usr_1", { passwordHash: "", ...NOW }),
      setActive: () => users.setActive("org_1", "usr_1", { active: true, ...NOW }),
      update: () => users.update("org_1", "usr_1", { role: "admin", updatedAt: 1 }),
      remove: () => users.remove("org_1", "usr_none"),
      noteLogin: () => users.noteLogin("org_1", "usr_1", 1),
      getSession: () => users.getSession("org_1", "ses_1"),
      endSession: () => users.endSession("org_1", "ses_1", 1),
      endSessionsOfUser: () =>
        [NOW, { ...NOW, except: "ses_1" }].map((how) =>
          users.endSessionsOfUser("org_1", "usr_1", how),
        ),
      extendSession: () => users.extendSession("org_1", "ses_1", 1),
      purgeSessions: () => users.purgeSessions(0),
      findToken: () => users.findToken("none"),
      markRotated: () => users.markRotated("none", 1),
    },
    webhookDeliveries: {
      insert,
      get: () => webhookDeliveries.get("whk_1", "dlv_1"),
      list: () => [
        webhookDeliveries.list("whk_1", { limit: 10 }),
        webhookDeliveries.list("whk_1", { status: "failed", limit: 10 }),
      ],
      nextWaiting: () => webhookDeliveries.nextWaiting("whk_1"),
      webhooksWaitedFor: () => webhookDeliveries.webhooksWaitedFor(),
      hasten: () => webhookDeliveries.hasten(1, 1),
      progress: () =>
        webhookDeliveries.progress(1, {
          ...{ status: "success", attempt: 1, httpStatus: 204, responseBody: "", error: null },
          ...{ attemptedAt: 1, failedAttempts: null, dueAt: null },
        }),
      endSome: () => webhookDeliveries.endSome("whk_1", "ended"),
      removeSome: () => webhookDeliveries.removeSome("whk_1"),
      purge: () => webhookDeliveries.purge(ENDED),
    },
  };
}

const ENDING = { end: "cured", endedBy: null, endedAt: 2 } as const;
const PAST_ALERT: NewPastAlert = {
  ...{ orgId: "org_1", deviceId: "dev_1", deviceName: "", type: "paper_out", severity: "error" },
  ...{ message: "", commandId: null, fiscalId: null, standsOpen: null, detectedAt: 1, ...ENDING },
};
const ALERT_FILTERS: readonly AlertHistoryFilter[] = ALERT_STATES.flatMap((state) =>
  [undefined, "dev_1"].flatMap((deviceId) =>
    [undefined, "error" as const].map((severity) => ({ state, deviceId, severity })),
  ),
);
const BY_TIME = { limit: 10, sortBy: "at" } as const;
const AUDIT_FILTERS: readonly AuditFilter[] = [
  {},
  { resource: "dev_1" },
  { actor: "box" },
  // By two names.
  { actor: "usr_1" },
  { action: "device.updated" },
  { resource: "dev_1", actor: "box", action: "device.updated" },
];
const NO_TRANSACTION = { after: insert, undone: insert, emit: insert };
const NOTE = { controllerId: "c1", action: "receipt.put_away", noteId: "n1" };
const ENTRY: AuditEntry = {
  ...{ seq: 5, orgId: "org_1", at: 1, actor: "box", action: "none", resource: "dev_1" },
  ...{ address: null, details: null, noteId: null },
};
const FAILED: CommandResult = { success: false };

test.each([
  "SELECT * FROM reports WHERE org_id = ? AND device_id = ? ORDER BY report_number LIMIT 1",
  "SELECT * FROM receipts WHERE org_id = ? AND customer_cif > ? ORDER BY customer_cif",
  "SELECT * FROM commands WHERE finished_at IS NULL ORDER BY seq",
  "SELECT * FROM receipts WHERE org_id = ? AND device_id = ? ORDER BY fiscal_id DESC LIMIT 1",
  "SELECT * FROM commands WHERE org_id = ? AND device_id = ? ORDER BY updated_at LIMIT 10",
  "DELETE FROM idempotency_keys WHERE created_at < ?",
  "SELECT count(*) FROM audit_entries",
])("%s would be noticed", (text) => {
  expect(faultsOf(text)).not.toEqual([]);
});

/** What asks for one row by its id, and whose it has to be. */
const OF_ID = /^select .* from "(\w+)" where \(?("\1"\."\w+_id" = \? and )?"\1"\."id" = \?/;

/** A page of commands of several types: its arms, without the small one. */
const TYPE_ARM = /from "?commands"? indexed by "(commands_by_type|commands_by_device_and_type)"/g;

describe.each(["without statistics", "with statistics"])("%s", (when) => {
  beforeAll(() => {
    if (when === "with statistics") database.sqlite.exec("ANALYZE");
  });

  test("no statement of a store walks through a table that grows", () => {
    expect(statements.length).toBeGreaterThan(100);
    // Each index that a search in parts goes along.
    const searched = ["by_device", "by_type", "by_device_and_type", "by_final_change"];
    const receiptSorts = ["", "_issue", "_total"];
    for (const name of [
      ...searched.map((index) => `commands_${index}`),
      AUDIT_INDEXES.byTime,
      ...receiptSorts.map((sort) => `receipts_by_org${sort}`),
      ...receiptSorts.map((sort) => `receipts_by_device${sort}`),
    ]) {
      const search = new RegExp(`indexed by "${name}".* offset `);
      expect(statements.filter((text) => search.test(text))).not.toEqual([]);
    }
    const receiptIndexes = Object.values(RECEIPT_INDEXES).flatMap((indexes) =>
      Object.values(indexes),
    );
    for (const name of [...Object.values(COMMAND_INDEXES), ...receiptIndexes]) {
      const readers = statements.filter((text) => text.includes(`indexed by "${name}"`));
      expect([name, readers]).not.toEqual([name, []]);
    }
    // What reads on through the books of a device enters them where it goes on, not where they begin.
    const books = statements.filter((text) => /from "(receipts|reports)".* <= \(/.test(text));
    expect(books).toHaveLength(4);
    for (const text of books) expect(planOf(text).join()).toMatch(/AND (<expr>|\(booked_at,id\))>/);
    const faults = statements.flatMap((text) => faultsOf(text).map((fault) => `${fault}: ${text}`));
    expect(faults).toEqual([]);
  });

  test("of what was made elsewhere only a printer's own is read", () => {
    const searches = statements.filter((text) => text.includes('"receipts"."command_id" is null'));
    const plans = searches.map((text) => planOf(text).join());
    expect(plans).toEqual([
      expect.stringContaining("(org_id=? AND device_id=? AND rowid>?)"),
      expect.stringContaining("(org_id=? AND <expr>=? AND rowid>?)"),
    ]);
  });

  test("a page of what somebody did walks through nothing else, also where that is nothing", () => {
    const pages = statements
      .map((text) => [text, text.slice(text.indexOf(" where "))] as const)
      .filter(([, where]) => /"actor" (=|in) /.test(where) && /limit/.test(where))
      .filter(([, where]) => !where.includes('"resource"'))
      // Those of a period are in another order, and in parts.
      .filter(([text, where]) => !where.includes('"at"') && !text.includes("count("));
    expect(pages).toHaveLength(4);
    for (const [text] of pages) {
      expect(planOf(text)).toEqual([
        expect.stringMatching(/^SEARCH audit_entries USING INDEX audit_entries_by_actor /),
      ]);
    }
  });

  test("a row that is named by its id is looked up by that, and no others are read for it", () => {
    const named = statements.filter((text) => OF_ID.test(text));
    expect(named.length).toBeGreaterThan(5);
    for (const text of named)
      expect(planOf(text)[0]).toMatch(/^SEARCH \w+ USING INDEX \w+ \(id=\?\)/);
  });

  test("a page of several types merges a walk of each, and sorts none", () => {
    const pages = statements.filter((text) => [...text.matchAll(TYPE_ARM)].length === 3);
    expect(pages.length).toBeGreaterThan(4);
    for (const text of pages) {
      const plan = planOf(text);
      expect(plan.filter((step) => /^MERGE/.test(step))).not.toEqual([]);
      expect(plan.filter((step) => step.includes("TEMP B-TREE"))).toEqual([]);
    }
  });
});
