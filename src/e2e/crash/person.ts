/**
 * The person who comes to a printer after a case: puts away what somebody else left open on it,
 * looks at the paper and answers what the gateway asks, so that the next case finds it as this one
 * did.
 */

import type { StrikablePlace } from "./place.ts";
import { isOurs } from "./truth.ts";

/** Presses the cancel key where a document stands open. */
export async function putAway({ printer }: StrikablePlace): Promise<void> {
  const { openDocument } = await printer.books();
  if (openDocument === null) return;
  await printer.fault({ kind: "other_hands", deed: "cancel", when: "before" });
}

/**
 * Looks what became of the document of a case, to answer from it whenever the gateway asks: what is
 * printed later is another one.
 * @param since the last receipt in the printer's books before it
 */
export async function look(
  place: StrikablePlace,
  { commandId, since }: { readonly commandId: string; readonly since: LastReceipt },
): Promise<void> {
  // Not by the last document: some devices give the number of an annulled receipt again.
  const { receipts } = await place.printer.books(since.lastReceiptNumber);
  const receipt = receipts.find(isOurs);
  const seen = receipt
    ? ({ outcome: "printed", fiscalId: place.fiscalIdOf(receipt) } as const)
    : ({ outcome: "not_printed" } as const);
  place.seen.set(commandId, seen);
}

interface LastReceipt {
  readonly lastReceiptNumber: number;
}

/**
 * Answers every question about the printer: about the document of this case, and about one before
 * it that the gateway has reason to ask about again.
 */
export async function answer({ till, deviceId, seen }: StrikablePlace): Promise<void> {
  const path = `/devices/${deviceId}/alerts`;
  const { alerts } = await till.expect<{ alerts: readonly ShownAlert[] }>("GET", path);
  for (const { type, commandId = "" } of alerts) {
    if (type !== "outcome_unknown") continue;
    const body = seen.get(commandId);
    if (body === undefined) throw new Error(`asked about ${commandId}, which no case printed`);
    await till.expect("POST", `/commands/${commandId}/resolve`, body);
  }
}

interface ShownAlert {
  readonly type: string;
  readonly commandId?: string;
}
