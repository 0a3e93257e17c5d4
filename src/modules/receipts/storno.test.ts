/** `POST /receipts/{id}/storno`, and what commands reverse of stored sales. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import type { Scope } from "#core/access.ts";
import type { CommandResult } from "#core/command/command.ts";
import { COMMANDS, commandIdOf, UNKNOWN } from "../commands/testing/commands-bench.ts";
import { CONTROLLER } from "../testing/api-bench.ts";
import {
  BREAD,
  createReceiptsBench,
  ITEMS,
  NAMES,
  pageOf,
  RECEIPTS,
  type ReceiptsBench,
  TOTAL,
} from "./testing/receipts-bench.ts";

let bench: ReceiptsBench;
let sale: string;
beforeEach(async () => {
  bench = await createReceiptsBench();
  sale = await bench.sale("27", { issuedAt: "2026-01-14T09:30:00+02:00" });
});
afterEach(() => bench.close());

const PRINTED: CommandResult = { success: true, data: { receiptNumber: "28" }, fiscalId: "28" };
const JAMMED: CommandResult = {
  success: false,
  errorCode: "E306",
  errorMessage: "Out of paper",
  data: { outcome: "not_printed" },
};
const WHOLE = {
  uniqueSaleNumber: NAMES.uniqueSaleNumber,
  originalReceiptNumber: "27",
  originalReceiptDateTime: "2026-01-14T07:30:00.000Z",
  fiscalMemorySerialNumber: NAMES.fiscalMemorySerialNumber,
  originalZReportNumber: NAMES.zReportNumber,
  reason: "operator-error",
  items: ITEMS,
  payments: [{ method: "card", amount: TOTAL }],
};
const BREAD_BACK = { items: BREAD, payments: [{ method: "cash", amount: 3 }] };

const Refusal = Type.Object({
  error: Type.Object({ message: Type.String(), details: Type.Optional(Type.Unknown()) }),
});
const total = (items: typeof ITEMS) =>
  items.reduce((sum, { price, quantity }) => sum + price * quantity, 0);

/** Asks for a storno. @returns the status of the answer */
const tried = async (body: object = {}, id = sale): Promise<number> =>
  (await bench.storno(id, body)).status;

/** Queues a storno and lets its command end. */
async function stornoThatEnds(result: CommandResult, body: object = {}): Promise<string> {
  const commandId = commandIdOf(await bench.storno(sale, body));
  await bench.atRest();
  await bench.finish(commandId, result);
  return commandId;
}

