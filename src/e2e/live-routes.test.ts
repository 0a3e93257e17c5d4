/**
 * The live routes of the executable, over real drivers: what a printer of each driver answers, what
 * its books say afterwards, and what becomes of a command whose client or printer goes away.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Value } from "@sinclair/typebox/value";
import { type CommandType, effectOf } from "#core/command/catalogue.ts";
import type { DriverId } from "#core/driver-id.ts";
import { findDriver } from "#drivers/registry.ts";
import { SALE, SALE_CASH_MINOR, samplePayload } from "#drivers/testing/contract-payloads.ts";
import { EVERY_MODEL, isMute, type ModelUnderTest } from "#drivers/testing/every-model.ts";
import { LIVE_ROUTES, type LiveRoute } from "../modules/live/table.ts";
import { rejection } from "../platform/testing/rejection.ts";
import {
  type Answer,
  type ApiClient,
  type Gateway,
  registerDevice,
  registerShop,
  type ShownCommand,
  startGateway,
} from "./harness/gateway.ts";
import { NO_POLLING } from "./harness/premises.ts";
import { type SimulatedPrinter, startPrinter } from "./harness/simulator.ts";
import { until } from "./harness/until.ts";

const MINOR = 100;
/** There the unique sale number has one form; others print any text, or none. */
const hasOneForm = (driver: DriverId): boolean => /\.(isl|zfp)$/.test(driver);
/** A small part of every sale. */
const CRUMB = { name: "Water", quantity: 0.1, price: 1, vatGroup: "VAT1" };

interface Refusal {
  readonly error: {
    readonly code: string;
    readonly details?: {
      readonly commandId?: string;
      readonly errorCode?: string;
      readonly outcome?: string;
    };
  };
}

/** A printer with the shop's name of it. */
interface Subject {
  readonly kind: ModelUnderTest;
  readonly printer: SimulatedPrinter;
  readonly deviceId: string;
}

const KINDS = [...new Set(EVERY_MODEL.map(({ driver }) => driver))].flatMap(
  (driver) => EVERY_MODEL.find((kind) => kind.driver === driver && !isMute(kind)) ?? [],
);

const folder = mkdtempSync(join(tmpdir(), "fiscald-live-"));
const subjects = new Map<DriverId, Subject>();
let gateway: Gateway;
let till: ApiClient;

beforeAll(async () => {
  gateway = await startGateway(join(folder, "state"), { args: [NO_POLLING] });
  ({ till } = await registerShop(gateway.url));
  await Promise.all(KINDS.map(open));
});

afterAll(async () => {
  await gateway.kill();
  for (const { printer } of subjects.values()) await printer.kill();
  rmSync(folder, { recursive: true });
});

async function open(kind: ModelUnderTest): Promise<void> {
  const { driver, model } = kind;
  const stateFile = join(folder, `${driver}.state`);
  const printer = await startPrinter({ stateFile, driver, model });
  const { host, port } = printer;
  const deviceId = await registerDevice(till, { driver, host, port }, driver);
  subjects.set(driver, { kind, printer, deviceId });
  await isOnline(deviceId, true);
}

function isOnline(deviceId: string, wanted: boolean): Promise<true> {
  return until(`the link to be ${wanted ? "up" : "down"}`, async () => {
    const path = `/devices/${deviceId}/status`;
    const status = await till.expect<{ effectiveStatus: string }>("GET", path);
    return (status.effectiveStatus === "online") === wanted;
  });
}

function subjectOf(driver: DriverId): Subject {
  const subject = subjects.get(driver);
  if (!subject) throw new Error(`no printer of ${driver}`);
  return subject;
}

function ask<T = Readonly<Record<string, unknown>>>(
  { deviceId }: Subject,
  route: string,
  body?: unknown,
): Promise<Answer<T>> {
  const [method = "", path = ""] = route.split(" ");
  return till.call(method, `/devices/${deviceId}/${path}`, body === undefined ? {} : { body });
}

const can = ({ kind }: Subject, type: CommandType): boolean =>
  findDriver(kind.driver)?.commands.has(type) === true;

/** The command that was queued last. */
async function lastCommand({ deviceId }: Subject, type: CommandType): Promise<ShownCommand> {
  const path = `/commands?deviceId=${deviceId}&type=${type}&limit=1`;
  const { commands } = await till.expect<{ commands: ShownCommand[] }>("GET", path);
  const [command] = commands;
  if (!command) throw new Error(`no ${type} was queued`);
  return command;
}

async function sell({ deviceId }: Subject): Promise<ShownCommand> {
  const command = await till.wait((await till.submit(deviceId, "print_receipt", SALE)).id);
  expect(command).toMatchObject({ status: "completed" });
  return command;
}

