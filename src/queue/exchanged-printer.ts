/**
 * Another printer takes the place of a device's own. What that one is still to be asked, or has told
 * and nobody has accepted, stays with it, as it does where its record is removed.
 */

import { countsByDay } from "#core/device/numbering.ts";
import { answersFor, printerOf, tellsNumber } from "#core/device/printer.ts";
import { recordIdsOf } from "#db/stores/device-records.ts";
import type { Device } from "#db/stores/devices.ts";
import type { DocumentCheck } from "#db/stores/document-checks.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Transaction } from "#db/writer.ts";
import type { CommandChanges } from "./changes.ts";
import { endWaiting } from "./device-end.ts";
import { dayBehindKnown, lastKnownWith } from "./last-known.ts";
import type { Leftovers } from "./leftovers.ts";
import { isAskedFirst } from "./printer-records.ts";
import { movesSince } from "./unknown-documents.ts";

interface ExchangeOptions {
  readonly stores: Pick<Stores, "commands" | "devices" | "documentChecks" | "outcomeHolds">;
  readonly changes: CommandChanges;
  /** What was left at the start; all that waits where nobody knows. */
  readonly leftovers?: Leftovers | undefined;
}

/** `leavePrinter`, without what the queue adds itself. */
export type LeavePrinter = (
  tx: Transaction,
  device: Device,
  as: { readonly id: string; readonly now: number },
) => void;

/**
 * Ends what waited for a printer that was not asked yet whether it has printed that, and keeps what it
 * is to be asked. To be called in the operation that gives its record another one, before that.
 * @param as a record's id that is of no record, and UTC milliseconds
 */
export function leavePrinter(
  tx: Transaction,
  device: Device,
  {
    stores,
    changes,
    leftovers,
    ...as
  }: ExchangeOptions & { readonly id: string; readonly now: number },
): void {
  const { commands, documentChecks } = stores;
  // What a person is asked of that holds the printer that the record still names.
  if (isAskedFirst(stores, device.id)) {
    endWaiting(tx, device.id, { commands, changes, leftovers, now: as.now, why: "unasked" });
  }
  const row = documentChecks.get(device.id);
  documentChecks.remove(device.id);
  const isOpen = row !== undefined && row.state !== "known";
  // One that tells no number is not known again.
  if (!isOpen || !tellsNumber(device) || !answersFor(row, printerOf(device))) return;
  const kept = row.state === "asked" ? knownOf(stores, row, device) : {};
  if (kept === undefined) return;
  const { fiscalMemorySerialNumber, serialNumber } = printerOf(device);
  documentChecks.raise({
    ...{ ...row, fiscalMemorySerialNumber, serialNumber, ...kept },
    // It is found by its numbers alone: another one stands at its address.
    ...{ deviceId: as.id, address: null, questionId: null },
    raisedAt: row.state === "asked" ? as.now : row.raisedAt,
    ...(row.state === "asked" && documentChecks.acceptance(as.now)),
  });
}

/**
 * What is known of the last receipt of a printer, as far as its records print on another one from now
 * on. Papers of ours behind it are not counted: one too many would hide a receipt.
 * @returns undefined where nothing is
 */
function knownOf(stores: ExchangeOptions["stores"], row: DocumentCheck, { driver }: Device) {
  const own = { records: recordIdsOf(stores, row), driver };
  const known = lastKnownWith(stores, row, own);
  // What an owner has accepted until the printer tells it.
  if (known === "accepted") return {};
  if (known === undefined) return undefined;
  const { seq, since } = known;
  const { closedDay, receipts } = movesSince(stores, own, seq);
  const before = countsByDay(driver) && closedDay ? 0 : known.number;
  const day = dayBehindKnown(stores, known, own) ?? null;
  return { number: before + receipts, day, seq, since };
}
