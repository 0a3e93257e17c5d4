/** What the search finds for a reversal, the look-up of what names a sale finds for that sale. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  type PrintReversalReceiptPayload,
  toStornoDocument,
} from "#core/command/types/print-reversal-receipt.ts";
import type { DriverId } from "#core/driver-id.ts";
import { acceptedReversal } from "#db/stores/accepted-reversal.ts";
import { askedStorno, numberedSales, unnumberedSales } from "#db/stores/reversed-sale.ts";
import { reversalsNaming } from "#db/stores/standing.ts";
import { commandIdOf, SALE, UNKNOWN } from "../commands/testing/commands-bench.ts";
import { NAMES } from "./testing/receipts-bench.ts";
import { createSaidBench, type SaidBench } from "./testing/said-bench.ts";

const OWN = { uniqueSaleNumber: "DT000600-0001-0000042" };
/** The same, as a till may copy it. */
const WRITTEN = { uniqueSaleNumber: " dt000600-0001-0000042 " };
const { fiscalMemorySerialNumber } = NAMES;
const TRIED = "cmd_tried";

let bench: SaidBench;
beforeEach(async () => {
  bench = await createSaidBench();
});
afterEach(() => bench.close());

/** A sale with the number of its document and that of its receipt. @param said by a person before */
async function printed(fiscalId: string, receiptNumber: string, said?: string): Promise<string> {
  const commandId = said === undefined ? await bench.queued() : await bench.lost();
  if (said !== undefined) await bench.said(said, commandId);
  const data = { receiptNumber, zReportNumber: "12", fiscalMemorySerialNumber };
  await bench.finish(commandId, { success: true, data, fiscalId });
  bench.queue.ready(bench.deviceId);
  await bench.atRest();
  return bench.stores.receipts.ofCommand(commandId)?.id ?? "";
}

/** As an older version stored it. */
async function older(id: Promise<string>, said: string): Promise<string> {
  const row = "UPDATE receipts SET receipt_number = ?, z_report_number = NULL WHERE id = ?";
  bench.database.sqlite.prepare(row).run(said, await id);
  return id;
}

/** A person cannot read the number of its paper. */
async function unread(): Promise<string> {
  const commandId = await bench.queued("print_receipt", { ...SALE, ...OWN });
  await bench.marked(commandId, "committing");
  await bench.finish(commandId, UNKNOWN);
  expect((await bench.resolve(commandId, { outcome: "printed" })).status).toBe(200);
  return bench.stores.receipts.ofCommand(commandId)?.id ?? "";
}

/** What a reversal may name of the sale on a paper. */
function writings(number: string): readonly string[] {
  const own = number.split("-").at(-1) ?? number;
  const plain = own.replace(/^0+/, "");
  return [number, plain, plain.padStart(4, "0"), plain.padStart(7, "0"), ` ${plain} `].concat([
    `12-${plain}`,
    `0012-${plain.padStart(4, "0")}`,
    `13-${plain}`,
  ]);
}

test.each<[driver: DriverId, sales: () => readonly (() => Promise<string>)[], numbers: string[]]>([
  [
    "vendorA.isl",
    () => [
      () => bench.sale("0034"),
      () => bench.sale("A-0033"),
      () => printed("35", "35"),
      () => printed("36", "36", "0036"),
      () => printed("38", "38", "0037"),
      async () => bench.said("39", await bench.inDoubt()),
    ],
    ["34", "A-0033", "35", "36", "37", "38", "39"],
  ],
  [
    "vendorF.shtrih",
    () => [
      () => printed("1234", "28"),
      () => printed("1235", "29", "0029"),
      () => printed("1236", "30", "1236"),
      () => older(printed("1237", "31", "1237"), "1237"),
      () => printed("1238", "32", "0027"),
    ],
    ["1234", "28", "1235", "29", "1236", "30", "1237", "31", "1238", "32", "27"],
  ],
  [
    "custom.serial",
    () => [
      () => printed("0012-0034", "34"),
      () => printed("0012-0035", "35", "35"),
      () => older(printed("0012-0036", "36", "36"), "36"),
      () => printed("0012-0038", "38", "12-37"),
      async () => bench.said("39", await bench.inDoubt({ zNumber: 11 })),
    ],
    ["34", "0012-0035", "36", "37", "38", "39"],
  ],
])("on %s", async (driver, sales, numbers) => {
  bench.stores.devices.update(bench.orgId, bench.deviceId, { driver });
  const ids: string[] = [];
  for (const make of [...sales(), unread]) ids.push(await make());
  const { commands, receipts, reversals } = bench.stores;
  const any = commands.get(bench.orgId, commandIdOf(await bench.reversal("", "5555")));
  if (any === undefined) throw new Error("the reversal is not stored");
  const { payload, ...command } = any;
  const found = new Set<string>();
  const others = ids.flatMap((id) => receipts.get(bench.orgId, id) ?? []);
  const naming = () =>
    others.flatMap((sale) => {
      const named = reversalsNaming(bench.stores, sale).map(({ commandId }) => commandId);
      return named.includes(TRIED) ? sale.id : [];
    });
  for (const originalReceiptNumber of [...numbers.flatMap(writings), "999"]) {
    for (const more of [OWN, WRITTEN, { uniqueSaleNumber: "", originalZReportNumber: "12" }]) {
      const originalReceiptDateTime = new Date(bench.clock.now()).toISOString();
      const named = { ...NAMES, originalReceiptNumber, originalReceiptDateTime, ...more };
      const tried = { ...(payload as PrintReversalReceiptPayload), ...named };
      const document = toStornoDocument(tried, "Europe/Bucharest");
      const asked = askedStorno(bench.stores, { ...command, payload: tried }, document);
      const { printer, till, person } = numberedSales(bench.stores, asked);
      const meant = [printer, till, person, ...unnumberedSales(bench.stores, asked).bySaleNumber];
      const order = { ...command, id: TRIED };
      reversals.add(acceptedReversal(bench.stores, order, { document, accepted: undefined }));
      const looked = naming();
      for (const { id } of meant.filter((sale) => sale !== undefined)) {
        found.add(id);
        expect([named, looked]).toEqual([named, expect.arrayContaining([id])]);
      }
      bench.database.sqlite.prepare("DELETE FROM reversals WHERE command_id = ?").run(TRIED);
    }
  }
  // A misread one is found by what its paper shows.
  expect([...found].sort()).toEqual(others.map(({ id }) => id).sort());
  expect(naming()).toEqual([]);
});
