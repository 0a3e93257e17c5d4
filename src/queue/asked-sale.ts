/** Which sale a `print_reversal_receipt` is judged as one of. */

import type { StornoDocument } from "#core/receipt.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import type { NewCommand } from "#db/stores/commands.ts";
import { placedPaper } from "#db/stores/placed-papers.ts";
import { isNamedOnPaper } from "#db/stores/proven-number.ts";
import {
  askedStorno,
  numberedSale,
  type ReversedStores,
  saleWithId,
} from "#db/stores/reversed-sale.ts";
import type { LeftOut } from "#db/stores/sale-left.ts";

/** The sale that an order is judged as one of. */
export interface AskedSale {
  readonly sale: StoredReceipt;
  /** Nothing but its unique sale number tells that. */
  readonly isByUniqueNumber?: boolean;
  /** Commands that take back the papers of others with that number. */
  readonly elsewhere?: ReadonlySet<string>;
}

/** The one that a reversal takes back; undefined where the gateway does not have it. */
export function askedSale(
  stores: ReversedStores,
  command: NewCommand,
  document: StornoDocument,
): AskedSale | undefined {
  const asked = askedStorno(stores, command, document);
  const byId = saleWithId(stores, asked);
  if (byId !== undefined) return { sale: byId };
  const { sale, isMisread } = numberedSale(stores, asked);
  if (sale !== undefined && !isMisread) return { sale };
  const placed = placedPaper(stores, asked);
  // A person misread its number as the one that is named: what refuses that is said of it.
  if (placed === undefined || placed.sale.id === sale?.id) return sale && { sale };
  // It may stand on several papers, and another of them may turn out to have the number that is named.
  const isByUniqueNumber = !isNamedOnPaper(stores, placed.sale, document.original);
  return { ...placed, isByUniqueNumber };
}

/** What does not count against a command that asks for a sale: what waits, and was accepted later, yields to it. */
export function leftOutFor(
  stores: Pick<ReversedStores, "commands">,
  { id, orgId }: Pick<NewCommand, "id" | "orgId">,
  { elsewhere = [] }: { readonly elsewhere?: Iterable<string> | undefined } = {},
): LeftOut {
  const waitingBehind = stores.commands.get(orgId, id)?.seq ?? Number.POSITIVE_INFINITY;
  return { besides: new Set([id, ...elsewhere]), waitingBehind };
}
