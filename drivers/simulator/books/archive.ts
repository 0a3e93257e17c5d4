/**
 * Finished receipts of a simulated device, in the order of their numbers.
 *
 * Each is kept as its JSON text: a million objects with their lines would weigh on every garbage
 * collection, a million strings do not, and the state file and the control port want text anyway.
 */

import type { ReceiptRecord } from "./receipt.ts";

export class ReceiptArchive {
  readonly #numbers: number[] = [];
  readonly #texts: string[] = [];
  /** By the number of a receipt that of the last document that annulled it. */
  readonly #annulments = new Map<number, number>();

  get count(): number {
    return this.#numbers.length;
  }

  /** Number of the last receipt; 0 when there is none. */
  get lastNumber(): number {
    return this.#numbers[this.#numbers.length - 1] ?? 0;
  }

  /** Adds a receipt whose number is above all others. */
  append(record: ReceiptRecord): void {
    this.#numbers.push(record.number);
    this.#texts.push(JSON.stringify(record));
    const { kind, reason, original } = record;
    if (kind === "storno" && reason === "operator-error" && original) {
      this.#annulments.set(original.number, record.number);
    }
  }

  /** True when a later document took this one back as an operator's error. */
  isAnnulled(number: number): boolean {
    return (this.#annulments.get(number) ?? 0) > number;
  }

  /** The receipt with this document number. */
  find(number: number): ReceiptRecord | undefined {
    const index = this.#indexAfter(number - 1);
    return this.#numbers[index] === number ? this.#parse(index) : undefined;
  }

  /** The last receipt. */
  last(): ReceiptRecord | undefined {
    return this.#parse(this.count - 1);
  }

  /** The last receipt whose number is below this one. */
  lastBelow(number: number): ReceiptRecord | undefined {
    return this.#parse(this.#indexAfter(number - 1) - 1);
  }

  /** The receipts with a number above this one, oldest first. */
  *after(number: number): Generator<ReceiptRecord> {
    for (let index = this.#indexAfter(number); index < this.count; index += 1) {
      const record = this.#parse(index);
      if (record) yield record;
    }
  }

  /** Every receipt as JSON text, oldest first. */
  texts(): readonly string[] {
    return this.#texts;
  }

  #parse(index: number): ReceiptRecord | undefined {
    const text = this.#texts[index];
    return text === undefined ? undefined : (JSON.parse(text) as ReceiptRecord);
  }

  /** Index of the first receipt whose number is above `number`. */
  #indexAfter(number: number): number {
    let low = 0;
    let high = this.#numbers.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#numbers[middle] ?? 0) <= number) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
