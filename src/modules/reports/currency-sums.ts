/** Sums of stored receipts apart for each currency: one is never added to another. */

import type { StoredReceipt } from "#core/receipt-record.ts";
import { addReceipt, addSums, emptySums, type ReceiptSums } from "./sums.ts";

export class CurrencySums {
  readonly #sums = new Map<string, ReceiptSums>();
  #latest: string | undefined;

  /** That of the receipt that came last: what the device sells in now. Undefined without any. */
  get latest(): string | undefined {
    return this.#latest;
  }

  /** Adds one receipt, in the order of the device's books. */
  add(receipt: StoredReceipt): void {
    addReceipt(this.#made(receipt.currency), receipt);
    this.#latest = receipt.currency;
  }

  /** Adds what came after all that is there. */
  append(later: CurrencySums): void {
    for (const [currency, sums] of later.#sums) addSums(this.#made(currency), sums);
    this.#latest = later.#latest ?? this.#latest;
  }

  /** Nothing, for a currency of which there is no receipt. */
  of(currency: string | undefined): ReceiptSums {
    return (currency === undefined ? undefined : this.#sums.get(currency)) ?? emptySums();
  }

  /** Those of the other currencies, in the order in which they came. */
  beside(currency: string | undefined): readonly (readonly [string, ReceiptSums])[] {
    return [...this.#sums].filter(([name]) => name !== currency);
  }

  #made(currency: string): ReceiptSums {
    const sums = this.#sums.get(currency) ?? emptySums();
    this.#sums.set(currency, sums);
    return sums;
  }
}
