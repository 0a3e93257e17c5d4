/** What the commands that print a fiscal document share: plan, print, describe, resolve. */

import type { ReceiptResult } from "#core/command/receipt-result.ts";
import type { CommandSuccess, Resolution } from "#core/driver.ts";
import type { FiscalDocument } from "#core/receipt.ts";
import type { DocumentPrinter } from "../shared/document-commands.ts";
import { describeReceipt, lastZNumberIn, type PrintedReceipt } from "../shared/printed-receipt.ts";
import { ANY_RATES, planByRates, type VatRates } from "../shared/vat-groups.ts";
import type { CommandContext, ResolveContext } from "./command.ts";
import type { IslDevice } from "./device.ts";
import { type PrintedDocument, printDocument } from "./document.ts";
import { notePaper, readIssuedAt, rememberReceipt } from "./last-receipt.ts";
import { type DocumentPlan, planDocument } from "./plan.ts";
import { clearTheWay } from "./put-away.ts";
import { resolveDocument } from "./resolve.ts";
import { readVatRates } from "./vat-table.ts";

/** How these devices print a document. */
export const documents: DocumentPrinter<IslDevice> = { print, recover };

async function print(
  { device, progress }: CommandContext,
  document: FiscalDocument,
): Promise<CommandSuccess<ReceiptResult>> {
  const table = {
    kept: device.kept.vatTable,
    read: () => readVatRates(device),
    clearTheWay: () => clearTheWay(device),
  };
  const plan = await planByRates(document, table, planner(device, document));
  const printed = await printDocument(device, plan, progress);
  const clock = device.kept.clockNow();
  const lastZNumber = device.kept.zNumber;
  return describe(device, plan, { ...printed, lastZNumber, issuedAt: clock });
}

async function recover(
  { device, evidence, keep }: ResolveContext,
  document: FiscalDocument,
): Promise<Resolution<ReceiptResult>> {
  // The groups of its lines say nothing of what became of it.
  const plan = planner(device, document)(ANY_RATES);
  return resolveDocument(device, { plan, evidence, keep }, async (printed) =>
    describe(device, plan, {
      ...printed,
      lastZNumber: lastZNumberIn(evidence),
      issuedAt: printed.isLast ? await readIssuedAt(device) : null,
    }),
  );
}

function planner(device: IslDevice, document: FiscalDocument): (rates: VatRates) => DocumentPlan {
  const options = {
    dialect: device.dialect,
    timezone: device.environment.timezone,
    model: device.facts.info.model,
    lineWidth: device.facts.lineWidth,
    nameWidth: device.facts.nameWidth,
  };
  return (vatRates) => planDocument(document, { ...options, vatRates });
}

function describe(
  device: IslDevice,
  plan: DocumentPlan,
  printed: PrintedDocument & Pick<PrintedReceipt, "lastZNumber" | "issuedAt">,
): CommandSuccess<ReceiptResult> {
  const { info } = device.facts;
  if (printed.number !== null) {
    rememberReceipt(device, printed.number);
    notePaper(device, printed.number);
  }
  return describeReceipt({
    fiscalId: printed.number,
    fiscalMemorySerialNumber: info.fiscalMemorySerialNumber,
    lastZNumber: printed.lastZNumber,
    issuedAt: printed.issuedAt,
    totalMinor: plan.paid.amountMinor,
  });
}
