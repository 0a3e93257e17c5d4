/**
 * Of which sale a printed storno is called, in lists and exports: the one that it is taken for by what is known
 * now. Nothing is judged by it while its command is there.
 */

import type { StornoDocument } from "#core/receipt.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import type { NewCommand } from "#db/stores/commands.ts";
import { placedPaper } from "#db/stores/placed-papers.ts";
import type { Reversal } from "#db/stores/reversals.ts";
import { askedStorno, type ReversedStores } from "#db/stores/reversed-sale.ts";
import { orderOf, reversalsNaming, salesOf } from "#db/stores/standing.ts";

/** The id of the sale that a reversal is taken for; null where nobody knows one. */
export function originalIdOf(stores: ReversedStores, reversal: Reversal): string | null {
  const { sales, isBySaleNumber } = salesOf(stores, reversal);
  const [first, ...others] = sales;
  if (first === undefined) return null;
  const command = stores.commands.get(reversal.orgId, reversal.commandId);
  const document = command && orderOf(stores, reversal, command);
  if (!isBySaleNumber || others.length === 0 || !command || !document) return first.id;
  return placedAs(stores, command, document) ?? first.id;
}

function placedAs(
  stores: ReversedStores,
  command: NewCommand,
  document: StornoDocument,
): string | undefined {
  return placedPaper(stores, askedStorno(stores, command, document))?.sale.id;
}

/**
 * Something was learnt of a sale: names the stornos anew that name it, and such as share a unique sale number
 * with one of these. Inside an operation.
 */
export function renewOriginals(stores: ReversedStores, sale: StoredReceipt): void {
  const { orgId } = sale;
  const renewed = reversalsNaming(stores, sale).filter((one) => renew(stores, one));
  const forms = new Set(renewed.flatMap(({ saleNumber }) => saleNumber ?? []));
  for (const form of forms) {
    for (const one of stores.reversals.listNamingSale(orgId, form, sale.issuedAt)) {
      renew(stores, one);
    }
  }
}

/** @returns whether that was news */
function renew(stores: ReversedStores, reversal: Reversal): boolean {
  const storno = stores.receipts.ofCommand(reversal.commandId);
  if (storno === undefined) return false;
  const originalReceiptId = originalIdOf(stores, reversal);
  if (originalReceiptId === storno.originalReceiptId) return false;
  stores.receipts.setOriginal(storno.id, originalReceiptId);
  return true;
}
