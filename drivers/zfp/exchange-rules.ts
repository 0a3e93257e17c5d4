/**
 * The rules of one exchange in the ZFP protocol, a pure state machine: what to do with each thing
 * that happens while one command waits for its answer. No timers and no bytes; `session.ts` runs
 * it.
 *
 * No manual says that a device which sees a message number twice repeats its answer instead of
 * carrying the command out again. Therefore a frame is sent again only after NACK, which says that
 * it was not carried out, and a read is asked anew under a new number. So is a read that meets NACK,
 * or the answer to another command under our number: a number must differ from the one before it,
 * and on a new line that is not always known. Anything else that changes
 * the device is never sent twice: after a lost answer it is in doubt, and is found out by reading.
 * Where not even a ping is answered, it is waited for as long as it may take, for an answer that a
 * network or a busy machine delays may be all that ever tells what became of it; a read is given up.
 * Source: Tremol protocol description, Bulgaria, rev. 1910211454.
 */

import type { FiscalErrorCode } from "#core/errors.ts";
import type { AckFrame, DataFrame, ReplyEvent } from "./frame.ts";

/** Silence after which the device is asked whether it is still busy. */
const ANSWER_WAIT_MS = 2_000;
/** Between two such questions. */
export const PING_WAIT_MS = 300;
/** Times that a frame is sent, or a read asked. */
export const SENDS_MAX = 3;
/** Pings without an answer: nobody is there any more, or the line stands still. */
const SILENT_PINGS_MAX = 5;
/** Pings answered "ready" without the answer we wait for: it is lost. One may have crossed it. */
const READY_PINGS_MAX = 3;
/** Bit of a ping's answer: the device still works on a command. */
export const PING_BUSY = 0x01;
/** Bits of what a device waits for, with what tells the person at it so. */
const HOLDUPS = [
  [0x02, "E306", "The device holds its answer back, for it is out of paper: load paper"],
  [0x04, "E304", "The device holds its answer back, for its print head is too hot: let it cool"],
] as const;

/** One command on the line. */
export interface Waiting {
  readonly nbl: number;
  readonly command: number;
  /** True for commands that only read, which may be asked anew. */
  readonly reads: boolean;
  /** Times its frame went out. */
  readonly sends: number;
  /** Pings since the last sign of life. */
  readonly silentPings: number;
  /** Pings answered "ready". */
  readonly readyPings: number;
  /** The last that it said of itself while it worked on this command; 0 where it said nothing. */
  readonly state: number;
  /** True once something went out behind it, which a NACK may be meant for. */
  readonly wasPinged: boolean;
  /** True where it was refused before that, as far as nothing said otherwise. */
  readonly isRefused: boolean;
}

export type LineInput = ReplyEvent | { readonly kind: "silence" } | { readonly kind: "limit" };

export type LineStep =
  | { readonly kind: "deliver"; readonly frame: AckFrame | DataFrame }
  | { readonly kind: "ignore" }
  /** Wait on, with the state as it is now. */
  | { readonly kind: "wait"; readonly waiting: Waiting }
  /** The same, and it may have the time of busy devices: it has just said that it is one. */
  | { readonly kind: "extend"; readonly waiting: Waiting }
  | { readonly kind: "ping"; readonly waiting: Waiting }
  /** Send the same bytes. */
  | { readonly kind: "resend"; readonly waiting: Waiting }
  /** Send the command under a new message number. */
  | { readonly kind: "renew"; readonly waiting: Waiting }
  | { readonly kind: "fail"; readonly code: FiscalErrorCode; readonly message: string };

/** A command that was just sent for the first time. */
export function firstSent(sent: Pick<Waiting, "nbl" | "command" | "reads">): Waiting {
  return {
    ...sent,
    sends: 1,
    silentPings: 0,
    readyPings: 0,
    state: 0,
    wasPinged: false,
    isRefused: false,
  };
}

/**
 * How long the device may be silent from now on: behind the pings that show that nothing comes, twice
 * as long for each, so that one which is deaf for long finds few of them.
 */
