/** Documents that sweeps print: two items, a discount where the protocol has one, two tenders. */

import type { RunOptions } from "./simulated-device.ts";

/** A document, and what the device's books must hold of it once it is printed. */
export interface SweptDocument extends RunOptions {
  readonly kind: "sale" | "storno";
  readonly totalMinor: number;
  readonly items: number;
}

export interface SampleOptions {
  readonly uniqueSaleNumber?: string;
  /** Groups of the coffee (2.5 at 3.30) and the water (1.00). */
  readonly vatGroups: readonly [coffee: string, water: string];
  /** Names of the two; plain letters when absent. */
  readonly names?: readonly [coffee: string, water: string];
}

/** A sale of 9.25, or of 9.00 with a discount, paid with 4.00 by card and the rest in cash. */
export function sampleSale(
  options: SampleOptions & { readonly hasDiscount: boolean },
): SweptDocument {
  const { hasDiscount, uniqueSaleNumber } = options;
  const totalMinor = hasDiscount ? 900 : 925;
  const discounts = [{ type: "discount-amount", value: 0.25 }];
  return {
    type: "print_receipt",
    kind: "sale",
    totalMinor,
    items: 2,
    payload: {
      ...(uniqueSaleNumber && { uniqueSaleNumber }),
      items: itemsOf(options),
      ...(hasDiscount && { subtotalModifiers: discounts }),
      payments: [
        { method: "card", amount: 4 },
        { method: "cash", amount: (totalMinor - 400) / 100 },
      ],
    },
  };
}

/** A sale of one line of 3.00, paid by card: others may sell the same for the same. */
export function sampleSaleOfOne({
  vatGroups,
  names,
  uniqueSaleNumber,
}: SampleOptions): SweptDocument {
  const [vatGroup] = vatGroups;
  const [name = "Coffee"] = names ?? [];
  return {
    type: "print_receipt",
    kind: "sale",
    totalMinor: 300,
    items: 1,
    payload: {
      ...(uniqueSaleNumber && { uniqueSaleNumber }),
      items: [{ name, quantity: 1, price: 3, vatGroup }],
      payments: [{ method: "card", amount: 3 }],
    },
  };
}

/** A storno of the water of receipt 1. */
export function sampleStorno(
  options: SampleOptions & {
    readonly uniqueSaleNumber: string;
    readonly fiscalMemorySerialNumber: string;
  },
): SweptDocument {
  const { uniqueSaleNumber, fiscalMemorySerialNumber } = options;
  return {
    type: "print_reversal_receipt",
    kind: "storno",
    totalMinor: 100,
    items: 1,
    payload: {
      uniqueSaleNumber,
      originalReceiptNumber: "1",
      originalReceiptDateTime: "2024-03-15T12:05:09Z",
      fiscalMemorySerialNumber,
      reason: "refund",
      items: itemsOf(options).slice(1),
    },
  };
}

function itemsOf({ vatGroups, names = ["Coffee", "Water"] }: SampleOptions) {
  const [coffee, water] = names;
  return [
    { name: coffee, quantity: 2.5, price: 3.3, vatGroup: vatGroups[0] },
    { name: water, quantity: 1, price: 1, vatGroup: vatGroups[1] },
  ];
}
