/** Sums by a key, apart for each currency: currencies are never added to each other. */

import type { Interval } from "#core/calendar.ts";
import { emptyTally, type Tally } from "./sums.ts";

/** The receipts of one key and currency. */
export interface Bucket {
  readonly key: string;
  /** Of an hour or a day. */
  readonly interval: Interval | undefined;
  readonly currency: string;
  readonly tally: Tally;
}

export class Buckets {
  readonly #byKey = new Map<string, Map<string, Bucket>>();

  /** The tally of a key and currency, which begins with nothing. */
  tally(key: string, currency: string, interval?: Interval): Tally {
    const byCurrency = this.#byKey.get(key) ?? new Map<string, Bucket>();
    this.#byKey.set(key, byCurrency);
    const bucket = byCurrency.get(currency) ?? { key, interval, currency, tally: emptyTally() };
    byCurrency.set(currency, bucket);
    return bucket.tally;
  }

  /** In the order of their keys; equal keys and unranked ones as they came. */
  list(rankOf: (key: string) => number = () => 0): Bucket[] {
    return [...this.#byKey.values()]
      .flatMap((byCurrency) => [...byCurrency.values()])
      .sort((one, other) => rankOf(one.key) - rankOf(other.key));
  }
}
