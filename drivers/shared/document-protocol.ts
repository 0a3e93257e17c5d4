/** What a protocol says at each point of a fiscal document; `document-run.ts` takes it from one to the next. */

import type { Baseline } from "#core/command/marks.ts";
import type { DriverEnvironment } from "#core/driver.ts";
import type { FiscalError } from "#core/errors.ts";
import type { CountedReceipt, Sums } from "./sums.ts";

/** One frame of a document, and what the device must count once it was carried out. */
export interface DocumentStep {
  readonly after: Sums;
}

/** What became of a frame, as its answer has it. */
export interface FrameOutcome {
  /**
   * Why the device refused it; undefined when it was carried out. With a `DeviceBusy` it is sent
   * again once the device was looked at.
   */
  readonly refusal: FiscalError | undefined;
  /** True when the refusal leaves open whether the frame was carried out, or an earlier copy. */
  readonly isDoubtful?: boolean;
  /**
   * True when no answer came, or one that confirms nothing: the device still hears, and can be asked
   * what became of the frame.
   */
  readonly isLost?: boolean;
  /** It was carried out, and the answer shows what will keep the device from the next one. */
  readonly pause?: FiscalError | undefined;
}

/** What became of the opening frame. */
export interface OpeningOutcome extends FrameOutcome {
  /**
   * Looks at a device that refused it: true where a receipt stands open all the same. None was open
   * before, so this one is ours; but what stands open where the device refuses for it, with E301, is
   * another's, and not looked at unless the refusal is doubtful. Absent where none can be ours.
   */
  isOpen?(): Promise<boolean>;
  /** Stored with `opened`, where the device has told more by now: the baseline and our number. */
  readonly baseline?: Baseline;
  /** True where that must be on disk before the first line. */
  readonly isBaselineAwaited?: boolean;
}

/** Whether a frame that was refused for paper or cover was carried out all the same. */
export type Fate = "carried_out" | "not_carried_out" | "unclear";

/**
 * What one protocol says at each point of a document. A line fault is thrown by all of these; once
 * `baseline` is stored, it and every other `FiscalError` that is thrown put the document in doubt.
 */
export interface DocumentProtocol<Step extends DocumentStep, Printed> {
  readonly device: { readonly environment: Pick<DriverEnvironment, "log" | "now" | "setTimer"> };
  readonly plan: {
    /** Texts, sales and adjustments, all of which can still be cancelled. */
    readonly lines: readonly Step[];
    /**
     * Once the first of these was carried out, the document can only be finished. None where the
     * closing frame pays.
     */
    readonly payments: readonly Step[];
  };
  /** True where no frame opens the document, but its first line. */
  readonly firstLineOpens: boolean;
  /**
   * True where a refusal for paper or cover may come with a frame that was carried out, so that the
   * receipt is read before the frame is sent again. False where every refusal is definite.
   */
  readonly mayRefuseWhatItDid: boolean;
  /** False where the device tells no sums that could be compared before the first payment. */
  readonly comparesSums: boolean;
  /**
   * True where the number alone does not prove that a finished document is ours, because somebody
   * else's may have got it after ours was cancelled. A payment proves it: what holds one cannot be
   * cancelled. So that ours does is stored, as `{ paid: true }`, before it is closed.
   */
  readonly storesPayment: boolean;

  /**
   * Puts away what stands open on the device, and reads what identifies its last document.
   * @returns the baseline to store
   * @throws FiscalError what would make any document fail: nothing of ours has begun
   */
  begin(): Promise<Baseline>;
  /** Sends what opens the document; nothing where its first line does. */
  open(): Promise<OpeningOutcome>;
  /** Sends the frame of a line or a payment. */
  send(step: Step): Promise<FrameOutcome>;
  /**
   * Looks once more whether it is ours that holds the payments: somebody may have put a receipt of
   * his in its place between the comparison and the first payment.
   */
  isOursPaid(): Promise<boolean>;
  /**
   * Sends what closes the document, and pays it where there are no payments. Doubtful when the
   * answer is that of another document.
   */
  close(): Promise<FrameOutcome>;
  /** Reads what the document is known by, once it is closed. */
  readPrinted(): Promise<Printed>;

  /** Reads what the device counts of our receipt: one that is somebody else's is not open. */
  readCurrentReceipt(): Promise<CountedReceipt>;
  /** What came of a closing frame that was refused for paper or cover. */
  readClosing(): Promise<Fate>;
  /** Asks for what keeps the device from printing, E306 or E307; undefined when it can go on. */
  readPause(): Promise<FiscalError | undefined>;
  /** The error of a document that was cancelled because the device counted it differently. */
  sumsDiffer(now: Sums, ours: Sums): FiscalError;
  /**
   * Cancels the document, or what others have put in its place: lines of ours may be in that. What is
   * not ours alone, as far as the device tells right before, is noted: whoever misses it looks there.
   * @param ours what ours has come to, and would have come to with the last frame
   * @throws FiscalError unless the device shows afterwards that nothing was printed of ours
   */
  cancel(ours: readonly Sums[]): Promise<void>;
}
