/**
 * The rules of one exchange in the CUSTOM protocol, a pure state machine: what to do with each
 * thing that happens while one command waits for its answer. No timers and no bytes; `session.ts`
 * runs it.
 *
 * A device refuses a frame whose counter is that of the frame before, so a frame that is sent again
 * unchanged cannot be carried out twice, while its memory lasts. But that refusal is the same NACK
 * that a damaged frame gets. Therefore:
 * - NACK to a frame that went out once, or that was only ever refused, means "not carried out".
 * - NACK to a frame that was sent again after silence may mean "I have it already". It is not sent
 *   under another counter; what became of it is found out by reading.
 * - A frame is sent again after silence once, and only where its effect allows it (`ActionRule`).
 *   One that may happen only once is waited for again instead, as long as an answer may take: an
 *   answer that a network or a busy machine delays may be all that ever tells what became of it.
 *   Nothing can be asked behind it meanwhile, for the acknowledgement would not say of which of the
 *   two it is.
 * - A frame that was acknowledged is never sent again; a mere question is asked anew.
 * Source: CUSTOM protocol manual for fiscal devices, rev. 6.00, frame counter.
 */

import type { FiscalErrorCode } from "#core/errors.ts";
import type { ActionRule } from "./actions.ts";
import type { ReplyEvent } from "./frame.ts";

/** Times that a frame goes out at most. */
export const SENDS_MAX = 3;
/** Times that a question is asked. */
export const ASKED_MAX = 3;

/** One command on the line. */
export interface Waiting {
  readonly effect: ActionRule["effect"];
  /** What its answer begins with; empty where answers repeat nothing. */
  readonly echo: string;
  /** What a refusal begins with. */
  readonly refusal: string;
  /** False on lines without ACK: the answer alone says that the frame was taken. */
  readonly acknowledged: boolean;
  /** Times that these bytes went out. */
  readonly sends: number;
  /** True once they went out again without a NACK in between. */
  readonly sentAfterSilence: boolean;
  /** Times that the question was asked, each under a counter of its own. */
  readonly asked: number;
  /** True once its time was over, and it was given that of an answer more. */
  readonly isLate: boolean;
}

export type LineInput = ReplyEvent | { readonly kind: "silence" };

export type LineStep =
  | { readonly kind: "deliver"; readonly body: string }
  | { readonly kind: "ignore" }
  /** The frame was taken: wait for the answer. */
  | { readonly kind: "await_reply"; readonly waiting: Waiting }
  /** Nothing came: wait as long as an answer may take. */
  | { readonly kind: "await_late"; readonly waiting: Waiting }
  /** Send the same bytes. */
  | { readonly kind: "resend"; readonly waiting: Waiting }
  /** Ask the question under a new counter. */
  | { readonly kind: "renew"; readonly waiting: Waiting }
  | { readonly kind: "fail"; readonly code: FiscalErrorCode; readonly message: string };

/** A command that was just sent for the first time. */
export function firstSent(
  sent: Pick<Waiting, "effect" | "echo" | "refusal" | "acknowledged">,
): Waiting {
  return { ...sent, sends: 1, sentAfterSilence: false, asked: 1, isLate: false };
}

/** What to do next. */
export function nextStep(waiting: Waiting, input: LineInput): LineStep {
  switch (input.kind) {
    case "ack":
      return waiting.acknowledged
        ? { kind: "ignore" }
        : { kind: "await_reply", waiting: { ...waiting, acknowledged: true } };
    case "nack":
      return waiting.acknowledged ? { kind: "ignore" } : afterNack(waiting);
    case "frame":
    case "bare":
      return isAnswer(waiting, input.body)
        ? { kind: "deliver", body: input.body }
        : { kind: "ignore" };
    case "garbled":
      // Before the acknowledgement it is noise; the acknowledgement or silence will follow.
      if (!waiting.acknowledged) return { kind: "ignore" };
      return renewOrFail(
        waiting,
        input.reason === "checksum" ? "E202" : "E203",
        "The device's answer was damaged",
      );
    case "silence":
      if (waiting.effect === "once" && !waiting.isLate) {
        return { kind: "await_late", waiting: { ...waiting, isLate: true } };
      }
      return waiting.acknowledged
        ? renewOrFail(waiting, "E501", "The device took the command and did not answer")
        : afterSilence(waiting);
    default:
      return input satisfies never;
  }
}

/**
 * An answer repeats the command. A refusal repeats nothing, and the answer to a question that is
 * asked anew may be the late one to its first asking, whose successor would then be taken for that
 * of the next command. So before the acknowledgement neither is ours.
 */
function isAnswer({ echo, refusal, acknowledged, asked }: Waiting, body: string): boolean {
  const tellsWhose = echo !== "" && asked === 1 && !body.startsWith(refusal);
  if (!tellsWhose && !acknowledged) return false;
  return body.startsWith(refusal) || body.startsWith(echo);
}

function afterNack(waiting: Waiting): LineStep {
  if (waiting.sentAfterSilence) {
    return waiting.effect === "reads"
      ? renewOrFail(waiting, "E202", "The device refuses the question")
      : fail("E202", "The device refuses the repeated command: it may have it already");
  }
  if (waiting.sends >= SENDS_MAX) {
    return fail("E202", "The device refuses our frames: check the settings of the line");
  }
  return { kind: "resend", waiting: { ...waiting, sends: waiting.sends + 1 } };
}

function afterSilence(waiting: Waiting): LineStep {
  if (waiting.effect === "once" || waiting.sentAfterSilence || waiting.sends >= SENDS_MAX) {
    return fail("E501", "The device does not answer");
  }
  return {
    kind: "resend",
    waiting: { ...waiting, sends: waiting.sends + 1, sentAfterSilence: true },
  };
}

function renewOrFail(waiting: Waiting, code: FiscalErrorCode, message: string): LineStep {
  const { effect, echo } = waiting;
  // Where answers repeat nothing, a late one could not be told from that to the next command.
  const isOver = effect !== "reads" || echo === "" || waiting.asked >= ASKED_MAX;
  if (isOver) return fail(code, message);
  const asked = waiting.asked + 1;
  return { kind: "renew", waiting: { ...waiting, asked, sends: 1, sentAfterSilence: false } };
}

function fail(code: FiscalErrorCode, message: string): LineStep {
  return { kind: "fail", code, message };
}
