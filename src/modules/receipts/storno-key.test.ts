/** `POST /receipts/{id}/storno` with an `Idempotency-Key`: money goes back once. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { COMMANDS, commandIdOf } from "../commands/testing/commands-bench.ts";
import {
  BREAD,
  createReceiptsBench,
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

test("the same of another sale is answered as the first was, and says so", async () => {
  const first = await keyed();
  const other = await bench.sale("28");
  const office = bench.office.with({ "idempotency-key": KEY });
  const answer = await office.post(`${RECEIPTS}/${other}/storno`, BREAD_BACK);
  expect([answer.status, answer.text]).toEqual([202, first.text]);
  expect(answer.headers.get("idempotency-body-mismatch")).toBe("true");
  expect((await keyed()).headers.get("idempotency-body-mismatch")).toBeNull();
  expect(stornos()).toBe(1);
});

test("a key that an older version kept, without the sale, is known by its body", async () => {
  const first = await keyed();
  const kept = bench.stores.idempotency.get(bench.orgId, KEY);
  if (kept === undefined) throw new Error("the key was not kept");
  const text = JSON.stringify(sorted(BREAD_BACK));
  const requestHash = new Bun.CryptoHasher("sha256").update(text).digest("hex");
  await bench.writer.run(() => bench.stores.idempotency.put({ ...kept, requestHash }));
  const again = await keyed();
  expect([again.text, again.headers.get("idempotency-body-mismatch")]).toEqual([first.text, null]);
  expect((await keyed({ reason: "refund" })).headers.get("idempotency-body-mismatch")).toBe("true");
});

test("a refusal is kept, and reserves nothing", async () => {
  const wrong = { ...BREAD_BACK, payments: [{ method: "cash", amount: 4 }] };
  expect((await keyed(wrong)).refusal).toBe("400 VALIDATION_ERROR");
  const again = await keyed();
  expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([400, "true"]);
  expect(stornos()).toBe(0);
  expect((await bench.storno(sale)).status).toBe(202);
});

test("whoever may reverse is answered again, and others with the key's other answers are not", async () => {
  const commandId = commandIdOf(await keyed());
  const submitter = (await bench.as("commands")).with({ "idempotency-key": KEY });
  const order = { deviceId: bench.deviceId, type: "x_report", payload: {} };
  expect(commandIdOf(await submitter.post(COMMANDS, order))).toBe(commandId);
  const storing = (await bench.as("receipts")).with({ "idempotency-key": KEY });
  const stored = await storing.post(RECEIPTS, bench.saleBody("28"));
  expect(stored.refusal).toBe("409 CONFLICT");
  expect(stornos()).toBe(1);
});

test("a command of another kind is not told to whom may only reverse", async () => {
  const till = bench.till.with({ "idempotency-key": KEY });
  await till.post(COMMANDS, { deviceId: bench.deviceId, type: "x_report", payload: {} });
  const refused = await keyed();
  expect(refused.refusal).toBe("409 CONFLICT");
  expect(refused.text).toContain("needs the scope `commands`");
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
