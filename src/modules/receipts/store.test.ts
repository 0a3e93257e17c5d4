/** `POST /receipts`. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Scope } from "#core/access.ts";
import {
  createReceiptsBench,
  ITEMS,
  NAMES,
  RECEIPTS,
  type ReceiptsBench,
  receiptOf,
  TOTAL,
} from "./testing/receipts-bench.ts";

let bench: ReceiptsBench;
beforeEach(async () => {
  bench = await createReceiptsBench();
});
afterEach(() => bench.close());

const post = (body: unknown, headers: Record<string, string> = {}) =>
  bench.till.with(headers).post(RECEIPTS, body);

describe("a receipt made elsewhere", () => {
  test.each([
    ["1969-12-31T23:59:59Z", 400],
    ["0001-01-01T00:00:00+14:00", 400],
    ["1970-01-01T00:00:00Z", 201],
    ["2026-01-16T10:00:00Z", 201],
    ["2026-01-16T10:00:01Z", 400],
  ])("of %s is answered %p: a journal has no other times", async (issuedAt, status) => {
    const answer = await post(bench.saleBody("1207", { issuedAt }));
    expect(answer.status).toBe(status);
    if (status === 400) {
      expect(answer.body).toMatchObject({ error: { details: [{ path: "issuedAt" }] } });
    }
  });

  test("is stored as it was sent and shown as it was stored", async () => {
    const change = {
      issuedAt: "2026-01-14T09:30:00.250+02:00",
      receiptNumber: "0007",
      customerCif: "RO123",
      items: [{ ...ITEMS[0], department: 3, unit: "pcs" }, ...ITEMS.slice(1)],
      subtotalModifiers: [{ type: "discount-amount", value: 1.27 }],
      payments: [
        { method: "card", amount: 10 },
        { method: "cash", amount: 6 },
      ],
    };
    const answer = await post(bench.saleBody("1207", change));
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      receipt: {
        ...{ ...NAMES, ...change, issuedAt: "2026-01-14T07:30:00.250Z" },
        bookedAt: "2026-01-14T07:30:00.250Z",
        id: expect.stringMatching(/^rct_[0-9A-HJKMNP-TV-Z]{26}$/),
        orgId: bench.orgId,
        deviceId: bench.deviceId,
        locationId: "shop",
        commandId: null,
        apiKeyId: expect.stringMatching(/^key_/),
        type: "sale",
        fiscalId: "1207",
        currency: "RON",
        total: 16,
        originalReceiptId: null,
        source: "api",
        createdAt: "2026-01-15T10:00:00.000Z",
        simulated: false,
      },
    });
    const { id } = receiptOf(answer);
    expect((await bench.till.get(`${RECEIPTS}/${id}`)).body).toEqual({
      ...(answer.body as object),
      repeatable: true,
    });
  });

  test("is issued now and has no other names unless they are given", async () => {
    const { deviceId, type, fiscalId, items, payments } = bench.saleBody("1");
    const answer = await post({ deviceId, type, fiscalId, items, payments });
    expect(answer.body).toMatchObject({
      receipt: {
        ...{ issuedAt: "2026-01-15T10:00:00.000Z", receiptNumber: null, uniqueSaleNumber: null },
        ...{ fiscalMemorySerialNumber: null, zReportNumber: null, customerCif: null },
        subtotalModifiers: [],
        total: TOTAL,
      },
    });
  });

  test("is told as receipt.created once it is on disk, and stands in the audit log", async () => {
    const id = await bench.sale("1");
    const told = bench.events.filter(({ type }) => type === "receipt.created");
    expect(told).toMatchObject([{ orgId: bench.orgId, receipt: { id, fiscalId: "1" } }]);
    const [stored] = bench.database.sqlite
      .prepare("SELECT type, subject_id FROM events ORDER BY seq DESC LIMIT 1")
      .all();
    expect(stored).toEqual({ type: "receipt.created", subject_id: id });
    const [entry] = bench.stores.audit.list(bench.orgId, 1);
    expect(entry).toMatchObject({ action: "receipt.create", resource: id });
    expect(entry?.actor).toMatch(/^key:/);
  });

  test("is told of by no event and no audit entry when it was refused", async () => {
    await bench.sale("1");
    const before = bench.events.length;
    await post(bench.saleBody("1"));
    expect(bench.events.length).toBe(before);
  });

  test("has a fiscal id that its device gave to no other", async () => {
    await bench.sale("1");
    expect((await post(bench.saleBody("1"))).refusal).toBe("409 CONFLICT");
    const deviceId = await bench.addDevice("Second till");
    expect((await post(bench.saleBody("1", { deviceId }))).refusal).toBe("409 CONFLICT");
    const fiscalMemorySerialNumber = "02000601";
    const ofAnother = bench.saleBody("1", { deviceId, fiscalMemorySerialNumber });
    expect((await post(ofAnother)).status).toBe(201);
  });

  test("may have one that its printer gave a round before, where numbers begin anew", async () => {
    bench.stores.devices.update(bench.orgId, bench.deviceId, { driver: "vendorF.shtrih" });
    const on = (fiscalId: string, issuedAt: string) => post(bench.saleBody(fiscalId, { issuedAt }));
    for (const [fiscalId, issuedAt] of [
      ["123", "2025-08-01T10:00:00Z"],
      ["9990", "2025-12-01T10:00:00Z"],
    ] as const) {
      expect((await on(fiscalId, issuedAt)).status).toBe(201);
    }
    await bench.clock.advanceAsync(2 * 86_400_000);
    const issuedAt = "2026-01-16T10:00:00Z";
    expect((await on("123", issuedAt)).status).toBe(201);
    // Sent twice.
    for (const repeated of ["123", "0123", "9990"]) {
      expect((await on(repeated, issuedAt)).refusal).toBe("409 CONFLICT");
    }
    expect((await on("9990", "2025-12-01T10:00:00Z")).refusal).toBe("409 CONFLICT");
  });

  test.each([
    ["28", "0000028"],
    ["0000028", "28"],
    ["0028", "0000028"],
    ["0012-0034", "12-34"],
    ["12-34", "0012-0034"],
  ])("has a fiscal id of its own, not %s as %s", async (one, other) => {
    await bench.sale(one);
    expect((await post(bench.saleBody(other))).refusal).toBe("409 CONFLICT");
  });

  test.each([
    ["28", "280"],
    ["0012-0034", "0120-0034"],
    ["A-01", "A-1"],
    ["0", "00"],
  ])("has a fiscal id of its own, as %s and %s are", async (one, other) => {
    await bench.sale(one);
    expect((await post(bench.saleBody(other))).status).toBe(201);
  });

  test("has no fiscal id of a printed one, written as its paper shows it", async () => {
    const commandId = await bench.queued();
    await bench.finish(commandId, { success: true, data: {}, fiscalId: "28" });
    const answer = await post(bench.saleBody("0000028"));
    expect([answer.refusal, bench.rows().receipts]).toEqual(["409 CONFLICT", 1]);
  });

  test("has a fiscal id that its device printed for no command either", async () => {
    const commandId = await bench.queued();
    await bench.finish(commandId, { success: true, data: {}, fiscalId: "27" });
    expect((await post(bench.saleBody("27"))).refusal).toBe("409 CONFLICT");
  });
});

describe("a receipt is refused", () => {
  const PAID_TWICE = { method: "card", type: "cash", amount: TOTAL };
  const cases: readonly [string, string, object][] = [
    ["deviceId", "without a device", { deviceId: undefined }],
    ["type", "without a type", { type: undefined }],
    ["type", "of a type that there is not", { type: "invoice" }],
    ["fiscalId", "without a fiscal id", { fiscalId: undefined }],
    ["fiscalId", "with an empty fiscal id", { fiscalId: "" }],
    ["fiscalId", "with a fiscal id of 129 characters", { fiscalId: "1".repeat(129) }],
    ["fiscalId", "with a number as fiscal id", { fiscalId: 5 }],
    ["items", "without items", { items: undefined }],
    ["items", "with no item", { items: [] }],
    ["items.0.quantity", "with a quantity of nothing", { items: [{ ...ITEMS[0], quantity: 0 }] }],
    ["items.0.quantity", "with 4 decimals", { items: [{ ...ITEMS[0], quantity: 0.0001 }] }],
    ["items.0.price", "with 3 decimals", { items: [{ ...ITEMS[0], price: 0.001 }] }],
    ["items.0.discount", "with a word about money", { items: [{ ...ITEMS[0], discount: 1 }] }],
    ["payments", "without payments", { payments: undefined }],
    ["payments.0.method", "paid in shells", { payments: [{ method: "shells", amount: 17.27 }] }],
    ["payments.0.amount", "paid nothing", { payments: [{ method: "cash", amount: 0 }] }],
    ["payments", "0.02 off balance", { payments: [{ method: "cash", amount: 17.25 }] }],
    ["issuedAt", "issued at a local time", { issuedAt: "2026-01-14T09:30:00" }],
    ["issuedAt", "issued on a day that there is not", { issuedAt: "2026-02-30T09:30:00Z" }],
    ["issuedAt", "issued in two days", { issuedAt: "2026-01-16T12:00:00.001+02:00" }],
    ["payments.0.type", "paid in two ways at once", { payments: [PAID_TWICE] }],
    ["originalReceiptId", "as a sale with an original", { originalReceiptId: "rct_1" }],
    ["originalReceiptId", "as a refund without an original", { type: "refund" }],
    ["originalReceiptId", "as a storno without an original", { type: "storno" }],
  ];
  test.each(cases)("400 at %s: %s", async (path, _, change) => {
    const answer = await post(bench.saleBody("1", change));
    expect(answer.refusal).toBe("400 VALIDATION_ERROR");
    expect(answer.issuePaths).toEqual([path]);
  });

  test("not 0.01 off balance, which is within the tolerance", async () => {
    const change = { payments: [{ method: "cash", amount: 17.26 }] };
    expect((await post(bench.saleBody("1", change))).status).toBe(201);
  });

  test("with both sums in the words of the balance rule", async () => {
    const change = { payments: [{ method: "cash", amount: 20 }] };
    expect((await post(bench.saleBody("1", change))).text).toMatch(/17\.27.*20\.00/);
  });

  test("404 for devices and originals of nobody or of another shop", async () => {
    const other = await bench.otherShop();
    const key = await other.client.post("/api/v1/org/api-keys", { label: "t", scopes: ["all"] });
    const till = bench.client.as(key.field("key"));
    const body = bench.saleBody("1", { deviceId: other.deviceId });
    const id = receiptOf(await till.post(RECEIPTS, body)).id;
    expect((await post(body)).refusal).toBe("404 NOT_FOUND");
    expect((await post(bench.saleBody("1", { deviceId: "dev_0" }))).refusal).toBe("404 NOT_FOUND");
    for (const original of [id, "rct_0"]) {
      const back = bench.backBody("refund", original);
      expect((await post(back)).refusal).toBe("404 NOT_FOUND");
    }
  });

  const scopes: readonly [number, readonly Scope[]][] = [
    [201, ["receipts"]],
    [201, ["all"]],
    [403, ["receipts:read"]],
    [403, ["receipts:admin"]],
    [403, ["commands", "reports", "devices"]],
  ];
  test.each(scopes)("%d with the scopes %p", async (status, held) => {
    const client = await bench.as(...held);
    expect((await client.post(RECEIPTS, bench.saleBody("1"))).status).toBe(status);
  });

  test("by nobody who is known, but not to an operator", async () => {
    expect((await bench.client.post(RECEIPTS, {})).refusal).toBe("401 UNAUTHORIZED");
    const operator = await bench.member(bench.orgId, "operator");
    const answer = await operator.client.post(RECEIPTS, bench.saleBody("1"));
    expect(answer.body).toMatchObject({ receipt: { apiKeyId: null } });
  });
});

describe("what gives money back", () => {
  let sale: string;
  beforeEach(async () => {
    sale = await bench.sale("1");
  });

  test.each(["refund", "storno"] as const)("as a %s, is kept with its sale", async (type) => {
    const answer = await post(bench.backBody(type, sale));
    expect(answer.status).toBe(201);
    expect(receiptOf(answer)).toMatchObject({ type, originalReceiptId: sale, total: 3 });
  });

  test("may take the whole sale in parts, and nothing beyond it", async () => {
    const rest = {
      items: ITEMS.slice(1),
      payments: [{ method: "cash", amount: 14.27 }],
    };
    expect((await post(bench.backBody("refund", sale, { fiscalId: "2" }))).status).toBe(201);
    const more = bench.backBody("refund", sale, { fiscalId: "3" });
    expect((await post(more)).refusal).toBe("422 UNPROCESSABLE_ENTITY");
    const last = bench.backBody("storno", sale, { fiscalId: "4", ...rest });
    expect((await post(last)).status).toBe(201);
    const beyond = {
      items: [{ name: "Anything", quantity: 1, price: 0.01, vatGroup: "VAT1" }],
      payments: [{ method: "cash", amount: 0.01 }],
      fiscalId: "5",
    };
    const refused = await post(bench.backBody("refund", sale, beyond));
    expect(refused.refusal).toBe("422 UNPROCESSABLE_ENTITY");
    expect(refused.text).toContain("0.00 that is left");
  });

  test("may not take more of an item than was sold, whatever the sum", async () => {
    const items = [{ ...ITEMS[0], quantity: 3 }];
    const body = bench.backBody("refund", sale, {
      items,
      payments: [{ method: "cash", amount: 4.5 }],
    });
    const answer = await post(body);
    expect(answer.refusal).toBe("422 UNPROCESSABLE_ENTITY");
    expect(answer.text).toContain('2.000 of \\"Bread\\"');
  });

  test("may have the rest of an item that went back below its price, and no cent more", async () => {
    const tea = (price: number) => ({
      items: [{ name: "Tea", quantity: 1, price, vatGroup: "VAT1" }],
      payments: [{ method: "cash", amount: price }],
    });
    const id = await bench.sale("88", tea(2.5));
    const refund = (price: number, fiscalId: string) =>
      post(bench.backBody("refund", id, { ...tea(price), fiscalId }));
    expect((await refund(1, "2")).status).toBe(201);
    const beyond = await refund(1.51, "3");
    expect(beyond.refusal).toBe("422 UNPROCESSABLE_ENTITY");
    expect(beyond.text).toContain('1.51 is more than the 1.50 that is left of \\"Tea\\"');
    expect((await refund(1.5, "4")).status).toBe(201);
    expect((await refund(0.01, "5")).text).toContain("Nothing is left");
  });

  test("may lower a price afterwards, up to what it was sold for", async () => {
    const lowered = (price: number, fiscalId: string) =>
      bench.backBody("storno", sale, {
        items: [{ name: "Bread", quantity: 1, price, vatGroup: "VAT1" }],
        payments: [{ method: "cash", amount: price }],
        fiscalId,
      });
    expect((await post(lowered(3.01, "2"))).refusal).toBe("422 UNPROCESSABLE_ENTITY");
    expect((await post(lowered(3, "3"))).status).toBe(201);
  });

  test("takes the cent that it pays beyond its goods off the sale too", async () => {
    const cent = (fiscalId: string) =>
      bench.backBody("refund", sale, {
        items: [{ ...ITEMS[0], quantity: 0.001, price: 0 }],
        payments: [{ method: "cash", amount: 0.01 }],
        fiscalId,
      });
    for (const fiscalId of ["2", "3", "4"]) expect((await post(cent(fiscalId))).status).toBe(201);
    const path = `${RECEIPTS}/${sale}/reversible`;
    expect((await bench.till.get(path)).body).toMatchObject({ reversible: { amount: 17.24 } });
    expect((await bench.storno(sale)).body).toMatchObject({
      command: { payload: { payments: [{ method: "card", amount: 17.24 }] } },
    });
    expect((await post(cent("5"))).refusal).toBe("422 UNPROCESSABLE_ENTITY");
  });

  test("pays back what was paid beyond the sale once", async () => {
    const paid = (amount: number) => [{ method: "cash", amount }];
    const id = await bench.sale("2", { payments: paid(17.28) });
    const bread = bench.backBody("refund", id, { fiscalId: "3", payments: paid(3.01) });
    expect((await post(bread)).status).toBe(201);
    const rest = (amount: number) =>
      post(
        bench.backBody("refund", id, {
          ...{ fiscalId: "4", items: ITEMS.slice(1), payments: paid(amount) },
        }),
      );
    expect((await rest(14.28)).refusal).toBe("422 UNPROCESSABLE_ENTITY");
    expect((await rest(14.27)).status).toBe(201);
  });

  test("is not given for what gave money back itself", async () => {
    const refund = await bench.store(bench.backBody("refund", sale));
    const answer = await post(bench.backBody("storno", refund));
    expect(answer.refusal).toBe("422 UNPROCESSABLE_ENTITY");
  });

  test("is given once, of two that come together", async () => {
    const all = { items: ITEMS, payments: [{ method: "cash", amount: TOTAL }] };
    const answers = await Promise.all(
      ["2", "3", "4"].map((fiscalId) => post(bench.backBody("refund", sale, { ...all, fiscalId }))),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422, 422]);
  });
});

describe("an Idempotency-Key", () => {
  const keyed = (body: unknown, key = "k-1") => post(body, { "idempotency-key": key });

  test("stores once, and answers again what it answered", async () => {
    const first = await keyed(bench.saleBody("1"));
    const again = await keyed(bench.saleBody("1"));
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(bench.rows().receipts).toBe(1);
  });

  test("stores once of parallel requests", async () => {
    const answers = await Promise.all([1, 2, 3].map(() => keyed(bench.saleBody("1"))));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(bench.rows().receipts).toBe(1);
  });

  test("keeps a refusal too", async () => {
    const refused = await keyed(bench.saleBody("1", { items: [] }));
    const again = await keyed(bench.saleBody("1"));
    expect([refused.status, again.status]).toEqual([400, 400]);
    expect(again.headers.get("idempotency-body-mismatch")).toBe("true");
    expect(bench.rows().receipts).toBe(0);
  });

  test("is one and the same for receipts and commands of an organization", async () => {
    const receipt = await keyed(bench.saleBody("1"));
    const command = await bench.till
      .with({ "idempotency-key": "k-1" })
      .post("/api/v1/commands", { deviceId: bench.deviceId, type: "x_report", payload: {} });
    expect([command.status, command.text]).toEqual([201, receipt.text]);
    expect(bench.rows().commands).toBe(0);
  });

  test("that is malformed is refused, and nothing runs", async () => {
    const answer = await keyed(bench.saleBody("1"), "no spaces");
    expect([answer.refusal, answer.issuePaths]).toEqual([
      "400 VALIDATION_ERROR",
      ["Idempotency-Key"],
    ]);
    expect(bench.rows().receipts).toBe(0);
  });
});
