// SPDX-License-Identifier: Apache-2.0
/**
 * A till's day: cash in, a sale, the storno of a part of it, the Z report, the comparison of the
 * day and the journal. README.md beside this file says how to run it.
 */

import { writeFileSync } from "node:fs";
import { answer, createClient, type FiscalType, GatewayError, type Outcome } from "fiscald-client";

const url = setting("FISCALD_URL");
const deviceId = setting("FISCALD_DEVICE");
const client = createClient({ url, apiKey: setting("FISCALD_KEY") });

/** The till's own number of what it does, and how often the cashier has mended something. */
const [number = "1001", attempts = "1"] = process.argv.slice(2);

const SOLD = [
  { name: "Coffee", quantity: 2, price: 1.5, vatGroup: "VAT2" },
  { name: "Oranges", quantity: 1.254, price: 8.99, vatGroup: "VAT2" },
];
const RETURNED = [{ name: "Coffee", quantity: 1, price: 1.5, vatGroup: "VAT2" }];

async function day(): Promise<void> {
  const cash = await once("cash in", (key) =>
    client.print({ key, deviceId, type: "cash_in", payload: { amount: 50 } }),
  );
  console.log(`cash in: ${money(cash.data.cashBalance)} in the drawer`);

  // In Bulgaria every sale has a number: the device's, the operator's, and its own.
  const uniqueSaleNumber = `DT000600-0001-${number.padStart(7, "0")}`;
  const payments = [
    { method: "card", amount: 10 } as const,
    { method: "cash", amount: 4.27 } as const,
  ];
  const sale = await once("sale", (key) =>
    client.print({
      ...{ key, deviceId, type: "print_receipt" },
      payload: { uniqueSaleNumber, items: SOLD, payments },
    }),
  );
  console.log(`sale: receipt ${sale.fiscalId}, ${money(sale.data.totalAmount)}`);

  const reversal = {
    uniqueSaleNumber,
    originalReceiptNumber: sale.data.receiptNumber ?? sale.fiscalId ?? "",
    originalReceiptDateTime: sale.data.issuedAt ?? sale.command.finishedAt ?? "",
    fiscalMemorySerialNumber: sale.data.fiscalMemorySerialNumber ?? "",
    reason: "refund" as const,
    items: RETURNED,
    payments: [{ method: "cash", amount: 1.5 } as const],
  };
  try {
    const storno = await once("storno", (key) =>
      client.print({ key, deviceId, type: "print_reversal_receipt", payload: reversal }),
    );
    console.log(`storno: receipt ${storno.fiscalId}, ${money(storno.data.totalAmount)}`);
  } catch (error) {
    if (!(error instanceof Unsupported)) throw error;
    // As all in Romania. A person has nothing to mend, and the day has to be closed.
    console.log("storno: this printer has none (E201), the day goes on");
  }
}

async function evening(): Promise<void> {
  const z = await once("Z report", (key) =>
    client.print({ key, deviceId, type: "z_report", payload: {} }),
  );
  console.log(`Z report: number ${z.data.reportNumber}`);

  const daily = await answer(
    client.api.GET("/api/v1/reports/daily", { params: { query: { deviceId } } }),
  );
  const closed = daily.devices[0]?.fiscalDays.find(
    ({ report }) => report?.commandId === z.command.id,
  );
  const { gross, reversals } = closed?.stored.totals ?? {};
  const agrees = closed?.balanced === true ? "as the printer has it" : "LOOK AT IT";
  console.log(`day: ${money(gross)} sold, ${money(reversals)} taken back, ${agrees}`);

  const journal = await answer(
    client.api.GET("/api/v1/reports/journal", {
      params: { query: { deviceId } },
      parseAs: "text",
    }),
  );
  // Its last element counts what is in it: a file without it was cut off on the way.
  const [, receipts, reports] = /<end receipts="(\d+)" reports="(\d+)"/.exec(journal) ?? [];
  if (receipts === undefined) throw new Problem("journal: cut off, get it again");
  writeFileSync("journal.xml", journal);
  console.log(`journal: ${receipts} receipts and ${reports} reports in journal.xml`);
}

/**
 * Prints something once, however often the till is started again with the same number. What was
 * certainly not printed is tried anew, under a new key, once the cashier has mended the cause.
 */
async function once<Type extends FiscalType>(
  what: string,
  print: (key: string) => Promise<Outcome<Type>>,
): Promise<Outcome<Type> & { outcome: "printed" }> {
  let reason = "";
  let code: string | undefined;
  for (let attempt = 1; attempt <= Number(attempts); attempt += 1) {
    const end = await print(`till1-${number}-${what.replaceAll(" ", "-")}-${attempt}`);
    switch (end.outcome) {
      case "printed":
        return end;
      case "not_printed":
        code = end.errorCode;
        reason = `${end.errorMessage} (${code})`;
        break;
      case "unknown":
        throw new Problem(
          `${what}: nobody knows. Look at the paper, then tell the gateway what is there:\n` +
            `POST ${url}/api/v1/commands/${end.command.id}/resolve`,
        );
      case "under_way":
        throw new Problem(`${what}: not ended yet. Start again with ${number} ${attempts}`);
    }
  }
  const KindOfProblem = code === "E201" ? Unsupported : Problem;
  throw new KindOfProblem(
    `${what}: not printed, ${reason}. Mend it, then start again with ${number} ${Number(attempts) + 1}`,
  );
}

/** Something that a person has to do. */
class Problem extends Error {}

/** This printer has no such document. */
class Unsupported extends Problem {}

function money(amount: number | null | undefined): string {
  return amount?.toFixed(2) ?? "?";
}

function setting(name: string): string {
  const value = process.env[name];
  if (value) return value;
  console.error(`set ${name}`);
  process.exit(2);
}

try {
  await day();
  await evening();
} catch (error) {
  if (!(error instanceof Problem || error instanceof GatewayError)) throw error;
  console.error(error.message);
  process.exit(1);
}
