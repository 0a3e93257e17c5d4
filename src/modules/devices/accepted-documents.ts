/** What an owner has accepted of a printer that was ahead of this database. */

import { printerOf } from "#core/device/printer.ts";
import type { Device } from "#db/stores/devices.ts";
import type { Stores } from "#db/stores/index.ts";

/**
 * What the device's printer has printed is known from now on. It is asked how far that goes: what it
 * told before a state was put back, or before somebody rang up more, is less than what was accepted.
 * @param told the device, with all records of its printer that were told of, and UTC milliseconds
 */
export function acceptDocuments(
  stores: Pick<Stores, "commands" | "documentChecks">,
  told: { readonly row: Device; readonly ids: readonly string[]; readonly now: number },
): void {
  const { row, ids, now } = told;
  const accepted = {
    ...{ raisedAt: now, acceptedAt: now, questionId: null },
    ...{ number: null, documents: null, since: null },
  } as const;
  for (const id of ids) {
    const seq = stores.commands.newestPrinted(id);
    // Another record of the same printer is asked by itself, after the next start.
    stores.documentChecks.update(id, {
      ...accepted,
      state: id === row.id ? "asked" : "known",
      seq,
    });
  }
  // Does nothing where there is one.
  stores.documentChecks.raise({
    ...{ ...printerOf(row), orgId: row.orgId, ...accepted, state: "asked" },
    seq: stores.commands.newestPrinted(row.id),
  });
}
