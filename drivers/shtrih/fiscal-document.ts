/** What the commands that print a fiscal document share: plan, print, describe, resolve. */

import type { CommandSuccess, Resolution } from "#core/driver.ts";
import { fromMinor } from "#core/money.ts";
import type { FiscalDocument } from "#core/receipt.ts";
import type { CommandContext, ResolveContext } from "./command.ts";
import type { ShtrihDevice } from "./device.ts";
import { type PrintedDocument, printDocument } from "./document.ts";
import { type DocumentPlan, planDocument } from "./plan.ts";
import { resolveDocument } from "./resolve.ts";

/** Prints a document. @throws FiscalError @throws DocumentInDoubt */
export async function executeDocument(
  { device, progress }: CommandContext,
  document: FiscalDocument,
): Promise<CommandSuccess> {
  const plan = planFor(device, document);
  return describe(device, plan, await printDocument(device, plan, progress));
}

/** Finds out what became of a document. @throws FiscalError */
export function recoverDocument(
  { device, evidence }: ResolveContext,
  document: FiscalDocument,
): Promise<Resolution> {
  const plan = planFor(device, document);
  return resolveDocument(device, { plan, evidence }, (printed) => {
    const success = describe(device, plan, printed);
    return {
      outcome: "printed",
      success: { ...success, data: { ...success.data, recovered: true } },
    };
  });
}

function planFor(device: ShtrihDevice, document: FiscalDocument): DocumentPlan {
  return planDocument(document, {
    timezone: device.environment.timezone,
    lineWidth: device.facts.lineWidth,
  });
}

function describe(
  device: ShtrihDevice,
  plan: DocumentPlan,
  printed: PrintedDocument,
): CommandSuccess {
  const { issuedAt } = printed;
  const day = device.lastClosedDay;
  const status = device.status();
  return {
    fiscalId: String(printed.document),
    data: {
      receiptNumber: String(printed.receipt),
      fiscalMemorySerialNumber: device.facts.info.fiscalMemorySerialNumber,
      // The document belongs to the day that the next Z report closes.
      zReportNumber: day === undefined ? null : String(day + 1),
      issuedAt: issuedAt === null ? null : new Date(issuedAt).toISOString(),
      totalAmount: fromMinor(plan.totalMinor),
      change: fromMinor(printed.changeMinor),
    },
    // The document's last frame is a status.
    ...(status ? { status } : {}),
  };
}