describe("the storno of a sale", () => {
  test("is a command for the printer of the sale, with all that it has to name", async () => {
    const answer = await bench.storno(sale);
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({
      command: {
        ...{ type: "print_reversal_receipt", status: "pending", deviceId: bench.deviceId },
        ...{ source: "api", apiKeyId: expect.stringMatching(/^key_/), payload: WHOLE },
      },
    });
    await bench.atRest();
    expect(bench.levers.sent).toMatchObject([
      { type: "command.dispatch", command: { payload: WHOLE } },
    ]);
    const [entry] = bench.stores.audit.list(bench.orgId, 1);
    expect(entry).toMatchObject({ action: "receipt.storno", resource: sale });
    expect(entry?.details).toMatchObject({ commandId: commandIdOf(answer) });
  });

  test("leaves a receipt that names the sale, and no event of one made elsewhere", async () => {
    const commandId = await stornoThatEnds(PRINTED);
    const { receipts } = pageOf(await bench.till.get(`${RECEIPTS}?type=storno`));
    expect(receipts).toMatchObject([{ fiscalId: "28", originalReceiptId: sale, total: TOTAL }]);
    expect((await bench.till.get(`${RECEIPTS}/${receipts[0]?.id}`)).body).toMatchObject({
      receipt: { commandId, source: "command" },
    });
    expect(bench.events.filter(({ type }) => type === "receipt.created")).toHaveLength(1);
  });

  test("takes the items and payments that are given", async () => {
    const payments = [{ type: "card", amount: 3 }];
    const answer = await bench.storno(sale, { items: BREAD, payments, reason: "refund" });
    expect(answer.body).toMatchObject({
      command: {
        payload: {
          ...{ reason: "refund", items: BREAD },
          payments: [{ method: "card", amount: 3 }],
        },
      },
    });
  });

  test("is of what is left without items", async () => {
    expect(await tried(BREAD_BACK)).toBe(202);
    const answer = await bench.storno(sale);
    expect(answer.body).toMatchObject({
      command: {
        payload: { items: ITEMS.slice(1), payments: [{ method: "card", amount: 14.27 }] },
      },
    });
    expect(await tried()).toBe(422);
  });

  test("is paid back as it was paid, or in cash where a part may be of either", async () => {
    const payments = [
      { method: "card", amount: 10 },
      { method: "cash", amount: 7.27 },
    ];
    const id = await bench.sale("30", { payments });
    const part = await bench.storno(id, { items: BREAD });
    expect(part.body).toMatchObject({
      command: { payload: { payments: [{ method: "cash", amount: 3 }] } },
    });
    const whole = await bench.storno(await bench.sale("31", { payments }));
    expect(whole.body).toMatchObject({ command: { payload: { payments } } });
  });

  test("is paid back in cash where its printer pays reversals back in nothing else", async () => {
    const reversalTenders = ["cash"] as const;
    bench.stores.devices.update(bench.orgId, bench.deviceId, { reversalTenders });
    const inCash = { command: { payload: { payments: [{ method: "cash", amount: TOTAL }] } } };
    expect((await bench.storno(sale)).body).toMatchObject(inCash);
    // What is asked for all the same is the printer's to refuse.
    const other = await bench.sale("32");
    const payments = [{ method: "card", amount: TOTAL }];
    expect((await bench.storno(other, { payments })).body).toMatchObject({
      command: { payload: { payments } },
    });
  });

  test("reverses a sale that a command printed", async () => {
    const payload = {
      items: BREAD,
      payments: [{ method: "cash", amount: 3 }],
      uniqueSaleNumber: NAMES.uniqueSaleNumber,
    };
    const commandId = await bench.queued("print_receipt", payload);
    const data = { receiptNumber: "0031", fiscalMemorySerialNumber: "02000600" };
    await bench.finish(commandId, { success: true, data, fiscalId: "31" });
    const [printed] = pageOf(await bench.till.get(`${RECEIPTS}?fiscalId=31`)).receipts;
    const answer = await bench.storno(printed?.id ?? "");
    expect(answer.body).toMatchObject({
      command: { payload: { originalReceiptNumber: "0031", items: BREAD } },
    });
  });
});

