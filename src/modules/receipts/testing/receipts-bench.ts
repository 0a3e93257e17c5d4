/** The shop of the command tests with keys for its receipts. */

import { Type } from "@sinclair/typebox";
import type { ApiAnswer, ApiClient } from "../../../http/testing/api-client.ts";
import { type CommandsBench, createCommandsBench } from "../../commands/testing/commands-bench.ts";
import type { BenchOptions } from "../../testing/api-bench.ts";

export const RECEIPTS = "/api/v1/receipts";

/** What is sold: it comes to 17.27, the bread to 3.00 of it. */
export const ITEMS = [
  { name: "Bread", quantity: 2, price: 1.5, vatGroup: "VAT1" },
  { name: "Oranges", quantity: 1.254, price: 8.99, vatGroup: "VAT2" },
  { name: "Bag", quantity: 3, price: 1, vatGroup: "VAT2" },
];
export const TOTAL = 17.27;
export const BREAD = ITEMS.slice(0, 1);

/** What a storno has to name of its sale. */
export const NAMES = {
  uniqueSaleNumber: "DT000600-0001-0000001",
  fiscalMemorySerialNumber: "02000600",
  zReportNumber: "12",
};

export type ReceiptsBench = Awaited<ReturnType<typeof createReceiptsBench>>;

/** Builds the shop. Call `close` at the end. */
export async function createReceiptsBench(options: BenchOptions = {}) {
  const bench: CommandsBench = await createCommandsBench(options);
  const { owner, deviceId } = bench;
  const as = async (...scopes: Parameters<CommandsBench["makeKey"]>[0]) =>
    owner.as(await bench.makeKey(scopes));
  const till = await as("receipts", "commands");
  const office = await as("receipts:admin");
  const saleBody = (fiscalId: string, change: object = {}) => ({
    ...{ deviceId, type: "sale", fiscalId, items: ITEMS, ...NAMES },
    ...{ payments: [{ method: "card", amount: TOTAL }], ...change },
  });
  const store = async (body: unknown, client: ApiClient = till): Promise<string> =>
    receiptOf(await client.post(RECEIPTS, body)).id;
  return {
    ...bench,
    ...{ as, till, office, saleBody, store },

    /** Stores a sale. @returns its id */
    sale: (fiscalId: string, change?: object) => store(saleBody(fiscalId, change)),

    /** What gives money back for a part of a sale. */
    backBody: (type: "refund" | "storno", originalReceiptId: string, change: object = {}) => ({
      ...{ deviceId, type, fiscalId: `back of ${originalReceiptId}`, originalReceiptId },
      ...{ items: BREAD, payments: [{ method: "cash", amount: 3 }], ...change },
    }),

    /** Asks for a storno as the office. */
    storno: (receiptId: string, body: object = {}) =>
      office.post(`${RECEIPTS}/${receiptId}/storno`, { reason: "operator-error", ...body }),
  };
}

const Receipt = Type.Object({
  id: Type.String(),
  type: Type.String(),
  total: Type.Number(),
  fiscalId: Type.Union([Type.String(), Type.Null()]),
  bookedAt: Type.String(),
  originalReceiptId: Type.Union([Type.String(), Type.Null()]),
});

/** What tests look at of `{ receipt }`. @throws Error with the answer when it is something else */
export function receiptOf(answer: ApiAnswer) {
  if (answer.status >= 300) throw new Error(`refused: ${answer.text}`);
  return answer.as(Type.Object({ receipt: Receipt })).receipt;
}

/** What tests look at of a page. */
export function pageOf(answer: ApiAnswer) {
  if (answer.status !== 200) throw new Error(`refused: ${answer.text}`);
  return answer.as(
    Type.Object({
      receipts: Type.Array(Receipt),
      hasMore: Type.Boolean(),
      lastId: Type.String(),
    }),
  );
}
