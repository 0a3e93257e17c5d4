/** What the commands that print a fiscal document share: plan, print, describe, resolve. */

import type { ReceiptResult } from "#core/command/receipt-result.ts";
import type { CommandSuccess, Resolution } from "#core/driver.ts";
import type { FiscalDocument } from "#core/receipt.ts";
import type { DocumentPrinter } from "../shared/document-commands.ts";
import { describeReceipt } from "../shared/printed-receipt.ts";
import { ANY_RATES } from "../shared/vat-groups.ts";
import type { CommandContext, ResolveContext } from "./command.ts";
import type { IslDevice } from "./device.ts";
import { type PrintedDocument, printDocument } from "./document.ts";
import { readIssuedAt, rememberReceipt } from "./last-receipt.ts";
import { type DocumentPlan, planDocument } from "./plan.ts";
import { resolveDocument } from "./resolve.ts";
import { readVatRates } from "./vat-table.ts";

/** How these devices print a document. */
export const documents: DocumentPrinter<IslDevice> = { print, recover };

async function print(
  { device, progress }: CommandContext,
  document: FiscalDocument,
): Promise<CommandSuccess<ReceiptResult>> {
  const plan = await planFor(device, document);
  const printed = await printDocument(device, plan, progress);
  const clock = device.clockNow();
  return describe(device, plan, { ...printed, issuedAt: clock });
}

async function recover(
  { device, evidence }: ResolveContext,
  document: FiscalDocument,
): Promise<Resolution<ReceiptResult>> {
  const plan = await planFor(device, document);
  return resolveDocument(device, { plan, evidence }, async (printed) =>
    describe(device, plan, {
      ...printed,
      issuedAt: printed.isLast ? await readIssuedAt(device) : null,
    }),
  );
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
): CommandSuccess<ReceiptResult> {
  const { info, zNumber } = device.facts;
  if (printed.number !== null) rememberReceipt(device, printed.number);
  return describeReceipt({
    fiscalId: printed.number,
    fiscalMemorySerialNumber: info.fiscalMemorySerialNumber,
    lastZNumber: zNumber,
    issuedAt: printed.issuedAt,
    totalMinor: plan.paid.amountMinor,
    changeMinor: printed.changeMinor,
  });
}