describe("what a storno reverses is reserved", () => {
  test("until its command was not printed", async () => {
    const commandId = commandIdOf(await bench.storno(sale));
    expect(await tried(BREAD_BACK)).toBe(422);
    await bench.atRest();
    await bench.finish(commandId, JAMMED);
    expect(await tried()).toBe(202);
    expect(await tried()).toBe(422);
  });

  test("for good once it is printed", async () => {
    await stornoThatEnds(PRINTED);
    expect(await tried()).toBe(422);
    expect(await tried(BREAD_BACK)).toBe(422);
  });

  test("while nobody knows, and after a person said that it was printed", async () => {
    const commandId = await stornoThatEnds(UNKNOWN);
    expect(await tried()).toBe(422);
    const said = { outcome: "printed", fiscalId: "28" };
    await bench.till.post(`${COMMANDS}/${commandId}/resolve`, said);
    const { receipts } = pageOf(await bench.till.get(`${RECEIPTS}?type=storno`));
    expect(receipts).toMatchObject([{ fiscalId: "28", originalReceiptId: sale }]);
    expect(await tried()).toBe(422);
  });

  test("no longer after a person said that it was not printed", async () => {
    const commandId = await stornoThatEnds(UNKNOWN);
    const said = { outcome: "not_printed" };
    expect((await bench.till.post(`${COMMANDS}/${commandId}/resolve`, said)).status).toBe(200);
    expect(await tried()).toBe(202);
  });

  test("again when the device shows that what a person said is not so", async () => {
    const commandId = await stornoThatEnds(UNKNOWN);
    await bench.till.post(`${COMMANDS}/${commandId}/resolve`, { outcome: "not_printed" });
    const next = await bench.queued();
    const errorMessage = "A receipt stands open";
    const open = { success: false, errorCode: "E301", errorMessage } as const;
    await bench.finish(next, { ...open, data: { outcome: "not_printed" } });
    expect(await tried()).toBe(422);
  });

  test("no longer when it was cancelled or timed out before it began", async () => {
    bench.levers.connected = false;
    const cancelled = commandIdOf(await bench.storno(sale));
    expect((await bench.till.delete(`${COMMANDS}/${cancelled}`)).status).toBe(200);
    const late = commandIdOf(await bench.storno(sale));
    bench.clock.advance(180_000);
    await bench.atRest();
    expect((await bench.till.get(`${COMMANDS}/${late}`)).body).toMatchObject({
      command: { status: "timeout" },
    });
    expect(await tried()).toBe(202);
  });

  test("again when its result comes after it timed out", async () => {
    const commandId = commandIdOf(await bench.storno(sale));
    await bench.atRest();
    bench.clock.advance(180_000);
    await bench.atRest();
    const { deviceId, orgId } = bench;
    await bench.queue.report(
      { orgId, controllerId: CONTROLLER, reportsMarks: true },
      { type: "command.result", deviceId, commandId, result: PRINTED },
    );
    expect(await tried()).toBe(422);
  });

  test("again before another one begins that was let in meanwhile", async () => {
    const commandId = await stornoThatEnds(UNKNOWN);
    await bench.till.post(`${COMMANDS}/${commandId}/resolve`, { outcome: "not_printed" });
    const { deviceId, orgId } = bench;
    bench.levers.connected = false;
    const second = commandIdOf(await bench.storno(sale));
    const third = commandIdOf(await bench.storno(await bench.sale("29")));
    // The first one was printed after all.
    await bench.queue.report(
      { orgId, controllerId: CONTROLLER, reportsMarks: true },
      { type: "command.result", deviceId, commandId, result: PRINTED },
    );
    bench.levers.connected = true;
    bench.queue.ready(deviceId);
    await bench.till.post(`${COMMANDS}/${commandId}/resolve`, { outcome: "printed" });
    await bench.atRest();
    expect((await bench.till.get(`${COMMANDS}/${second}`)).body).toMatchObject({
      command: {
        status: "failed",
        result: { errorCode: "E402", data: { outcome: "not_printed" } },
      },
    });
    expect(bench.levers.sent.at(-1)).toMatchObject({ command: { id: third } });
  });

  test("with its command, or neither is there", async () => {
    bench.levers.insertFault = new Error("the disk is gone");
    expect(await tried()).toBe(500);
    bench.levers.insertFault = undefined;
    expect(bench.rows().commands).toBe(0);
    expect(await tried()).toBe(202);
  });

  test("once, of several that are asked for at the same time", async () => {
    const answers = await Promise.all([1, 2, 3].map(() => tried()));
    expect(answers.toSorted()).toEqual([202, 422, 422]);
    expect(bench.rows().commands).toBe(1);
  });

  test("against refunds and stornos made elsewhere too", async () => {
    expect(await tried(BREAD_BACK)).toBe(202);
    const more = await bench.till.post(RECEIPTS, bench.backBody("refund", sale));
    expect(more.refusal).toBe("422 UNPROCESSABLE_ENTITY");
    const bag = { items: ITEMS.slice(2), payments: [{ method: "cash", amount: 3 }] };
    const less = await bench.till.post(RECEIPTS, bench.backBody("refund", sale, bag));
    expect(less.status).toBe(201);
    const rest = await bench.storno(sale);
    expect(rest.body).toMatchObject({ command: { payload: { items: [ITEMS[1]] } } });
  });

  test("is given back where a person says so of what was told as not printed, and then as unknown", async () => {
    const commandId = await stornoThatEnds(JAMMED);
    await bench.finish(commandId, UNKNOWN);
    expect(await tried()).toBe(422);
    expect((await bench.resolve(commandId, { outcome: "not_printed" })).status).toBe(200);
    await bench.finish(commandId, { ...UNKNOWN, errorMessage: "The line was lost again" });
    expect(await tried()).toBe(202);
  });
});

