/** What the commands that print a fiscal document share: plan, print, describe, resolve. */

import type { ReceiptResult } from "#core/command/receipt-result.ts";
import type { CommandSuccess, Resolution } from "#core/driver.ts";
import type { FiscalDocument } from "#core/receipt.ts";
import type { DocumentPrinter } from "../shared/document-commands.ts";
import { describeReceipt, lastZNumberIn, type PrintedReceipt } from "../shared/printed-receipt.ts";
import { ANY_TENDERS } from "../shared/tenders.ts";
import { ANY_RATES, planByRates, type VatRates } from "../shared/vat-groups.ts";
import type { CommandContext, ResolveContext } from "./command.ts";
import type { ZfpDevice } from "./device.ts";
import { type PrintedDocument, printDocument } from "./document.ts";
import { type DocumentPlan, planDocument } from "./plan.ts";
import { clearTheWay } from "./put-away.ts";
import { resolveDocument } from "./resolve.ts";
import { readVatRates } from "./vat-table.ts";

/** How these devices print a document. */
export const documents: DocumentPrinter<ZfpDevice> = { print, recover };

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
  return describe(device, plan, { ...printed, lastZNumber: device.kept.zNumber });
}

async function recover(
  { device, evidence, keep }: ResolveContext,
  document: FiscalDocument,
): Promise<Resolution<ReceiptResult>> {
  // The groups of its lines say nothing of what became of it, nor what its tenders are now.
  const { timezone } = device.environment;
  const any = { tenders: ANY_TENDERS, vatRates: ANY_RATES };
  const plan = planDocument(document, { ...any, timezone });
  return resolveDocument(device, { plan, evidence, keep }, (printed) =>
    describe(device, plan, { ...printed, lastZNumber: lastZNumberIn(evidence) }),
  );
}

function planner(device: ZfpDevice, document: FiscalDocument): (rates: VatRates) => DocumentPlan {
  const { tenders } = device.dialect;
  const options = { tenders, timezone: device.environment.timezone };
  return (vatRates) => planDocument(document, { ...options, vatRates });
}

function describe(
  device: ZfpDevice,
  plan: DocumentPlan,
  printed: PrintedDocument & Pick<PrintedReceipt, "lastZNumber">,
): CommandSuccess<ReceiptResult> {
  const { info } = device.facts;
  return describeReceipt({
    fiscalId: printed.number,
    fiscalMemorySerialNumber: info.fiscalMemorySerialNumber,
    lastZNumber: printed.lastZNumber,
    issuedAt: printed.issuedAt,
    totalMinor: plan.paid.amountMinor,
  });
}
