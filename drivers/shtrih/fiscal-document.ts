/** What the commands that print a fiscal document share: plan, print, describe, resolve. */

import type { ReceiptResult } from "#core/command/receipt-result.ts";
import type { CommandSuccess, Resolution } from "#core/driver.ts";
import type { FiscalDocument } from "#core/receipt.ts";
import type { DocumentPrinter } from "../shared/document-commands.ts";
import { describeReceipt, lastZNumberIn, type PrintedReceipt } from "../shared/printed-receipt.ts";
import type { CommandContext, ResolveContext } from "./command.ts";
import type { ShtrihDevice } from "./device.ts";
import { FACTORY } from "./dialects/factory.ts";
import { type PrintedDocument, printDocument } from "./document.ts";
import { type DocumentPlan, planDocument } from "./plan.ts";
import { resolveDocument } from "./resolve.ts";
import { groupsFor } from "./vat-table.ts";

/** How these devices print a document. */
export const documents: DocumentPrinter<ShtrihDevice> = { print, recover };

async function print(
  { device, progress }: CommandContext,
  document: FiscalDocument,
): Promise<CommandSuccess<ReceiptResult>> {
  const plan = planFor(device, document, await groupsFor(device, document.items));
  const printed = await printDocument(device, plan, progress);
  return describe(device, plan, { ...printed, lastZNumber: device.kept.zNumber });
}

function recover(
  { device, evidence }: ResolveContext,
  document: FiscalDocument,
): Promise<Resolution<ReceiptResult>> {
  // It was begun, so the device has its groups.
  const plan = planFor(device, document, FACTORY.taxGroupsMax);
  return resolveDocument(device, { plan, evidence }, (printed) =>
    describe(device, plan, { ...printed, lastZNumber: lastZNumberIn(evidence) }),
  );
}

function planFor(device: ShtrihDevice, document: FiscalDocument, taxGroups: number): DocumentPlan {
  return planDocument(document, {
    taxGroups,
    timezone: device.environment.timezone,
    lineWidth: device.facts.lineWidth,
  });
}

function describe(
  device: ShtrihDevice,
  plan: DocumentPlan,
  printed: PrintedDocument & Pick<PrintedReceipt, "lastZNumber">,
): CommandSuccess<ReceiptResult> {
  const success = describeReceipt({
    fiscalId: printed.document,
    receiptNumber: printed.receipt,
    fiscalMemorySerialNumber: device.facts.info.fiscalMemorySerialNumber,
    lastZNumber: printed.lastZNumber,
    issuedAt: printed.issuedAt,
    totalMinor: plan.totalMinor,
  });
  // The document's last frame is a status.
  const status = device.status();
  return status ? { ...success, status } : success;
}