describe("a storno by a command that names a stored sale", () => {
  test("counts as void_receipt, by the id of the sale or its fiscal id", async () => {
    const other = await bench.sale("40");
    await bench.queued("void_receipt", { receiptId: sale });
    await bench.queued("void_receipt", { receiptId: "40" });
    expect([await tried(), await tried({}, other)]).toEqual([422, 422]);
  });

  test("counts by the longest fiscal id that a controller may tell", async () => {
    const fiscalId = "9".repeat(128);
    const other = await bench.sale(fiscalId);
    await bench.queued("void_receipt", { receiptId: fiscalId });
    await bench.queued("print_duplicate", { receiptId: fiscalId });
    expect(await tried({}, other)).toBe(422);
    const longer = await bench.submit("void_receipt", { receiptId: `${fiscalId}9` });
    expect(longer.refusal).toBe("400 VALIDATION_ERROR");
    const payload = { ...WHOLE, ...BREAD_BACK, originalReceiptNumber: fiscalId };
    expect((await bench.submit("print_reversal_receipt", payload)).status).toBe(422);
  });

  test.each([
    ["27", "0000027"],
    ["0041", "41"],
    ["0002-0041", "2-41"],
  ])("counts as void_receipt of %s by the number as paper shows it, %s", async (given, written) => {
    const id = given === "27" ? sale : await bench.sale(given);
    const commandId = await bench.queued("void_receipt", { receiptId: written });
    await bench.atRest();
    expect(bench.levers.sent.at(-1)).toMatchObject({
      command: { id: commandId, original: { id } },
    });
    expect(await tried({}, id)).toBe(422);
    expect(await tried({}, await bench.sale("99"))).toBe(202);
  });

  test.each([
    ["0000041", "41"],
    ["41", "0041"],
    ["0002-0041", "2-41"],
  ])(
    "counts by the number of a sale that is stored as %s, named as %s",
    async (fiscalId, written) => {
      const id = await bench.sale(fiscalId, { zReportNumber: undefined });
      const payload = { ...WHOLE, ...BREAD_BACK, originalReceiptNumber: written };
      await bench.queued("print_reversal_receipt", payload);
      expect(await tried(BREAD_BACK, id)).toBe(422);
    },
  );

  test("is not of a receipt whose number has digits of its own", async () => {
    await bench.queued("void_receipt", { receiptId: "270" });
    expect(await tried()).toBe(202);
  });

  test("counts as print_reversal_receipt for what it reverses", async () => {
    const payload = { ...WHOLE, ...BREAD_BACK };
    const commandId = await bench.queued("print_reversal_receipt", payload);
    expect(await tried(BREAD_BACK)).toBe(422);
    await bench.finish(commandId, JAMMED);
    expect(await tried(BREAD_BACK)).toBe(202);
  });

  test("counts once: by its reservation, then by its receipt", async () => {
    const commandId = await bench.queued("print_reversal_receipt", { ...WHOLE, ...BREAD_BACK });
    await bench.finish(commandId, PRINTED);
    const rest = await bench.storno(sale);
    expect(rest.body).toMatchObject({ command: { payload: { items: ITEMS.slice(1) } } });
  });

  test("is not of a sale of another fiscal memory with the same number", async () => {
    await bench.queued("print_reversal_receipt", {
      ...WHOLE,
      fiscalMemorySerialNumber: "02999999",
    });
    expect(await tried()).toBe(202);
  });

  /** What a device is told that knows its receipts by another number than the printed one. */
  const byNumber = (change: object = {}) => ({
    ...{ ...WHOLE, ...BREAD_BACK, originalReceiptNumber: "7", ...change },
  });
  const DOCUMENT_41 = { receiptNumber: "7", uniqueSaleNumber: "DT000600-0001-0000041" };

  test.each([
    ["its receipt number", {}],
    ["that number as paper shows it", { originalReceiptNumber: "0000007" }],
    ["that number without its day", { originalZReportNumber: undefined }],
    ["its id", { originalReceiptNumber: undefined }],
  ])("counts by %s", async (_, change) => {
    const other = await bench.sale("41", DOCUMENT_41);
    const named = "originalReceiptNumber" in change && !change.originalReceiptNumber;
    const payload = byNumber(named ? { originalReceiptNumber: other } : change);
    const commandId = await bench.queued("print_reversal_receipt", payload);
    expect(await tried(BREAD_BACK, other)).toBe(422);
    await bench.finish(commandId, PRINTED);
    const { receipts } = pageOf(await bench.till.get(`${RECEIPTS}?type=storno`));
    expect(receipts).toMatchObject([{ originalReceiptId: other }]);
  });

  test.each([
    ["an empty Z report", { originalZReportNumber: "" }],
    ["the Z report of the day before", { originalZReportNumber: "11" }],
    ["what is no Z report", { originalZReportNumber: "Z" }],
    ["only the day of the sale", { originalReceiptDateTime: "2026-01-14T00:00:00" }],
  ])("counts by a number that comes but once, with %s", async (_, change) => {
    await bench.queued("print_reversal_receipt", { ...WHOLE, ...BREAD_BACK, ...change });
    expect(await tried(BREAD_BACK)).toBe(422);
    // A document may have another number beside that of its kind.
    const other = await bench.sale("41", { ...DOCUMENT_41, issuedAt: "2026-01-14T09:30:00+02:00" });
    await bench.queued("print_reversal_receipt", byNumber(change));
    expect(await tried(BREAD_BACK, other)).toBe(422);
  });

  test("is not of a sale whose other number that is, on another day", async () => {
    const other = await bench.sale("41", { ...DOCUMENT_41, issuedAt: "2026-01-14T09:30:00+02:00" });
    const named = { originalReceiptNumber: "41", originalZReportNumber: "13" };
    await bench.queued("print_reversal_receipt", { ...WHOLE, ...BREAD_BACK, ...named });
    expect(await tried(BREAD_BACK, other)).toBe(202);
  });

  test("is not of a sale of another Z report and another day, though its number has come again", async () => {
    const other = { originalZReportNumber: "900", originalReceiptDateTime: "2026-01-10T09:00:00" };
    await bench.queued("print_reversal_receipt", { ...WHOLE, ...BREAD_BACK, ...other });
    expect(await tried(BREAD_BACK)).toBe(202);
  });

  test("is of the sale of its Z report, where one of another day has that number too", async () => {
    const meant = await bench.sale("41", DOCUMENT_41);
    const other = await bench.sale("7", {
      ...{ zReportNumber: "13", uniqueSaleNumber: WHOLE.uniqueSaleNumber },
      issuedAt: WHOLE.originalReceiptDateTime,
    });
    await bench.queued("print_reversal_receipt", byNumber());
    expect([await tried(BREAD_BACK, meant), await tried(BREAD_BACK, other)]).toEqual([422, 202]);
  });

  test("is of one of several sales with its number: the unique sale number tells, or the time", async () => {
    const [march, may, june] = await Promise.all(
      ["03", "05", "06"].map((month) =>
        bench.sale(`4${month}`, {
          ...DOCUMENT_41,
          uniqueSaleNumber: `DT000600-0001-00000${month}`,
          issuedAt: `2025-${month}-14T09:30:00Z`,
        }),
      ),
    );
    const originalReceiptDateTime = "2025-05-20T09:30:00Z";
    await bench.queued("print_reversal_receipt", byNumber({ originalReceiptDateTime }));
    expect(await tried(BREAD_BACK, may)).toBe(422);
    const uniqueSaleNumber = "DT000600-0001-0000003";
    const near = { originalReceiptDateTime: "2025-05-01T09:30:00Z", uniqueSaleNumber };
    await bench.queued("print_reversal_receipt", byNumber(near));
    expect(await tried(BREAD_BACK, march)).toBe(422);
    expect(await tried(BREAD_BACK, june)).toBe(202);
  });

  test("is of the one at the time that its device's clock showed, by the zone of its place", async () => {
    expect((await bench.owner.patch("/api/v1/org", { timezone: "Europe/Lisbon" })).status).toBe(
      200,
    );
    const body = { name: "East", timezone: "Europe/Sofia" };
    const { id: locationId } = (await bench.owner.post("/api/v1/org/locations", body)).as(
      Type.Object({ location: Type.Object({ id: Type.String() }) }),
    ).location;
    await bench.owner.patch(`/api/v1/devices/${bench.deviceId}`, { locationId });
    const soldAt = (hour: number) =>
      bench.sale(`00${hour}-0007`, {
        ...{ receiptNumber: "7", uniqueSaleNumber: undefined, zReportNumber: undefined },
        issuedAt: `2026-01-14T${hour}:00:00+02:00`,
      });
    const [meant, later] = [await soldAt(10), await soldAt(13)];
    await bench.queued("print_reversal_receipt", {
      ...{ ...WHOLE, originalZReportNumber: undefined, uniqueSaleNumber: "" },
      ...{ originalReceiptNumber: "7", originalReceiptDateTime: "2026-01-14T10:00:00" },
    });
    expect([await tried({}, meant), await tried({}, later)]).toEqual([422, 202]);
  });

  test("is of the one without a unique sale number where it names none", async () => {
    const without = await bench.sale("41", { ...DOCUMENT_41, uniqueSaleNumber: undefined });
    await bench.sale("42", DOCUMENT_41);
    await bench.queued("print_reversal_receipt", byNumber({ uniqueSaleNumber: "" }));
    expect(await tried(BREAD_BACK, without)).toBe(422);
  });

  test("is of a sale of its fiscal memory, whatever device record stands for the printer", async () => {
    const deviceId = await bench.addDevice("The same printer, registered anew");
    const same = await bench.sale("41", { ...DOCUMENT_41, deviceId });
    const other = await bench.sale("42", {
      ...DOCUMENT_41,
      fiscalMemorySerialNumber: "02999999",
    });
    const unknown = await bench.sale("43", {
      ...{ ...DOCUMENT_41, deviceId, fiscalMemorySerialNumber: undefined },
    });
    await bench.queued("print_reversal_receipt", byNumber());
    expect(await tried(BREAD_BACK, other)).toBe(202);
    const answers = [await bench.storno(same, BREAD_BACK), await bench.storno(unknown, BREAD_BACK)];
    expect(answers.map(({ text }) => text)).toEqual([
      expect.stringContaining("Nothing is left of"),
      expect.stringContaining("serial number"),
    ]);
  });

  test("is not of a sale of another day, where numbers begin anew with each, nor of a refund", async () => {
    const other = await bench.sale("0012-0007", DOCUMENT_41);
    const refund = bench.backBody("refund", other, { receiptNumber: "8", fiscalId: "9" });
    await bench.store({ ...refund, ...NAMES });
    await bench.queued("print_reversal_receipt", byNumber({ originalZReportNumber: "13" }));
    await bench.queued("print_reversal_receipt", byNumber({ originalReceiptNumber: "8" }));
    const bag = { items: ITEMS.slice(2), payments: [{ method: "cash", amount: 3 }] };
    expect(await tried(bag, other)).toBe(202);
  });

  test("is queued where the gateway has no such sale", async () => {
    const named = { ...WHOLE, originalReceiptNumber: "9999" };
    for (const _ of [1, 2]) await bench.queued("print_reversal_receipt", named);
    expect(bench.rows().commands).toBe(2);
  });
});

