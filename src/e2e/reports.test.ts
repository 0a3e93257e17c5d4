/**
 * The evening of a shop: what the gateway stored of the day beside what the printer counted by
 * itself, and what somebody rang up at the printer alone.
 */

import { expect, test } from "bun:test";
import type { Static } from "@sinclair/typebox";
import { XmlDocument, XsdValidator } from "libxml2-wasm";
import type { DailyAnswer, ReportList } from "../modules/reports/schema.ts";
import { stornoOrder, TOTAL_MINOR } from "./crash/documents.ts";
import type { World } from "./harness/world.ts";
import { COMPLETED, endOf, inWorld, run, sell } from "./outages/scene.ts";

const BY_HAND_MINOR = 250;
const DAY_MS = 86_400_000;

type Daily = Static<typeof DailyAnswer>;
type Reports = Static<typeof ReportList>;

/** The fiscal days that Z reports closed, on whatever side of a midnight that was. */
async function closedDays({ till }: World) {
  const days: Daily["devices"][number]["fiscalDays"] = [];
  for (const offset of [-1, 0, 1]) {
    const date = new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10);
    const { devices } = await till.expect<Daily>("GET", `/reports/daily?date=${date}`);
    days.push(...devices.flatMap(({ fiscalDays }) => fiscalDays));
  }
  return days.filter(({ report }) => report !== null);
}

/** What the gateway answers with something else than JSON. */
async function textOf({ gateway, ownerToken }: World, path: string): Promise<string> {
  const headers = { authorization: `Bearer ${ownerToken}` };
  const answer = await fetch(`${gateway.url}/api/v1${path}`, { headers });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.text();
}

/** The journal, judged by the schema that the executable has in it. */
async function validJournal(world: World): Promise<string> {
  const journal = await textOf(world, "/reports/journal");
  using schema = XmlDocument.fromString(await textOf(world, "/schemas/journal.xsd"));
  using validator = XsdValidator.fromDoc(schema);
  using document = XmlDocument.fromString(journal);
  validator.validate(document);
  return journal;
}

/** Two sales and a storno of a third, cash in and out, an X report. */
async function trade(world: World): Promise<void> {
  const storno = await stornoOrder(world, 1);
  const ends = [
    await sell(world),
    await run(world, storno.type, storno.payload),
    await sell(world),
    await run(world, "cash_in", { amount: 12.5 }),
    await run(world, "cash_out", { amount: 2.5 }),
    await run(world, "x_report"),
  ];
  expect(ends.map(endOf)).toEqual(ends.map(() => COMPLETED));
}

test.each([
  { driver: "vendorA.isl", model: "x" },
  { driver: "vendorA.isl", model: "p" },
  { driver: "vendorE.zfp" },
  { driver: "vendorF.shtrih" },
])("a day on %p agrees with its Z report, but for what was rung up at the printer", (device) =>
  inWorld(device, async (world) => {
    await trade(world);
    await run(world, "z_report");
    expect(await closedDays(world)).toMatchObject([
      {
        balanced: true,
        stored: {
          ...{ receiptCount: 3, reversalCount: 1 },
          totals: { gross: (3 * TOTAL_MINOR) / 100, reversals: TOTAL_MINOR / 100 },
        },
        difference: { totals: { gross: 0 } },
      },
    ]);

    await sell(world);
    await world.printer.fault({
      ...{ kind: "other_hands", deed: "ring_up", amountMinor: BY_HAND_MINOR },
    });
    await run(world, "z_report");
    expect(await closedDays(world)).toMatchObject([
      { balanced: true },
      {
        balanced: false,
        stored: { receiptCount: 1 },
        difference: { totals: { gross: BY_HAND_MINOR / 100 } },
      },
    ]);
    expect(await validJournal(world)).toContain('<end receipts="5" reports="3"/>');
    const { reports } = await world.till.expect<Reports>("GET", "/reports?sortOrder=asc");
    expect(reports.map(({ type }) => type)).toEqual(["x_report", "z_report", "z_report"]);
  }),
);

test.each([{ driver: "vendorA.isl", model: "x" }, { driver: "vendorE.zfp" }])(
  "what a sale was paid with is stored as it stands on the paper of %p",
  (device) =>
    inWorld(device, async (world) => {
      for (const [number, cents] of [301, 299, 300].entries()) {
        const sold = await run(world, "print_receipt", {
          uniqueSaleNumber: `DT000600-0001-000900${number}`,
          items: [{ name: "Tea", quantity: 1, price: 3, vatGroup: "VAT2" }],
          payments: [
            { method: "card", amount: 1 },
            { method: "cash", amount: (cents - 100) / 100 },
          ],
        });
        expect(endOf(sold)).toEqual(COMPLETED);
      }
      const { receipts } = await world.till.expect<{ receipts: { payments: object[] }[] }>(
        "GET",
        "/receipts",
      );
      const booked = (await world.printer.books()).receipts.slice(-3);
      const onPaper = booked.map(({ payments }) => payments.map(({ amount }) => amount / 100));
      const stored = receipts.map(({ payments }) =>
        payments.map((payment) => "amount" in payment && payment.amount),
      );
      expect(onPaper).toEqual(Array(3).fill([1, 2]));
      expect(stored).toEqual(onPaper);
    }),
);