/** A reversal of a part of what was sold. */
function stornoOf({ kind }: Subject, { result, createdAt }: ShownCommand): object {
  const { fiscalMemorySerialNumber, issuedAt, zReportNumber } = result?.data ?? {};
  const payload = samplePayload("print_reversal_receipt", {
    ...{ driver: kind.driver, books: kind.simulated.books },
    sold: {
      fiscalId: result?.fiscalId ?? "",
      issuedAt: String(issuedAt ?? createdAt),
      fiscalMemorySerialNumber: String(fiscalMemorySerialNumber ?? "12345678"),
      zReportNumber: zReportNumber ? String(zReportNumber) : null,
    },
  });
  return typeof payload === "object" && payload !== null ? payload : {};
}

const nameOf = ({ method, path }: LiveRoute): string => `${method} ${path}`;
const READS = LIVE_ROUTES.filter(({ type }) => effectOf(type) === "none");
const SETTINGS: readonly (readonly [route: string, type: CommandType])[] = [
  ["POST set-datetime", "set_datetime"],
  ["POST vat-rates", "set_vat_rates"],
  ["POST header-footer", "set_header_footer"],
  ["POST operator", "set_operator"],
  ["POST logo", "set_logo"],
  ["DELETE logo", "delete_logo"],
];

/** Type by type: what one cannot do is refused by the driver, before a byte is sent. */
async function refusedAsUnsupported(subject: Subject, answer: Answer<unknown>): Promise<void> {
  expect(answer.status).toBe(422);
  const { error } = answer.body as Refusal;
  expect(error).toMatchObject({ code: "UNPROCESSABLE_ENTITY", details: { errorCode: "E201" } });
  const path = `/commands/${error.details?.commandId}`;
  const { command } = await till.expect<{ command: ShownCommand }>("GET", path);
  expect(command).toMatchObject({ deviceId: subject.deviceId, status: "failed" });
}