describe("a command that reverses a stored sale", () => {
  /** What is bought back, paid in cash. */
  const back = (change: object, parts: object = {}) => ({
    ...{ ...WHOLE, payments: undefined, items: [{ ...BREAD[0], ...change }], ...parts },
  });
  const surcharged = {
    subtotalModifiers: [{ type: "surcharge-amount", value: 4 }],
    payments: [{ method: "card", amount: TOTAL + 4 }],
  };

  const allowed: readonly [string, object, object][] = [
    ["at a lower price, as with a discount", back({ price: 1 }), {}],
    ["of less", back({ quantity: 1 }), {}],
    [
      "that lowers a price",
      back({ name: "Off", price: 1.5 }, { reason: "tax-base-reduction" }),
      {},
    ],
    ["that pays back a surcharge", back({ name: "Service", price: 1.5 }), surcharged],
  ];
  test.each(allowed)("is queued for a storno %s", async (_, payload, change) => {
    await bench.sale("41", { ...change, receiptNumber: "41" });
    const named = { ...payload, originalReceiptNumber: "41" };
    expect((await bench.submit("print_reversal_receipt", named)).status).toBe(202);
  });

  const refused: readonly [string, object][] = [
    ['"Tea" was not sold', back({ name: "Tea", price: 1 })],
    ['"Bread" was sold in VAT1', back({ vatGroup: "VAT2" })],
    ['"Bread" was sold at 1.50', back({ price: 1.51 })],
    ['Only 2.000 of "Bread" is left', back({ quantity: 3 })],
    ['Only 2.000 of "Bread" is left', back({ quantity: 3, price: 1 })],
    [
      "17.28 is more than the 17.27 that is left of the sale",
      { ...WHOLE, payments: [{ method: "cash", amount: 17.28 }] },
    ],
    [
      "3.02 is more than the 3.00 that is left of VAT1",
      back({ name: "Off", price: 1.51 }, { reason: "tax-base-reduction" }),
    ],
  ];
  test.each(refused)("is 422 because: %s", async (words, payload) => {
    const answers = [
      await bench.submit("print_reversal_receipt", payload),
      await bench.till.post(`/api/v1/devices/${bench.deviceId}/commands`, {
        ...{ type: "print_reversal_receipt", payload },
      }),
    ];
    for (const answer of answers) {
      expect(answer.refusal).toBe("422 UNPROCESSABLE_ENTITY");
      expect(answer.as(Refusal).error).toMatchObject({
        message: expect.stringContaining(words),
        details: { originalReceiptId: sale },
      });
    }
    expect(bench.rows().commands).toBe(0);
  });

  test("is limited as the storno of the receipt is", async () => {
    for (const [words, { items, reason, payments }] of refused as [string, typeof WHOLE][]) {
      const paid = payments ?? [{ method: "cash", amount: total(items) }];
      const answer = await bench.storno(sale, { items, reason, payments: paid });
      expect([answer.status, answer.as(Refusal).error.message]).toEqual([
        422,
        expect.stringContaining(words),
      ]);
    }
  });

  test("is refused once the sale is reversed, by whichever route, and allowed when it was not printed", async () => {
    const commandId = await bench.queued("void_receipt", { receiptId: sale });
    const repeats = () =>
      Promise.all([
        bench.submit("void_receipt", { receiptId: sale }),
        bench.submit("print_reversal_receipt", { ...WHOLE, ...BREAD_BACK }),
        bench.storno(sale),
      ]);
    expect((await repeats()).map(({ status }) => status)).toEqual([422, 422, 422]);
    await bench.finish(commandId, JAMMED);
    expect((await bench.submit("void_receipt", { receiptId: sale })).status).toBe(202);
    expect((await repeats()).map(({ status }) => status)).toEqual([422, 422, 422]);
  });

  test("is queued once, of several at the same time, and its repeat under the key answers the same", async () => {
    const body = { deviceId: bench.deviceId, type: "void_receipt", payload: { receiptId: sale } };
    const post = (key: string) => bench.till.with({ "Idempotency-Key": key }).post(COMMANDS, body);
    const answers = await Promise.all([1, 2, 3].map((till) => post(`till${till}`)));
    const [first] = answers.flatMap(({ status }, index) => (status === 202 ? [index] : []));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 422, 422]);
    const again = await Promise.all([1, 2, 3].map((till) => post(`till${till}`)));
    expect(again.map(({ text }) => text)).toEqual(answers.map(({ text }) => text));
    expect([again[first ?? 0]?.status, bench.rows().commands]).toEqual([202, 1]);
  });

  test("voids no refund, and no sale whose subtotal was adjusted, which only its parts can name", async () => {
    const refund = await bench.store(bench.backBody("refund", sale));
    const adjusted = await bench.sale("41", surcharged);
    const answers = [refund, adjusted].map((receiptId) =>
      bench.submit("void_receipt", { receiptId }),
    );
    expect((await Promise.all(answers)).map((answer) => answer.as(Refusal).error)).toMatchObject([
      { message: expect.stringContaining("only a sale is reversed") },
      { message: expect.stringContaining("in a print_reversal_receipt") },
    ]);
  });
});

