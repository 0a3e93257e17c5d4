/** Why a sale is not taken back by something, where too little is left of it: also by what only may be of it. */

import { ApiError } from "#core/errors.ts";
import type { Left } from "#core/receipt-left.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import type { LeftFault } from "#core/reversal-fault.ts";
import type { Reversal } from "./reversals.ts";
import type { ReversedStores, Searched } from "./reversed-sale.ts";
import { type LeftOut, leftOfSale } from "./sale-left.ts";
import { standingAgainst } from "./standing.ts";

/** What is asked of a sale. */
export interface AskedOfSale {
  readonly sale: StoredReceipt;
  /** Why it may not be, by what is left. */
  readonly faultOf: (left: Left) => LeftFault | undefined;
  /** What does not count of what may be of it. */
  readonly out?: LeftOut;
}

/**
 * Why a sale does not have that any more. Where it would but for what was never accepted for it, that is named:
 * its own sale may be told yet.
 */
export function takenFault(
  stores: ReversedStores,
  { sale, faultOf, out = {} }: AskedOfSale,
): LeftFault | undefined {
  const searched: Searched = new Map();
  const fault = faultOf(leftOfSale(stores, sale, { ...out, searched }));
  if (fault === undefined) return undefined;
  const others = standingAgainst(stores, sale, searched).filter(
    (one) => !isKnownAs(stores, sale, one) && !out.besides?.has(one.commandId),
  );
  const [first] = others;
  if (first === undefined) return fault;
  const besides = new Set([...(out.besides ?? []), ...others.map(({ commandId }) => commandId)]);
  const isTheirs = faultOf(leftOfSale(stores, sale, { ...out, besides, searched })) === undefined;
  return isTheirs ? { ...fault, message: words(stores, sale, first) } : fault;
}

/** True for what was accepted for a sale, and for a printed storno that lists show as one of it. */
function isKnownAs(
  { receipts }: ReversedStores,
  sale: StoredReceipt,
  { acceptedFor, commandId }: Reversal,
): boolean {
  return acceptedFor === sale.id || receipts.ofCommand(commandId)?.originalReceiptId === sale.id;
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

function words({ receipts }: ReversedStores, { id }: StoredReceipt, by: Reversal): string {
  const storno = receipts.ofCommand(by.commandId);
  if (storno === undefined) {
    return (
      `Command ${by.commandId} takes back receipt ${id} already, which was not known when that was ` +
      "accepted: ask again once it has ended, or cancel it"
    );
  }
  return (
    `Storno ${storno.id} may have taken back receipt ${id}: it names number ${by.number}, and nobody ` +
    "knows for certain which sale has that. Where it is another one, tell that by POST /receipts"
  );
}
