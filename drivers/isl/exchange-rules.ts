/**
 * The rules of one exchange in the ISL family, a pure state machine: what to do with each thing
 * that happens while one command waits for its answer. No timers and no bytes; `session.ts` runs
 * it.
 *
 * A device that receives the sequence number of the last command it accepted repeats its last
 * answer and does nothing, so the identical frame may be sent again after a damaged answer or
 * silence. That memory is one frame deep: it ends with a loss of power, and with the next frame of
 * another host, who may have spoken in between. Whoever sends something that must not happen twice
 * therefore forbids the repeat, or checks afterwards.
 *
 * What is not sent again for that reason waits for its answer as long as the command may take: an
 * answer that a network or a busy machine delays is known by its number whenever it comes, and it may
 * be all that ever tells what became of the command. Meanwhile a harmless question goes out behind it,
 * under a number of its own. The line keeps its order and the device takes one frame at a time, so
 * where that is answered first, the other answer is lost, and nobody waits for it.
 * UNCONFIRMED: that a device which works on for long without SYN keeps that order as well.
 * A Daisy device compares the command as well, which makes no difference to an identical frame.
 *
 * Our number with another command in an answer says that the device took our frame for its last one
 * sent again. A read then goes out under another number at once. Anything else may only be found
 * out by reading, because the answer may also be a very late one, and ours may still be carried out.
 * Sources: Datecs FP-700X protocol manual 2.02, Datecs FP-2000 protocol manual 1.00BG, Daisy
 * protocol manual 1.0 of 2019.
 */

import type { FiscalErrorCode } from "#core/errors.ts";

/** How long a device may be silent before its frame is sent again, or a question put behind it. */
export const BYTE_TIMEOUT_MS = 500;
/** How often one frame is sent again. */
const RESENDS_MAX = 3;

/**
 * `always`: the identical frame may be sent again, whatever came of it.
 * `if_refused`: only after NAK, which says that it was not carried out.
 * `never`: not even then, because what was read right before it may not hold any more.
 */
export type ResendPolicy = "always" | "if_refused" | "never";

/** One command on the line. */
export interface Waiting {
  readonly seq: number;
  readonly command: number;
  readonly policy: ResendPolicy;
  /** True for commands that only read, which may be asked anew. */
  readonly reads: boolean;
  readonly resends: number;
  /** True once the frame was sent again after silence or a damaged answer. */
  readonly resentInDoubt: boolean;
  /** True where a question may be put behind a frame that is not sent again. */
  readonly mayAsk: boolean;
  /** Times that it was put, unchanged. */
  readonly asks: number;
  /** Its number; undefined before it was put. */
  readonly questionSeq: number | undefined;
  /** True where the device said that it works since the question was put last. */
  readonly works: boolean;
}

export type LineInput =
  | { readonly kind: "reply"; readonly seq: number; readonly command: number }
  | { readonly kind: "nak" }
  | { readonly kind: "syn" }
  | { readonly kind: "garbled"; readonly reason: "checksum" | "framing" }
  | { readonly kind: "discarded" }
  | { readonly kind: "silence" }
  | { readonly kind: "limit" };

export type LineStep =
  /** The answer is here. */
  | { readonly kind: "deliver" }
  /** The wait for the next byte begins anew, as after anything that came in. */
  | { readonly kind: "ignore" }
  /** The same, with the state as it is now, and the time of devices that say that they work. */
  | { readonly kind: "extend"; readonly waiting: Waiting }
  /** The identical frame goes out again. */
  | { readonly kind: "resend"; readonly waiting: Waiting }
  /** The command goes out again under another number. */
  | { readonly kind: "renew"; readonly waiting: Waiting }
  /** The question goes out behind the frame. */
  | { readonly kind: "ask"; readonly waiting: Waiting }
  | { readonly kind: "fail"; readonly code: FiscalErrorCode; readonly message: string };

/** A command that was just sent for the first time. */
export function firstSent(
  sent: Pick<Waiting, "seq" | "command" | "policy" | "reads" | "mayAsk">,
): Waiting {
  const asked = { asks: 0, questionSeq: undefined, works: false };
  return { ...sent, ...asked, resends: 0, resentInDoubt: false };
}

/**
 * How long the device may be silent from now on: twice as long behind each question as before it, so
 * that one which is deaf for minutes finds few of them.
 */
export function silenceMs({ asks }: Waiting): number {
  return BYTE_TIMEOUT_MS * 2 ** asks;
}

/** What an event means for the command that waits. */
export function nextStep(waiting: Waiting, input: LineInput): LineStep {
  switch (input.kind) {
    case "reply":
      if (input.seq === waiting.questionSeq) return lostAnswer();
      // An answer to an earlier command: a late repeat of one that has come already.
      if (input.seq !== waiting.seq) return { kind: "ignore" };
      return input.command === waiting.command ? { kind: "deliver" } : afterStaleAnswer(waiting);
    case "syn":
      return { kind: "extend", waiting: { ...waiting, works: true } };
    case "discarded":
      return { kind: "ignore" };
    case "nak":
      // It may be meant for the question.
      if (waiting.asks > 0) return { kind: "ignore" };
      return resendOr(waiting, "refused", {
        kind: "fail",
        code: "E202",
        message: "The device did not accept the frame: it found its checksum wrong",
      });
    case "garbled":
      return resendOr(waiting, "in_doubt", damageFault(input.reason));
    case "silence":
      if (waiting.policy === "if_refused" && waiting.mayAsk) {
        return { kind: "ask", waiting: { ...waiting, asks: waiting.asks + 1, works: false } };
      }
      return resendOr(waiting, "in_doubt", silenceFault(waiting));
    case "limit":
      // Behind a question the line was silent; a device that is only slow says that it works.
      if (waiting.asks > 0 && !waiting.works) return silenceFault(waiting);
      return { kind: "fail", code: "E500", message: "The device did not finish in time" };
    default:
      return input satisfies never;
  }
}

function afterStaleAnswer(waiting: Waiting): LineStep {
  if (!waiting.reads) return { kind: "ignore" };
  if (waiting.resends >= RESENDS_MAX) {
    return {
      kind: "fail",
      code: "E203",
      message: "The device keeps repeating the answer to another command",
    };
  }
  return { kind: "renew", waiting: { ...waiting, resends: waiting.resends + 1 } };
}

/** @param known whether the device has carried the frame out */
function resendOr(waiting: Waiting, known: "refused" | "in_doubt", otherwise: LineStep): LineStep {
  const { policy, resends } = waiting;
  const isAllowed = policy === "always" || (policy === "if_refused" && known === "refused");
  if (!isAllowed || resends >= RESENDS_MAX) return otherwise;
  return {
    kind: "resend",
    waiting: {
      ...waiting,
      resends: resends + 1,
      resentInDoubt: waiting.resentInDoubt || known === "in_doubt",
    },
  };
}

function damageFault(reason: "checksum" | "framing"): LineStep {
  return reason === "checksum"
    ? { kind: "fail", code: "E202", message: "The device's answer had a wrong checksum" }
    : { kind: "fail", code: "E203", message: "The device's answer was malformed" };
}

function lostAnswer(): LineStep {
  const message = "The device did not answer this command, and answers what came behind it";
  return { kind: "fail", code: "E501", message };
}

function silenceFault(waiting: Waiting): LineStep {
  const times = waiting.resends + 1;
  return {
    kind: "fail",
    code: "E501",
    message: `The device did not answer (asked ${times} ${times === 1 ? "time" : "times"})`,
  };
}
