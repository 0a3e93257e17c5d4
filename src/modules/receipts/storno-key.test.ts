/** `POST /receipts/{id}/storno` with an `Idempotency-Key`: money goes back once. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { COMMANDS, commandIdOf, SALE } from "../commands/testing/commands-bench.ts";
import {
  BREAD,
  createReceiptsBench,
  NAMES,
  RECEIPTS,
  type ReceiptsBench,
} from "./testing/receipts-bench.ts";

const KEY = "return-17";
const BREAD_BACK = {
  ...{ reason: "refund", items: BREAD },
  payments: [{ method: "cash", amount: 3 }],
};

let bench: ReceiptsBench;
let sale: string;
beforeEach(async () => {
  bench = await createReceiptsBench();
  sale = await bench.sale("27");
});
afterEach(() => bench.close());

const keyed = (body: object = BREAD_BACK, client = bench.office) =>
  client.with({ "idempotency-key": KEY }).post(`${RECEIPTS}/${sale}/storno`, body);
const stornos = () => bench.rows().commands;

test("a part of a sale goes back once, however often it is asked for", async () => {
  const first = await keyed();
  const again = await Promise.all([1, 2, 3].map(() => keyed()));
  expect(first.body).toMatchObject({ command: { idempotencyKey: KEY, status: "pending" } });
  for (const { status, text, headers } of again) {
    expect([status, text, headers.get("idempotent-replayed")]).toEqual([202, first.text, "true"]);
  }
  expect(stornos()).toBe(1);
});

test("parallel requests are one storno", async () => {
  const answers = await Promise.all([1, 2, 3].map(() => keyed()));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(stornos()).toBe(1);
});

test("another part under the same key is answered as the first was, and says so", async () => {
  const first = await keyed();
  const other = await keyed({ reason: "refund" });
  expect([other.status, other.text]).toEqual([202, first.text]);
  expect(other.headers.get("idempotency-body-mismatch")).toBe("true");
  expect(stornos()).toBe(1);
});

test("the same key takes back another sale, too, and each of them once", async () => {
  const first = await keyed();
  const other = await bench.sale("28");
  const office = bench.office.with({ "idempotency-key": KEY });
  const again = () => office.post(`${RECEIPTS}/${other}/storno`, BREAD_BACK);
  const second = await again();
  expect(commandIdOf(second)).not.toBe(commandIdOf(first));
  expect([(await keyed()).text, (await again()).text]).toEqual([first.text, second.text]);
  expect(second.headers.get("idempotent-replayed")).toBeNull();
  expect(stornos()).toBe(2);
});

test.each(["print_receipt", "x_report"])(
  "the key of a %s takes back a sale all the same",
  async (type) => {
    const till = bench.till.with({ "idempotency-key": KEY });
    const payload = type === "x_report" ? {} : SALE;
    const order = { deviceId: bench.deviceId, type, payload };
    const printed = await till.post(COMMANDS, order);
    const answer = await keyed();
    expect(answer.body).toMatchObject({
      command: { type: "print_reversal_receipt", idempotencyKey: KEY, status: "pending" },
    });
    expect(answer.headers.get("idempotent-replayed")).toBeNull();
    expect((await till.post(COMMANDS, order)).text).toBe(printed.text);
    expect((await keyed()).text).toBe(answer.text);
    expect(stornos()).toBe(2);
  },
);

test("the key of a storno prints and stores all the same", async () => {
  const commandId = commandIdOf(await keyed());
  const till = bench.till.with({ "idempotency-key": KEY });
  const order = { deviceId: bench.deviceId, type: "x_report", payload: {} };
  expect(commandIdOf(await till.post(COMMANDS, order))).not.toBe(commandId);
  expect(stornos()).toBe(2);
});

test("what the key took back by POST /commands is not taken back again", async () => {
  const till = bench.till.with({ "idempotency-key": KEY });
  const payload = {
    ...{ reason: "refund", uniqueSaleNumber: NAMES.uniqueSaleNumber, items: BREAD },
    ...{ originalReceiptNumber: "27", originalReceiptDateTime: new Date(bench.clock.now()) },
    ...{ fiscalMemorySerialNumber: NAMES.fiscalMemorySerialNumber },
  };
  const order = { deviceId: bench.deviceId, type: "print_reversal_receipt", payload };
  const first = await till.post(COMMANDS, order);
  const answer = await keyed();
  expect([answer.status, answer.text]).toEqual([202, first.text]);
  expect(answer.headers.get("idempotency-body-mismatch")).toBe("true");
  expect(stornos()).toBe(1);
});

test.each([
  ["with the sale", (receiptId: string) => `${receiptId}\n`],
  ["without the sale", () => ""],
])("a key that an older version kept, %s, is still the storno's", async (_, before) => {
  const first = await keyed();
  const { database, orgId } = bench;
  const text = `${before(sale)}${JSON.stringify(sorted(BREAD_BACK))}`;
  const requestHash = new Bun.CryptoHasher("sha256").update(text).digest("hex");
  database.sqlite
    .prepare("UPDATE idempotency_keys SET key = ?, request_hash = ? WHERE org_id = ?")
    .run(KEY, requestHash, orgId);
  const again = await keyed();
  expect([again.text, again.headers.get("idempotency-body-mismatch")]).toEqual([first.text, null]);
  const other = await keyed({ reason: "refund" });
  expect([other.text, other.headers.get("idempotency-body-mismatch")]).toEqual([
    first.text,
    "true",
  ]);
  expect(stornos()).toBe(1);
});

test("a refusal is kept, and reserves nothing", async () => {
  const wrong = { ...BREAD_BACK, payments: [{ method: "cash", amount: 4 }] };
  expect((await keyed(wrong)).refusal).toBe("400 VALIDATION_ERROR");
  const again = await keyed();
  expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([400, "true"]);
  expect(stornos()).toBe(0);
  expect((await bench.storno(sale)).status).toBe(202);
});

test("a malformed key is refused, and nothing is queued", async () => {
  const office = bench.office.with({ "idempotency-key": "no spaces" });
  const answer = await office.post(`${RECEIPTS}/${sale}/storno`, BREAD_BACK);
  expect([answer.refusal, answer.issuePaths]).toEqual([
    "400 VALIDATION_ERROR",
    ["Idempotency-Key"],
  ]);
  expect(stornos()).toBe(0);
});

/** With its properties in the order of their names, as the hash of a body has them. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const names = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(names.map(([name, inner]) => [name, sorted(inner)]));
}