export function silenceMs({ silentPings }: Waiting): number {
  if (silentPings === 0) return ANSWER_WAIT_MS;
  return PING_WAIT_MS * 2 ** Math.max(0, silentPings - SILENT_PINGS_MAX);
}

/** What to do next. */
export function nextStep(waiting: Waiting, input: LineInput): LineStep {
  const calm = { ...waiting, silentPings: 0, readyPings: 0 };
  switch (input.kind) {
    case "ack":
      // An answer to an earlier asking comes late.
      return input.nbl === waiting.nbl ? { kind: "deliver", frame: input } : { kind: "ignore" };
    case "data":
      if (input.nbl !== waiting.nbl) return { kind: "ignore" };
      if (input.command === waiting.command) return { kind: "deliver", frame: input };
      return waiting.reads
        ? renewOrFail(waiting, fail("E203", "The device keeps answering another command"))
        : { kind: "ignore" };
    case "nack": {
      const failure = fail("E203", "The device cannot read our frames: check baud rate and cable");
      if (waiting.reads) return renewOrFail(waiting, failure);
      // It may be meant for a ping that was damaged.
      if (waiting.wasPinged) return { kind: "ignore" };
      if (waiting.sends >= SENDS_MAX) return failure;
      // Or for noise before the frame: where that was taken, its answer comes before those to pings.
      return {
        kind: "ping",
        waiting: { ...calm, silentPings: 1, wasPinged: true, isRefused: true },
      };
    }
    case "busy":
      return {
        kind: "extend",
        // What works on it has not refused it.
        waiting: { ...calm, state: waiting.state | PING_BUSY, isRefused: false },
      };
    case "ping":
      return afterPing(waiting, input.state);
    case "garbled":
      return renewOrFail(
        waiting,
        fail(input.reason === "checksum" ? "E202" : "E203", "The device's answer was damaged"),
      );
    case "silence":
      if (waiting.silentPings >= SILENT_PINGS_MAX && waiting.reads) {
        return failWaiting(waiting, "E501", "The device went silent");
      }
      return {
        kind: "ping",
        waiting: { ...waiting, silentPings: waiting.silentPings + 1, wasPinged: true },
      };
    case "limit":
      return waiting.silentPings > SILENT_PINGS_MAX
        ? failWaiting(waiting, "E501", "The device went silent")
        : failWaiting(waiting, "E500", "The device did not finish the command in time");
    default:
      return input satisfies never;
  }
}

function afterPing(waiting: Waiting, state: number): LineStep {
  // Only what was asked for counts: the byte may also be noise.
  if (waiting.silentPings === 0) return { kind: "ignore" };
  const isBusy = (state & PING_BUSY) !== 0;
  const readyPings = isBusy ? 0 : waiting.readyPings + 1;
  const now = { ...waiting, state, isRefused: waiting.isRefused && !isBusy };
  if (readyPings >= READY_PINGS_MAX && now.isRefused) {
    return { kind: "resend", waiting: { ...firstSent(now), sends: now.sends + 1 } };
  }
  if (readyPings >= READY_PINGS_MAX) {
    return renewOrFail(now, failWaiting(now, "E501", "The device is ready and has not answered"));
  }
  // One is kept, so that the next answer counts as well.
  const kind = isBusy ? "extend" : "wait";
  return { kind, waiting: { ...now, silentPings: 1, readyPings } };
}

function renewOrFail(waiting: Waiting, failure: LineStep): LineStep {
  if (!waiting.reads || waiting.sends >= SENDS_MAX) return failure;
  const sends = waiting.sends + 1;
  const waited = { silentPings: 0, readyPings: 0, state: 0 };
  return { kind: "renew", waiting: { ...waiting, ...waited, sends } };
}

/** What it said last may be why no answer came. */
function failWaiting({ state }: Waiting, code: FiscalErrorCode, message: string): LineStep {
  const [, heldUp, reason] = HOLDUPS.find(([bit]) => (state & bit) !== 0) ?? [];
  return heldUp ? fail(heldUp, reason) : fail(code, message);
}

function fail(code: FiscalErrorCode, message: string): LineStep {
  return { kind: "fail", code, message };
}
