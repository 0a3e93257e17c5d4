/** What the commands that print a fiscal document share: plan, print, describe, resolve. */

import type { ReceiptResult } from "#core/command/receipt-result.ts";
import { numberOfDay } from "#core/command/settled.ts";
import type { CommandSuccess } from "#core/driver.ts";
import type { FiscalDocument } from "#core/receipt.ts";
import type { DocumentPrinter } from "../shared/document-commands.ts";
import { describeReceipt } from "../shared/printed-receipt.ts";
import { readWhenClear, sellsExempt } from "../shared/vat-groups.ts";
import { nextZNumber } from "../shared/z-report.ts";
import type { ActionName } from "./actions.ts";
import type { CustomDevice } from "./device.ts";
import { type PrintedDocument, printDocument } from "./document.ts";
import { type DocumentPlan, type DocumentSums, planDocument, sumsOf } from "./plan.ts";
import { clearTheWay } from "./put-away.ts";
import { resolveDocument } from "./resolve.ts";
import { findExemptGroup } from "./vat-table.ts";

/** Without these no document can be printed; what else is missing is done without. */
const NEEDS = {
  sale: ["sale", "payment", "cancel"],
  storno: ["sale", "payment", "cancel", "stornoOpen"],
} as const satisfies Record<FiscalDocument["kind"], readonly ActionName[]>;

const DIGITS = 4;

/** How these devices print a document. */
export const DOCUMENTS: DocumentPrinter<CustomDevice> = {
  async print({ device, progress }, document) {
    device.require(...NEEDS[document.kind]);
    const plan = await planFor(device, document);
    return describe(device, plan, await printDocument(device, plan, progress));
  },
  async recover({ device, evidence, keep }, document) {
    const sums = sumsOf(document);
    return resolveDocument(device, { sums, evidence, keep }, (printed) =>
      describe(device, sums, printed),
    );
  },
};

async function planFor(device: CustomDevice, document: FiscalDocument): Promise<DocumentPlan> {
  const plan = planner(device, document);
  const isAsked = sellsExempt(document) && device.profile.vat.exempt === null;
  // What else is wrong with the document is told before the device is asked for its groups.
  const planned = plan(anyGroup(device));
  if (!isAsked) return planned;
  const table = {
    read: () => findExemptGroup(device),
    clearTheWay: () => clearTheWay(device),
  };
  return plan(await readWhenClear(table));
}

/** Stands for the group of exempt articles while that is not known. */
function anyGroup({ profile }: CustomDevice): string | undefined {
  return Object.values(profile.vat.groups)[0];
}

function planner(
  { profile, facts, environment }: CustomDevice,
  document: FiscalDocument,
): (exemptGroup: string | undefined) => DocumentPlan {
  const { timezone } = environment;
  const { serialNumber } = facts.info;
  return (exemptGroup) => planDocument(document, { profile, timezone, serialNumber, exemptGroup });
}

function describe(
  device: CustomDevice,
  { paid }: DocumentSums,
  { number, lastZNumber, issuedAt }: PrintedDocument,
): CommandSuccess<ReceiptResult> {
  return describeReceipt({
    fiscalId: number === null ? null : fiscalId(number, nextZNumber(lastZNumber)),
    receiptNumber: number,
    fiscalMemorySerialNumber: device.facts.info.fiscalMemorySerialNumber,
    lastZNumber,
    issuedAt,
    totalMinor: paid.amountMinor,
  });
}

/**
 * Numbers begin anew with each day, so that only together with the day do they name a document.
 * @param zNumber of the Z report that closes the day; null when it is not known
 */
function fiscalId(number: number, zNumber: number | null): string {
  return zNumber === null ? String(number).padStart(DIGITS, "0") : numberOfDay(zNumber, number);
}
