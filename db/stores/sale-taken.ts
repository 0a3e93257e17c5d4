/** Why a sale is not taken back by something, where too little is left of it: also by what only may be of it. */

import { ApiError } from "#core/errors.ts";
import type { Left } from "#core/receipt-left.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import type { LeftFault } from "#core/reversal-fault.ts";
import type { Reversal } from "./reversals.ts";
import { Judged, type ReversedStores } from "./reversed-sale.ts";
import { type LeftOut, leftOfSale } from "./sale-left.ts";
import { salesOf, standingAgainst } from "./standing.ts";

/** What is asked of a sale. */
export interface AskedOfSale {
  readonly sale: StoredReceipt;
  /** Why it may not be, by what is left. */
  readonly faultOf: (left: Left) => LeftFault | undefined;
  /** What does not count of what may be of it. */
  readonly out?: LeftOut;
}

/** True where something takes back what may be that sale: not only a paper whose number was misread of it. */
export function isTakenBack(stores: ReversedStores, sale: StoredReceipt): boolean {
  const judged = new Judged();
  const isOf = (one: Reversal): boolean =>
    salesOf(stores, one, judged).sales.some(({ id }) => id === sale.id);
  return (
    stores.receipts.listReversing(sale.orgId, sale.id).length > 0 ||
    standingAgainst(stores, sale, judged).some(isOf)
  );
}

/**
 * Why a sale does not have that any more. Where it would but for what was never accepted for it, that is named:
 * its own sale may be told yet.
 */
export function takenFault(
  stores: ReversedStores,
  { sale, faultOf, out = {} }: AskedOfSale,
): LeftFault | undefined {
  const judged = new Judged();
  const fault = faultOf(leftOfSale(stores, sale, { ...out, judged }));
  if (fault === undefined) return undefined;
  const others = standingAgainst(stores, sale, judged).filter(
    (one) => !isKnownAs(stores, sale, { one, judged }) && !out.besides?.has(one.commandId),
  );
  const [first] = others;
  if (first === undefined) return fault;
  const besides = new Set([...(out.besides ?? []), ...others.map(({ commandId }) => commandId)]);
  const isTheirs = faultOf(leftOfSale(stores, sale, { ...out, besides, judged })) === undefined;
  return isTheirs ? { ...fault, message: words(stores, { sale, by: first, fault }) } : fault;
}

/** True for what was accepted for a sale, or has its number by a word: of nothing else that is to be told. */
function isKnownAs(
  stores: ReversedStores,
  sale: StoredReceipt,
  { one, judged }: { readonly one: Reversal; readonly judged: Judged },
): boolean {
  if (one.acceptedFor === sale.id) return true;
  const isPrinted = stores.receipts.ofCommand(one.commandId) !== undefined;
  const { isBySaleNumber, sales } = salesOf(stores, one, judged);
  return isPrinted && !isBySaleNumber && sales[0]?.id === sale.id;
}

/**
 * The same of what is made by what is left, and refused.
 * @throws ApiError what it throws; UNPROCESSABLE_ENTITY that names what may be of the sale
 */
export function madeOfLeft<T>(
  stores: ReversedStores,
  sale: StoredReceipt,
  make: (left: Left) => T,
): T {
  try {
    return make(leftOfSale(stores, sale));
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "UNPROCESSABLE_ENTITY") throw error;
    const { details } = error;
    const faultOf = (left: Left): LeftFault | undefined => {
      try {
        make(left);
        return undefined;
      } catch {
        return { message: error.message, lines: [] };
      }
    };
    const { message = error.message } = takenFault(stores, { sale, faultOf }) ?? {};
    throw message === error.message ? error : new ApiError(error.code, message, details);
  }
}

function words(
  { receipts }: ReversedStores,
  {
    sale: { id },
    by,
    fault,
  }: { readonly sale: StoredReceipt; readonly by: Reversal; readonly fault: LeftFault },
): string {
  const storno = receipts.ofCommand(by.commandId);
  if (storno === undefined) {
    return (
      `Command ${by.commandId} takes back receipt ${id} already, which was not known when that was ` +
      "accepted: ask again once it has ended, or cancel it"
    );
  }
  return (
    `${fault.message}. Storno ${storno.id}, which names number ${by.number}, may have taken it back: where ` +
    "another sale has that number, tell it by POST /receipts"
  );
}
