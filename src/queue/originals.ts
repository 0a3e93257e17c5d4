/**
 * Of which sale a printed storno is called, in lists and exports: the one that it is taken for by what is known
 * now. Nothing is judged by it while its command is there.
 */

import type { StoredReceipt } from "#core/receipt-record.ts";
import { placedSale } from "#db/stores/placed-papers.ts";
import type { Reversal } from "#db/stores/reversals.ts";
import { Judged, type ReversedStores } from "#db/stores/reversed-sale.ts";
import { orderOf, reversalsNaming, salesOf } from "#db/stores/standing.ts";

/** The id of the sale that a reversal is taken for; null where nobody knows one. */
export function originalIdOf(
  stores: ReversedStores,
  reversal: Reversal,
  judged = new Judged(),
): string | null {
  const { sales, isBySaleNumber } = salesOf(stores, reversal, judged);
  const [first, ...others] = sales;
  if (first === undefined) return null;
  const { orgId, saleNumber: form, namedAt } = reversal;
  const command = stores.commands.get(orgId, reversal.commandId);
  const document = command && orderOf(stores, reversal, command);
  const isShared = isBySaleNumber && others.length > 0 && form !== null;
  if (!isShared || document === undefined) return first.id;
  const shared = { orgId, form, at: namedAt ?? first.issuedAt };
  return placedSale(stores, { ...shared, document, sales }, judged)?.id ?? first.id;
}

/**
 * Something was learnt of a sale: names the stornos anew that name it, and such as share a unique sale number
 * with one of these. Inside an operation.
 */
export function renewOriginals(stores: ReversedStores, sale: StoredReceipt): void {
  const { orgId } = sale;
  // Nothing is judged by what is written here.
  const judged = new Judged();
  // What it is called by now may name another day, or number, than is known of the sale from now on.
  const called = stores.receipts
    .listReversing(orgId, sale.id)
    .flatMap(({ commandId }) => (commandId === null ? [] : (stores.reversals.of(commandId) ?? [])));
  const renewed = [...called, ...reversalsNaming(stores, sale)].filter((one) =>
    renew(stores, one, judged),
  );
  const forms = new Set(renewed.flatMap(({ saleNumber }) => saleNumber ?? []));
  for (const form of forms) {
    for (const one of stores.reversals.listNamingSale(orgId, form, sale.issuedAt)) {
      renew(stores, one, judged);
    }
  }
}

/** @returns whether that was news */
function renew(stores: ReversedStores, reversal: Reversal, judged: Judged): boolean {
  const storno = stores.receipts.ofCommand(reversal.commandId);
  if (storno === undefined) return false;
  const originalReceiptId = originalIdOf(stores, reversal, judged);
  if (originalReceiptId === storno.originalReceiptId) return false;
  stores.receipts.setOriginal(storno.id, originalReceiptId);
  return true;
}
