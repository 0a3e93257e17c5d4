/** What the commands that print a fiscal document share: plan, print, describe, resolve. */

import type { CommandSuccess, Resolution } from "#core/driver.ts";
import { fromMinor } from "#core/money.ts";
import type { FiscalDocument } from "#core/receipt.ts";
import type { CommandContext, ResolveContext } from "./command.ts";
import type { ZfpDevice } from "./device.ts";
import { type PrintedDocument, printDocument } from "./document.ts";
import { type DocumentPlan, planDocument } from "./plan.ts";
import { resolveDocument } from "./resolve.ts";
import { readVatRates } from "./vat-table.ts";

/** Rates with which no VAT group is refused. */
const ANY_RATES: readonly string[] = ["0.00"];

/** Prints a document. @throws FiscalError @throws DocumentInDoubt */
export async function executeDocument(
  { device, progress }: CommandContext,
  document: FiscalDocument,
): Promise<CommandSuccess> {
  const plan = await planFor(device, document);
  return describe(device, plan, await printDocument(device, plan, progress));
}

/** Finds out what became of a document. @throws FiscalError */
export async function recoverDocument(
  { device, evidence }: ResolveContext,
  document: FiscalDocument,
): Promise<Resolution> {
  const plan = await planFor(device, document);
  return resolveDocument(device, { plan, evidence }, (printed) => {
    const success = describe(device, plan, printed);
    return {
      outcome: "printed",
      success: { ...success, data: { ...success.data, recovered: true } },
    };
  });
}

async function planFor(device: ZfpDevice, document: FiscalDocument): Promise<DocumentPlan> {
  const options = { dialect: device.dialect, timezone: device.environment.timezone };
  // Where the rates must be read (again), what is wrong with the document is told before that.
  if (!device.vatRates) planDocument(document, { ...options, vatRates: ANY_RATES });
  return planDocument(document, { ...options, vatRates: await readVatRates(device) });
}

function describe(device: ZfpDevice, plan: DocumentPlan, printed: PrintedDocument): CommandSuccess {
  const { info, zNumber } = device.facts;
  const number = String(printed.number);
  return {
    fiscalId: number,
    data: {
      receiptNumber: number,
      fiscalMemorySerialNumber: info.fiscalMemorySerialNumber,
      // The document belongs to the day that the next Z report closes.
      zReportNumber: zNumber === null ? null : String(zNumber + 1),
      issuedAt: printed.issuedAt === null ? null : new Date(printed.issuedAt).toISOString(),
      totalAmount: fromMinor(plan.paid.amountMinor),
      // Tenders are paid exactly.
      change: 0,
    },
  };
}