describe("a storno is refused", () => {
  const bad: readonly [string, object][] = [
    ["reason", { reason: "mood" }],
    ["reason", { reason: undefined }],
    ["items", { items: [] }],
    ["items.0.price", { items: [{ ...BREAD[0], price: 0.001 }] }],
    ["items.0.total", { items: [{ ...BREAD[0], total: 3 }] }],
    ["payments", { items: BREAD, payments: [{ method: "cash", amount: 2.98 }] }],
    ["payments", { payments: [] }],
    ["payments", { payments: [{ method: "cash", amount: 3 }] }],
    ["payments.0.method", { items: BREAD, payments: [{ amount: 3 }] }],
    ["payments.0.type", { items: BREAD, payments: [{ method: "cash", type: "card", amount: 3 }] }],
  ];
  test.each(bad)("400 at %s: %p", async (path, body) => {
    const answer = await bench.storno(sale, body);
    expect([answer.refusal, answer.issuePaths]).toEqual(["400 VALIDATION_ERROR", [path]]);
    expect(bench.rows().commands).toBe(0);
  });

  /** Longer than a command may be. */
  const LONG_SALE = {
    items: Array.from({ length: 300 }, () => ({ ...BREAD[0], name: "Bread".repeat(50) })),
    payments: [{ method: "card", amount: 900 }],
  };
  const lacking: readonly [string, object][] = [
    ["serial number", { fiscalMemorySerialNumber: undefined }],
    ["at most 65536 bytes", LONG_SALE],
  ];
  test.each(lacking)("422 for what the sale lacks: %s", async (words, change) => {
    const answer = await bench.storno(await bench.sale("50", change));
    expect(answer.refusal).toBe("422 UNPROCESSABLE_ENTITY");
    expect(answer.text).toContain(words);
    expect(bench.rows().commands).toBe(0);
  });

  test("422 for what is no sale, and for a device that is gone", async () => {
    const refund = await bench.store(bench.backBody("refund", sale));
    expect((await bench.storno(refund)).text).toContain("only a sale");
    expect((await bench.owner.delete(`/api/v1/devices/${bench.deviceId}`)).status).toBe(204);
    const answer = await bench.storno(sale);
    expect([answer.status, answer.text]).toEqual([422, expect.stringContaining("device")]);
  });

  test("not with items where the sale had a discount: up to what was paid for each", async () => {
    const id = await bench.sale("50", {
      subtotalModifiers: [{ type: "discount-amount", value: 15 }],
      payments: [{ method: "card", amount: 2.27 }],
    });
    expect(await tried(BREAD_BACK, id)).toBe(422);
    // 15.00 off 17.27, of which the bread has 2.61.
    const bread = (price: number) => ({
      ...{ items: [{ ...BREAD[0], quantity: 1, price }] },
      payments: [{ method: "cash", amount: price }],
    });
    expect(await tried(bread(0.4), id)).toBe(422);
    expect(await tried(bread(0.39), id)).toBe(202);
  });

  test("404 for receipts of nobody or of another shop, before the body is read", async () => {
    const other = await bench.otherShop();
    const path = `${RECEIPTS}/${sale}/storno`;
    expect((await other.client.post(path, {})).refusal).toBe("404 NOT_FOUND");
    expect((await bench.office.post(`${RECEIPTS}/rct_0/storno`, {})).refusal).toBe("404 NOT_FOUND");
  });

  const scopes: readonly [number, readonly Scope[]][] = [
    [202, ["receipts:admin"]],
    [202, ["all"]],
    [403, ["receipts", "commands", "receipts:read"]],
  ];
  test.each(scopes)("or not: %d with the scopes %p", async (status, held) => {
    const client = await bench.as(...held);
    const answer = await client.post(`${RECEIPTS}/${sale}/storno`, { reason: "refund" });
    expect(answer.status).toBe(status);
  });

  test("to operators, not to admins, whose names the command keeps", async () => {
    const path = `${RECEIPTS}/${sale}/storno`;
    const operator = await bench.member(bench.orgId, "operator");
    expect((await operator.client.post(path, {})).refusal).toBe("403 FORBIDDEN");
    const admin = await bench.member(bench.orgId, "admin");
    const answer = await admin.client.post(path, { reason: "refund" });
    expect(answer.body).toMatchObject({
      command: { source: "portal", requestedBy: admin.userId, apiKeyId: null },
    });
    expect((await bench.client.post(path, {})).refusal).toBe("401 UNAUTHORIZED");
  });
});
