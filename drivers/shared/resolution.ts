/**
 * What became of a document in doubt: asked for round by round, told in one form.
 *
 * Other hands may have been at the device: a person at its keyboard, another program. So a verdict
 * wants a proof that no document of theirs explains; see `verdictOf`.
 */

import { DOUBTS, type Doubt } from "#core/command/doubt.ts";
import type { Baseline } from "#core/command/marks.ts";
import type { CommandSuccess, DriverEnvironment, Evidence, Resolution } from "#core/driver.ts";
import { foreignBaseline } from "./document-faults.ts";
import { storeInPassing } from "./mark-during.ts";
import type { Sums } from "./sums.ts";

/** What a reading of the device says of a document; `Printed` is what a printed one is known by. */
export type Verdict<Printed> =
  /** A receipt stands open and is to be put away before anything can be said. */
  | { readonly kind: "stands_open" }
  | ({ readonly kind: "printed" } & Printed)
  | { readonly kind: "not_printed"; readonly reason: string }
  | { readonly kind: "unknown"; readonly doubt: Doubt };

/** What a device counts of a finished document; null what it does not tell. */
export type Counted = { readonly [Sum in keyof Sums]: number | null };

/** What the device shows of our document, once it does not stand open any more. */
export type Trace<Printed> =
  /** One was finished, and nobody else's document can be what is seen: its sums decide. */
  | { readonly kind: "finished"; readonly counted: Counted; readonly printed: Printed }
  /** It was cancelled, or no document was finished since the baseline. */
  | { readonly kind: "gone"; readonly reason: string }
  /** It is ours that was finished, but not as it was sent. */
  | { readonly kind: "altered"; readonly doubt: Doubt }
  /** What is seen may be somebody else's. */
  | { readonly kind: "untold"; readonly doubt: Doubt };

/** How far a document in doubt had got, as far as that is known. */
export type Progress = Pick<Evidence, "mark" | "mayBeFurther">;

/** True when it is certain that none of its lines was sent. */
export function hasNoLines({ mark, mayBeFurther = false }: Progress): boolean {
  return mark === "baseline" && !mayBeFurther;
}

/** What the device shows, by the protocol's own rules. */
export interface Seen<Printed> {
  /** Ours may stand open, and is then to be put away before anything can be said. */
  readonly mayStandOpen: boolean;
  /** What ours is known by, of which the device has confirmed the closing. */
  confirmed(): Printed;
  /** Asked once ours does not stand open any more. */
  trace(): Trace<Printed>;
}

/**
 * The verdict on a document in doubt. Of one that does not stand open any more, and whose closing the
 * device has not confirmed: that we had not paid it says nothing. Another host may have paid into it,
 * taking it for its own. So once others have printed behind it, only what the device shows of ours
 * counts, and without that it is not known. None of it can be on paper while none of its lines was
 * sent.
 *
 * What was finished is told as printed only with the sums of what was sent: others may have taken a
 * discount on ours, or a line of it back, before it was paid.
 * @param ours the sums of the whole document: all lines, all payments
 */
export function verdictOf<Printed>(
  progress: Progress,
  ours: Sums,
  seen: Seen<Printed>,
): Verdict<Printed> {
  // The device has confirmed the closing; whatever came later is somebody else's.
  if (progress.mark === "committed") return { ...seen.confirmed(), kind: "printed" };
  if (seen.mayStandOpen) return { kind: "stands_open" };
  const trace = seen.trace();
  if (trace.kind === "gone") return { kind: "not_printed", reason: trace.reason };
  if (hasNoLines(progress)) return { kind: "not_printed", reason: "The document had no lines yet" };
  if (progress.mark === "baseline") {
    return { kind: "unknown", doubt: DOUBTS.othersPrinted() };
  }
  switch (trace.kind) {
    case "finished": {
      const doubt = doubtOf(trace.counted, ours);
      return doubt ? { kind: "unknown", doubt } : { ...trace.printed, kind: "printed" };
    }
    case "altered":
    case "untold":
      return { kind: "unknown", doubt: trace.doubt };
    default:
      return trace satisfies never;
  }
}

