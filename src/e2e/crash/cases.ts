/** Every moment at which something can be taken away, or somebody else act, around a document. */

import { TOTAL_MINOR } from "./documents.ts";

/** What other hands take, where it is not what our document is worth. */
const FOREIGN_MINOR = 1_250;

/** What they pay of ours, or take off it. */
const PART_MINOR = 100;

/** Before the printer executes a frame, or after it did and before its answer left. */
export const SIDES = ["request", "answer"] as const;
export type Side = (typeof SIDES)[number];

/**
 * What is taken away: the line, the printer's power (as the printer itself simulates it, or by
 * killing its process), or the gateway (SIGKILL).
 */
export const BLOWS = ["cut", "power", "kill", "unplug"] as const;

/** Where a controller stands between them: its process (SIGKILL) too, and its line to the gateway. */
export const REMOTE_BLOWS = ["cut", "power", "kill", "kill_controller"] as const;
/** Comes at a message between controller and gateway, before it gets through or after. */
const LINK_CUT = "cut_link";

export type Blow = (typeof BLOWS)[number] | (typeof REMOTE_BLOWS)[number] | typeof LINK_CUT;

/** Those of the pairs: what a killed printer tells the gateway, one without power tells it too. */
export const PAIRED: readonly Blow[] = ["cut", "power", "kill"];

/**
 * What other hands do at the printer: a receipt worth the same or something else, one that is only
 * opened (each puts away what is open before), the cancel key, a part of ours paid, a discount on it,
 * a line of it taken back, a Z report, cash put in.
 */
export const DEEDS = [
  "same_sale",
  "other_sale",
  "open_sale",
  "cancel",
  "part_payment",
  "discount",
  "take_back",
  "z_report",
  "cash",
] as const;
export type Deed = (typeof DEEDS)[number];

/**
 * At one frame, counted from the beginning or, for a second one, from the first strike. A cut of the
 * link is at a message instead, counted from the beginning, or from the start of what was killed.
 */
export interface Strike {
  readonly blow: Blow | Deed;
  readonly side: Side;
  readonly frame: number;
}

/** One or two strikes, one after the other. */
export type CrashCase = readonly [Strike] | readonly [Strike, Strike];

/** Each of the blows on each side of each of `frames` frames. */
export function strikes(frames: number, blows: readonly Strike["blow"][]): Strike[] {
  return Array.from({ length: frames }, (_, index) => index + 1).flatMap((frame) =>
    SIDES.flatMap((side) => blows.map((blow) => ({ blow, side, frame }))),
  );
}

/** What a frame of a document changes. */
export interface Step {
  /** The gateway, or the controller beside the printer, stored something before it or while it was out. */
  readonly isStored: boolean;
  /** The printer entered something in its books when it carried it out. */
  readonly isBooked: boolean;
}

/** How many frames things take at a printer, as its own books have it. */
export interface Measured {
  /** The document, when nothing is taken away. */
  readonly frames: number;
  /** From the loss of the line to the end of the resolution, and what is read after it. */
  readonly recoveryFrames: number;
  /** Messages that the document takes between a remote controller and the gateway. */
  readonly messages?: number;
  /** What each frame of the document changes. */
  readonly steps: readonly Step[];
}

/** Each blow on each side of each frame of the document, and of each message where there are any. */
export function singles({ frames, messages }: Measured): CrashCase[] {
  const all =
    messages === undefined
      ? strikes(frames, BLOWS)
      : [...strikes(frames, REMOTE_BLOWS), ...strikes(messages, [LINK_CUT])];
  return all.map((strike) => [strike] as const);
}

/** Those of the pairs, unless a person says otherwise. */
function pairedAt({ messages }: Measured): readonly Blow[] {
  return messages === undefined ? PAIRED : REMOTE_BLOWS;
}

/** The first ones of the pairs. */
function firsts({ frames, messages }: Measured, blows: readonly Blow[]): Strike[] {
  const cuts = messages === undefined ? [] : strikes(messages, [LINK_CUT]);
  return [...strikes(frames, blows), ...cuts];
}

/** The second ones, at each of so many frames; the messages of a recovery are about as many. */
function secondsOf(count: number, { messages }: Measured, blows: readonly Blow[]): Strike[] {
  return strikes(count, messages === undefined ? blows : [...blows, LINK_CUT]);
}

