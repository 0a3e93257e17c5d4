/**
 * That a document in doubt was seen with a payment while it was put away. From there on it can only
 * be finished, so what is issued under its number is ours. The line may be lost before that is read
 * back: the driver keeps it from line to line.
 */

import type { DriverEnvironment, Evidence } from "#core/driver.ts";

type Remembered = DriverEnvironment["remembered"];

const KEY = "document.paid";

/** Keeps that the document of this evidence was seen with a payment. */
export function rememberPaid(remembered: Remembered, { baseline }: Evidence): void {
  remembered.set(KEY, JSON.stringify(baseline));
}

/** True when that was kept of the document of this evidence. */
export function wasSeenPaid(remembered: Remembered, { baseline }: Evidence): boolean {
  return remembered.get(KEY) === JSON.stringify(baseline);
}
