/** In which ways the money can go back. */

import type { components } from "../../../client/index.ts";
import type { TenderLeft } from "../../parts/reversals.ts";
import type { Tender } from "../../parts/tender.ts";

type Receipt = components["schemas"]["Receipt"];

/** One way, with cash for what was not paid so, or each part as it was paid. */
export type WayBack = Tender | "as-paid";

/** What is known of the money of a sale. */
export interface PaysBack {
  /** What was paid in each way and has not gone back so. */
  readonly paid: readonly TenderLeft[];
  /** The ways in which its printer pays back; null until it told. */
  readonly tenders: readonly Tender[] | null;
}

/** Payments may be so much less than what a receipt comes to; its printer booked that all the same. */
const ROUNDED_CENTS = 1;

/**
 * The ways that there are to pay it back, the first of them unless another is chosen.
 * @param isWhole it is all of a sale of which nothing went back yet
 */
export function waysBack(
  sale: Pick<Receipt, "payments">,
  { isWhole }: { readonly isWhole: boolean },
  known: PaysBack,
): readonly WayBack[] {
  const methods = methodsOf(sale);
  const isAble = (method: Tender) => takes(known, method);
  if (isWhole && methods.length > 1 && methods.every(isAble)) return ["as-paid", "cash"];
  const others = methods.filter(
    (method) => method !== "cash" && isAble(method) && leftOf(method, known.paid) > 0,
  );
  return methods.length === 1 ? [...others, "cash"] : ["cash", ...others];
}

/** The ways in which the sale was paid and its printer does not pay back. */
export function waysLacking(sale: Pick<Receipt, "payments">, known: PaysBack): readonly Tender[] {
  return methodsOf(sale).filter((method) => !takes(known, method));
}

/** True where a way in which the sale was paid has less left than goes back. */
export function isLimited(
  sale: Pick<Receipt, "payments">,
  cents: number,
  known: PaysBack,
): boolean {
  return methodsOf(sale).some(
    (method) => takes(known, method) && splitOf(method, cents, known.paid).length > 1,
  );
}

/** What goes back in which way: no more in any than was paid so, and the rest in cash. */
export function splitOf(
  method: Tender,
  cents: number,
  paid: readonly TenderLeft[],
): readonly TenderLeft[] {
  const left = leftOf(method, paid);
  if (method === "cash" || cents <= left + ROUNDED_CENTS) return [{ method, cents }];
  return [
    { method, cents: left },
    { method: "cash", cents: cents - left },
  ];
}

function methodsOf({ payments }: Pick<Receipt, "payments">): readonly Tender[] {
  return [...new Set(payments.map(({ method }) => method))];
}

function takes({ tenders }: PaysBack, method: Tender): boolean {
  return tenders?.includes(method) ?? true;
}

function leftOf(method: Tender, paid: readonly TenderLeft[]): number {
  return paid.find((one) => one.method === method)?.cents ?? 0;
}
