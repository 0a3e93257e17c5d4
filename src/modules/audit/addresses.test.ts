/** From where somebody did what the audit log tells. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import {
  createReceiptsBench,
  RECEIPTS,
  type ReceiptsBench,
} from "../receipts/testing/receipts-bench.ts";

const FROM = "10.9.8.7";
const ENTRIES = Type.Object({
  entries: Type.Array(
    Type.Object({ action: Type.String(), address: Type.Union([Type.String(), Type.Null()]) }),
  ),
});

let bench: ReceiptsBench;
beforeEach(async () => {
  bench = await createReceiptsBench({ trustProxy: true });
});
afterEach(() => bench.close());

test("the address stands at whatever was done over the network", async () => {
  const there = { "X-Forwarded-For": FROM };
  const [owner, office, till] = [bench.owner, bench.office, bench.till].map((one) =>
    one.with(there),
  );
  if (!owner || !office || !till) throw new Error("no client");
  const sale = await bench.sale("27");
  await till.post(RECEIPTS, bench.saleBody("28"));
  await office.post(`${RECEIPTS}/${sale}/storno`, { reason: "operator-error" });
  await owner.post("/api/v1/controllers/tab1", { locationId: "shop" });
  await owner.post("/api/v1/controllers/tab1/fcm-token", { fcmToken: "token-of-the-app" });
  await owner.patch("/api/v1/controllers/tab1", { locationId: "bar" });
  await owner.delete("/api/v1/controllers/tab1");
  const url = "https://pos.example.com/events";
  const made = await owner.post("/api/v1/org/webhooks", { url, events: ["command.completed"] });
  const { webhook } = made.as(Type.Object({ webhook: Type.Object({ id: Type.String() }) }));
  await owner.post(`/api/v1/org/webhooks/${webhook.id}/rotate-secret`, {});
  await owner.delete(`/api/v1/org/webhooks/${webhook.id}`);
  const { entries } = (await bench.owner.get("/api/v1/audit?limit=9&sortOrder=desc")).as(ENTRIES);
  expect(entries.map(({ action, address }) => [action, address]).reverse()).toEqual(
    [
      ...["receipt.create", "receipt.storno"],
      ...["controller.registered", "controller.token_registered"],
      ...["controller.updated", "controller.removed"],
      ...["webhook.created", "webhook.secret_rotated", "webhook.removed"],
    ].map((action) => [action, FROM]),
  );
});