/** What is in the way of taking a document with these sums for ours; undefined when nothing is. */
function doubtOf({ items, amountMinor, paidMinor }: Counted, ours: Sums): Doubt | undefined {
  if (amountMinor === null) return DOUBTS.notTold("what its last document was worth");
  const isWhole =
    amountMinor === ours.amountMinor &&
    (items === null || items === ours.items) &&
    // Who has paid a part of it leaves change of what we paid.
    (paidMinor === null || paidMinor >= ours.amountMinor);
  return isWhole ? undefined : DOUBTS.otherSums();
}

/** Added to the baseline of a document once the device shows that it holds a payment. */
export const PAID = { paid: true } as const;
/** Once something else than what was seen to be paid stands in the place of ours. */
const NOT_PAID = { paid: false } as const;

/** What stands open while a document is in doubt. */
export interface StandingOpen {
  /** It has the place of ours. */
  readonly isOurs: boolean;
  /** It holds a payment. */
  readonly isPaying: boolean;
  /** It holds all lines of ours. */
  readonly holdsAll: boolean;
}

/**
 * A payment of ours on a document in doubt, looked for before that is finished. From it on it can only be
 * finished, so what the device then tells under its number is ours: that it was seen is kept.
 */
export class SeenPayment {
  readonly #environment: Pick<DriverEnvironment, "setTimer">;
  readonly #keep: (learned: Baseline) => Promise<void>;
  /** This resolution has stored it, or tried to. */
  #isKept = false;

  constructor(
    environment: Pick<DriverEnvironment, "setTimer">,
    { keep }: { readonly keep: (learned: Baseline) => Promise<void> },
  ) {
    this.#environment = environment;
    this.#keep = keep;
  }

  /**
   * Where it cannot be stored the document is finished all the same, for the customer has paid. What
   * was stored is taken back where something else stands in the place of ours by now: others have
   * annulled that, and what they finish then is not ours.
   * @param evidence `paid`: that it was seen, as far as that is known
   * @returns that it was seen, as far as that is known now; `isLate` where storing that took long, and
   *   what stands there has to be looked at again
   * @throws what `keep` rejects with: nothing of others is ended before it is taken back
   */
  async look(
    { mark, paid }: Pick<Progress, "mark"> & { readonly paid: boolean },
    { isOurs, isPaying, holdsAll }: StandingOpen,
  ): Promise<{ readonly paid: boolean; readonly isLate: boolean }> {
    // Only what we may have paid ourselves is known by a payment.
    if (mark !== "committing" || !isOurs) return { paid, isLate: false };
    if (!isPaying || !holdsAll) {
      const isLate = paid || this.#isKept;
      if (isLate) await this.#keep(NOT_PAID);
      this.#isKept = false;
      return { paid: false, isLate };
    }
    if (this.#isKept) return { paid: true, isLate: false };
    this.#isKept = true;
    const isLate = await storeInPassing(this.#environment, () => this.#keep(PAID));
    return { paid: paid || !isLate, isLate };
  }
}

/** A number out of a baseline. @throws FiscalError E901 */
export function numberIn(stored: unknown): number {
  if (typeof stored === "number") return stored;
  throw foreignBaseline();
}

/** A number out of a baseline, where the device may not have told it. @throws FiscalError E901 */
export function numberOrNullIn(stored: unknown): number | null {
  return stored === null ? null : numberIn(stored);
}

/** One look at the device. */
export interface Look<Printed> {
  readonly verdict: Verdict<Printed>;
  /** Puts away the receipt that stands open. @throws FiscalError a line fault */
  putAway(): Promise<unknown>;
}

/** Putting away may have to be followed by another look; more rounds than this change nothing. */
const ROUNDS_MAX = 5;

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
        return { outcome: "unknown", doubt: verdict.doubt };
      default:
        return verdict satisfies never;
    }
  }
  return { outcome: "unknown", doubt: DOUBTS.staysOpen() };
}
