/** What the commands that print a fiscal document share: plan, print, describe, resolve. */

import type { CommandSuccess, Resolution } from "#core/driver.ts";
import { fromMinor } from "#core/money.ts";
import type { FiscalDocument } from "#core/receipt.ts";
import { parseClock } from "./clock-text.ts";
import type { CommandContext, ResolveContext } from "./command.ts";
import type { IslDevice } from "./device.ts";
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
  const printed = await printDocument(device, plan, progress);
  const clock = device.clockNow();
  return describe(device, plan, { ...printed, issuedAt: clock });
}

/** Finds out what became of a document. @throws FiscalError */
export async function recoverDocument(
  { device, evidence }: ResolveContext,
  document: FiscalDocument,
): Promise<Resolution> {
  const plan = await planFor(device, document);
  return resolveDocument(device, { plan, evidence }, async (printed) => {
    const success = describe(device, plan, {
      ...printed,
      issuedAt: await readIssuedAt(device),
    });
    return {
      outcome: "printed",
      success: { ...success, data: { ...success.data, recovered: true } },
    };
  });
}

async function planFor(device: IslDevice, document: FiscalDocument): Promise<DocumentPlan> {
  const options = {
    dialect: device.dialect,
    timezone: device.environment.timezone,
    model: device.facts.info.model,
    lineWidth: device.facts.lineWidth,
    nameWidth: device.facts.nameWidth,
  };
  // Where the rates must be read (again), what is wrong with the document is told before that.
  if (!device.vatRates) planDocument(document, { ...options, vatRates: ANY_RATES });
  return planDocument(document, { ...options, vatRates: await readVatRates(device) });
}

function describe(
  device: IslDevice,
  plan: DocumentPlan,
  printed: PrintedDocument & { readonly issuedAt: number | null },
): CommandSuccess {
  const { info, zNumber } = device.facts;
  const number = String(printed.number);
  return {
    fiscalId: number,
    data: {
      receiptNumber: number,
      fiscalMemorySerialNumber: info.fiscalMemorySerialNumber,
      // The document belongs to the day that the next Z report closes.
      zReportNumber: zNumber === null ? null : String(zNumber + 1),
      // To the second, as the device prints it.
      issuedAt:
        printed.issuedAt === null
          ? null
          : new Date(Math.floor(printed.issuedAt / 1000) * 1000).toISOString(),
      totalAmount: fromMinor(plan.paid.amountMinor),
      change: fromMinor(printed.changeMinor),
    },
  };
}

/** When the last receipt was issued, where the device tells; null otherwise. */
async function readIssuedAt(device: IslDevice): Promise<number | null> {
  const text = (await device.tryAsk("lastReceipt"))?.optional("issuedAt");
  if (text === undefined) return null;
  return parseClock(text, device.environment.timezone, device.dialect.clockMarksDaylight) ?? null;
}
