/**
 * What became of a document in doubt: asked for round by round, told in one form.
 *
 * Other hands may have been at the device: a person at its keyboard, another program. So a verdict
 * wants a proof that no document of theirs explains; see `verdictOf`.
 */

import type { Baseline, Mark } from "#core/command/marks.ts";
import type { CommandSuccess, Resolution } from "#core/driver.ts";

/** What a reading of the device says of a document; `Printed` is what a printed one is known by. */
export type Verdict<Printed> =
  /** A receipt stands open and is to be put away before anything can be said. */
  | { readonly kind: "stands_open" }
  | ({ readonly kind: "printed" } & Printed)
  | { readonly kind: "not_printed"; readonly reason: string }
  | { readonly kind: "unknown"; readonly reason: string };

/** What the device shows of our document, once nothing stands open on it. */
export type Trace<Printed> =
  /** Finished with our sums, and nobody else's document can be what is seen. */
  | ({ readonly kind: "ours" } & Printed)
  /** It was cancelled, or no document was finished since the baseline. */
  | { readonly kind: "gone"; readonly reason: string }
  /** It is ours that was finished, but not as it was sent. */
  | { readonly kind: "altered"; readonly reason: string }
  /** What is seen may be somebody else's. */
  | { readonly kind: "untold"; readonly reason: string };

/**
 * The verdict on a document of which nothing stands open any more. Up to `committing` nothing of it
 * was paid, so unless the device shows that others have finished it, it was not printed, whatever
 * they have printed since. From there on what is not proven is not known.
 */
export function verdictOf<Printed>(
  mark: Exclude<Mark, "committed">,
  trace: Trace<Printed>,
): Verdict<Printed> {
  switch (trace.kind) {
    case "ours":
      return { ...trace, kind: "printed" };
    case "gone":
      return { kind: "not_printed", reason: trace.reason };
    case "altered":
      return { kind: "unknown", reason: trace.reason };
    case "untold":
      return mark === "committing"
        ? { kind: "unknown", reason: trace.reason }
        : { kind: "not_printed", reason: "The document had not been paid" };
    default:
      return trace satisfies never;
  }
}

/** Added to the baseline of a document once the device shows that it holds a payment. */
export const PAID = { paid: true } as const;

/**
 * Keeps that a document in doubt was seen with a payment, before it is finished: from there on it
 * can only be finished, so what the device then tells under its number is ours.
 */
export async function keepPaid(keep: (learned: Baseline) => Promise<void>): Promise<void> {
  // Where it cannot be stored it is finished all the same, for the customer has paid.
  await keep(PAID).catch(() => undefined);
}

/** One look at the device. */
export interface Look<Printed> {
  readonly verdict: Verdict<Printed>;
  /** Puts away the receipt that stands open. @throws FiscalError a line fault */
  putAway(): Promise<void>;
}

/** Putting away may have to be followed by another look; more rounds than this change nothing. */
const ROUNDS_MAX = 3;

/**
 * Looks at the device, putting away what stands open on it, until the verdict is there.
 * @param look reads the device and judges
 * @param describe makes the result of a printed document
 * @throws FiscalError a line fault, or E306/E307 while the device cannot print: ask again later
 */
export async function resolveInRounds<Printed, Data>(
  look: () => Promise<Look<Printed>>,
  describe: (printed: Printed) => CommandSuccess<Data> | Promise<CommandSuccess<Data>>,
): Promise<Resolution<Data>> {
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const { verdict, putAway } = await look();
    switch (verdict.kind) {
      case "stands_open":
        await putAway();
        break;
      case "printed":
        return { outcome: "printed", success: await describe(verdict) };
      case "not_printed":
        return { outcome: "not_printed", reason: verdict.reason };
      case "unknown":
        return { outcome: "unknown", reason: verdict.reason };
      default:
        return verdict satisfies never;
    }
  }
  return { outcome: "unknown", reason: "The document on the device can be neither ended nor read" };
}