/** Each first strike followed by each second one at each frame of the recovery. */
export function allPairs(
  measured: Measured,
  blows: readonly Blow[] = pairedAt(measured),
): CrashCase[] {
  const seconds = secondsOf(measured.recoveryFrames, measured, blows);
  return firsts(measured, blows).flatMap((first) =>
    seconds.map((second) => [first, second] as const),
  );
}

/**
 * Each first strike followed by each blow on each side, at a frame of the recovery that moves on
 * from pair to pair: a selection of all pairs that leaves out no combination of two blows and two
 * sides at any frame of the document.
 */
export function somePairs(
  measured: Measured,
  blows: readonly Blow[] = pairedAt(measured),
): CrashCase[] {
  const seconds = secondsOf(1, measured, blows);
  return firsts(measured, blows).flatMap((first, row) =>
    seconds.map((second, column) => {
      const frame = 1 + ((row + column) % measured.recoveryFrames);
      return [first, { ...second, frame }] as const;
    }),
  );
}

/** Each deed on each side of each frame of the document. */
export function deeds({ frames }: Measured): CrashCase[] {
  return strikes(frames, DEEDS).map((strike) => [strike] as const);
}

/** Each deed while the gateway is away, cut off or killed at each frame: before it reads anything. */
export function deedsMeanwhile({ frames }: Measured): CrashCase[] {
  return strikes(frames, ["cut", "kill"]).flatMap((first) =>
    DEEDS.map((blow) => [first, { blow, side: "request", frame: 1 }] as const),
  );
}

/** True when somebody else acts in a case. */
export function hasDeed(strikes: CrashCase): boolean {
  return strikes.some(({ blow }) => isDeed(blow));
}

function isDeed(blow: Strike["blow"]): blow is Deed {
  return DEEDS.some((deed) => deed === blow);
}

/** One in so many, evenly. */
export function every<T>(nth: number, all: readonly T[]): T[] {
  return all.filter((_, index) => index % nth === 0);
}

/** Which of a case's strikes are kills of the gateway. */
export type Kills = "none" | "first" | "second" | "both";

export function killsOf([first, second]: CrashCase): Kills {
  if (first.blow === "kill") return second?.blow === "kill" ? "both" : "first";
  return second?.blow === "kill" ? "second" : "none";
}

/** As people read it: `cut at answer 5, then kill at request 2`. */
export function describeCase(strikes: CrashCase): string {
  return strikes.map(({ blow, side, frame }) => `${blow} at ${side} ${frame}`).join(", then ");
}

/** True for a strike at a message, of which the printer knows nothing. */
export function isLinkCut({ blow }: Strike): boolean {
  return blow === LINK_CUT;
}

/** How the printer is told of a strike. A kill first makes it fall silent at the frame. */
export function faultOf({ blow, side }: Strike, at: number): Record<string, unknown> {
  const before = side === "request";
  const when = before ? "before" : "after";
  switch (blow) {
    case "cut":
      return { kind: before ? "drop_before" : "drop_after", at };
    case "power":
      return { kind: "power_loss", when, at };
    case "kill":
    case "unplug":
    case "kill_controller":
      // Silent until cleared, so that nothing moves on while the process is being killed.
      return { kind: before ? "silent" : "silent_after", at, count: 100_000 };
    case "same_sale":
      return { kind: "other_hands", deed: "ring_up", amountMinor: TOTAL_MINOR, when, at };
    case "other_sale":
      return { kind: "other_hands", deed: "ring_up", amountMinor: FOREIGN_MINOR, when, at };
    case "open_sale":
      return { kind: "other_hands", deed: "open", amountMinor: FOREIGN_MINOR, when, at };
    case "cancel":
      return { kind: "other_hands", deed: "cancel", when, at };
    case "part_payment":
      return { kind: "other_hands", deed: "pay", amountMinor: PART_MINOR, when, at };
    case "discount":
      return { kind: "other_hands", deed: "discount", amountMinor: PART_MINOR, when, at };
    case "take_back":
      return { kind: "other_hands", deed: "take_back", when, at };
    case "z_report":
      return { kind: "other_hands", deed: "z_report", when, at };
    case "cash":
      return { kind: "other_hands", deed: "cash", amountMinor: FOREIGN_MINOR, when, at };
    case "cut_link":
      throw new Error("the printer knows nothing of messages");
    default: {
      const unknown: never = blow;
      throw new Error(`unknown blow ${String(unknown)}`);
    }
  }
}
