/** Tenders that the portal has a word for: all that the API names. */

import type { components } from "../../client/index.ts";

/** A way to pay. */
export type Tender = components["schemas"]["Receipt"]["payments"][number]["method"];

const TENDERS: Readonly<Record<Tender, true>> = {
  cash: true,
  card: true,
  check: true,
  credit: true,
  coupons: true,
  "meal-vouchers": true,
  "value-tickets": true,
  voucher: true,
  "modern-payment": true,
  "card-advance": true,
  "foreign-currency": true,
  bank: true,
  "ext-coupons": true,
  packaging: true,
  "internal-usage": true,
  damage: true,
  reserved1: true,
  reserved2: true,
  other: true,
};

/** True for a tender; a newer gateway may know more. */
export function isTender(name: string): name is Tender {
  return Object.hasOwn(TENDERS, name);
}