describe.each(KINDS.map(({ driver }) => driver))("a printer of %s", (driver) => {
  test.each(READS.map((row) => [nameOf(row), row] as const))("answers %s", async (name, row) => {
    const subject = subjectOf(driver);
    const answer = await ask(subject, name);
    if (!can(subject, row.type)) return refusedAsUnsupported(subject, answer);
    expect([name, answer.status, answer.body]).toEqual([name, 200, answer.body]);
    const { deviceId, timestamp, ...fields } = answer.body;
    expect([...Value.Errors(row.answer.schema, fields)]).toEqual([]);
    expect([deviceId, String(timestamp)]).toEqual([
      subject.deviceId,
      expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    ]);
    const command = await lastCommand(subject, row.type);
    expect(command).toMatchObject({ source: "live", status: "completed" });
    expect(fields.capabilities ?? fields).toEqual(command.result?.data ?? {});
  });

  test("prints what it is told, once, and its books agree", async () => {
    const subject = subjectOf(driver);
    const { printer } = subject;
    const before = await printer.books();
    const sold = await sell(subject);
    const cash = await ask(subject, "GET cash-balance");
    if (can(subject, "get_cash_amount")) {
      const balance = (before.cash + SALE_CASH_MINOR) / MINOR;
      expect(cash.body).toMatchObject({ cashBalance: balance, currency: expect.any(String) });
    }
    const duplicate = await ask(subject, "POST print-duplicate");
    if (can(subject, "print_duplicate")) {
      expect(duplicate).toMatchObject({ status: 200, body: { success: true } });
    } else await refusedAsUnsupported(subject, duplicate);
    const slip = await ask(subject, "POST non-fiscal", { lines: ["Back at two"] });
    expect(slip).toMatchObject({ status: 200, body: { success: true } });
    expect(await printer.paper()).toContain("Back at two");
    expect((await printer.books()).receipts).toHaveLength(before.receipts.length + 1);

    const reversal = await ask(subject, "POST reversal", stornoOf(subject, sold));
    expect(reversal).toMatchObject({ status: 201, body: { success: true } });
    const command = await lastCommand(subject, "print_reversal_receipt");
    const { receiptNumber } = reversal.body;
    expect(receiptNumber).toBe(
      command.result?.data?.receiptNumber ?? command.result?.fiscalId ?? "none",
    );
    const { receipts } = await printer.books();
    expect(receipts.slice(before.receipts.length).map(({ kind }) => kind)).toEqual([
      "sale",
      "storno",
    ]);
  });

  test("makes X and Z reports, and only the Z closes the day", async () => {
    const subject = subjectOf(driver);
    await sell(subject);
    const { zNumber } = await subject.printer.books();
    const x = await ask<{ report: object }>(subject, "POST reports/x");
    expect(x).toMatchObject({ status: 201, body: { report: { type: "x_report" } } });
    expect((await subject.printer.books()).zNumber).toBe(zNumber);
    const z = await ask<{ report: object }>(subject, "POST reports/z");
    expect(z).toMatchObject({ status: 201, body: { report: { type: "z_report" } } });
    expect((await subject.printer.books()).zNumber).toBe(zNumber + 1);
    const { result } = await lastCommand(subject, "z_report");
    expect<unknown>(z.body.report).toEqual(result?.data);
  });

  test.each(SETTINGS)("takes %s, or says that it cannot", async (name, type) => {
    const subject = subjectOf(driver);
    const books = subject.kind.simulated.books;
    const body = samplePayload(type, { driver, books, sold: undefined });
    const answer = await ask(subject, name, body);
    if (!can(subject, type)) return refusedAsUnsupported(subject, answer);
    expect([name, answer.status, answer.body]).toEqual([name, 200, answer.body]);
    expect(answer.body).toMatchObject({ success: true, deviceId: subject.deviceId });
    if (name === "POST header-footer" && can(subject, "get_header_footer")) {
      expect((await ask(subject, "GET header-footer")).body).toMatchObject(body as object);
    }
  });

  test.each(["set-datetime", "non-fiscal", "operator", "logo"])(
    "takes what the documentation shows for POST %s",
    async (path) => {
      const subject = subjectOf(driver);
      const row = LIVE_ROUTES.find((one) => one.path === path && one.method === "POST");
      const example: unknown = row?.body?.schema.examples[0];
      expect(example).toBeObject();
      const { status, body } = await ask(subject, `POST ${path}`, example);
      expect([status, body]).toEqual([row && can(subject, row.type) ? 200 : 422, body]);
    },
  );

  test("cancels a receipt that somebody left open", async () => {
    const subject = subjectOf(driver);
    await subject.printer.fault({ kind: "other_hands", deed: "open" });
    expect((await subject.printer.books()).openDocument).not.toBeNull();
    expect(await ask(subject, "POST void-open")).toMatchObject({
      ...{ status: 200, body: { success: true, message: "The open receipt was cancelled" } },
    });
    expect((await subject.printer.books()).openDocument).toBeNull();
  });

  test("prints a reversal of a sale numbered in another form, or refuses it beforehand", async () => {
    const subject = subjectOf(driver);
    const sold = await sell(subject);
    const before = await subject.printer.books();
    for (const uniqueSaleNumber of ["sale 26/2026", "DT577430,0001\n0000001"]) {
      const body = { ...stornoOf(subject, sold), uniqueSaleNumber, items: [CRUMB] };
      const answer = await ask<Refusal>(subject, "POST reversal", body);
      if (!hasOneForm(driver)) {
        expect([uniqueSaleNumber, answer.status]).toEqual([uniqueSaleNumber, 201]);
        continue;
      }
      expect([uniqueSaleNumber, answer.status, answer.body.error.details]).toMatchObject([
        ...[uniqueSaleNumber, 422],
        { errorCode: "E400", outcome: "not_printed" },
      ]);
    }
    const printed = hasOneForm(driver) ? 0 : 2;
    const after = await subject.printer.books();
    expect(after.receipts.length - before.receipts.length).toBe(printed);
    expect(after.openDocument).toBeNull();
  });

  test("that has no paper refuses a storno with 422, and says that nothing was printed", async () => {
    const subject = subjectOf(driver);
    const sold = await sell(subject);
    const before = await subject.printer.books();
    await subject.printer.fault({ kind: "paper_out" });
    const answer = await ask<Refusal>(subject, "POST reversal", stornoOf(subject, sold));
    await subject.printer.clear();
    expect([answer.status, answer.body.error.details]).toMatchObject([
      422,
      { errorCode: "E306", outcome: "not_printed" },
    ]);
    expect((await subject.printer.books()).receipts).toHaveLength(before.receipts.length);
  });

  test("prints a slip once whose client hangs up", async () => {
    const subject = subjectOf(driver);
    const { printer, deviceId } = subject;
    const text = "Hung up";
    const before = await lastCommand(subject, "non_fiscal_receipt");
    // Of all frames: the gateway may be reading the printer's state just now.
    await printer.fault({ kind: "hold", count: 1_000 });
    const hangUp = new AbortController();
    const request = fetch(`${gateway.url}/api/v1/devices/${deviceId}/non-fiscal`, {
      method: "POST",
      headers: { authorization: `Bearer ${till.credential}`, "content-type": "application/json" },
      body: JSON.stringify({ lines: [text] }),
      signal: hangUp.signal,
    });
    const command = await until("the slip to be queued", async () => {
      const last = await lastCommand(subject, "non_fiscal_receipt");
      return last.id !== before.id && last;
    });
    expect(command.status).toMatch(/^(sent|processing)$/);
    hangUp.abort();
    await rejection(request);
    await printer.clear();
    await printer.release();
    expect(await till.wait(command.id)).toMatchObject({ status: "completed" });
    expect((await printer.paper()).split(text)).toHaveLength(2);
  });

  test("that is gone is 503, and nothing is queued for it", async () => {
    const subject = subjectOf(driver);
    const before = await lastCommand(subject, "non_fiscal_receipt");
    await subject.printer.kill();
    await isOnline(subject.deviceId, false);
    const answer = await ask<Refusal>(subject, "POST non-fiscal", { lines: ["Nobody"] });
    expect([answer.status, answer.body.error.code]).toEqual([503, "SERVICE_UNAVAILABLE"]);
    expect((await lastCommand(subject, "non_fiscal_receipt")).id).toBe(before.id);
  });
});
