/** Every moment at which something can be taken away while a document is printed. */

/** Before the printer executes a frame, or after it did and before its answer left. */
export const SIDES = ["request", "answer"] as const;
export type Side = (typeof SIDES)[number];

/**
 * What is taken away: the line, the printer's power (as the printer itself simulates it, or by
 * killing its process), or the gateway (SIGKILL).
 */
export const BLOWS = ["cut", "power", "kill", "unplug"] as const;
export type Blow = (typeof BLOWS)[number];

/** Those of the pairs: what a killed printer tells the gateway, one without power tells it too. */
export const PAIRED: readonly Blow[] = ["cut", "power", "kill"];

/** A blow at one frame, counted from the beginning or, for a second one, from the first blow. */
export interface Strike {
  readonly blow: Blow;
  readonly side: Side;
  readonly frame: number;
}

/** One or two strikes, one after the other. */
export type CrashCase = readonly [Strike] | readonly [Strike, Strike];

/** Each of the blows on each side of each of `frames` frames. */
export function strikes(frames: number, blows: readonly Blow[]): Strike[] {
  return Array.from({ length: frames }, (_, index) => index + 1).flatMap((frame) =>
    SIDES.flatMap((side) => blows.map((blow) => ({ blow, side, frame }))),
  );
}

/** How many frames things take at a printer, as its own books have it. */
export interface Measured {
  /** The document, when nothing is taken away. */
  readonly frames: number;
  /** From the loss of the line to the end of the resolution, and what is read after it. */
  readonly recoveryFrames: number;
}

/** Each blow on each side of each frame of the document. */
export function singles({ frames }: Measured): CrashCase[] {
  return strikes(frames, BLOWS).map((strike) => [strike] as const);
}

/** Each first strike followed by each second one at each frame of the recovery. */
export function allPairs(
  { frames, recoveryFrames }: Measured,
  blows: readonly Blow[] = PAIRED,
): CrashCase[] {
  const seconds = strikes(recoveryFrames, blows);
  return strikes(frames, blows).flatMap((first) =>
    seconds.map((second) => [first, second] as const),
  );
}

/**
 * Each first strike followed by each blow on each side, at a frame of the recovery that moves on
 * from pair to pair: a selection of all pairs that leaves out no combination of two blows and two
 * sides at any frame of the document.
 */
export function somePairs(
  { frames, recoveryFrames }: Measured,
  blows: readonly Blow[] = PAIRED,
): CrashCase[] {
  const seconds = strikes(1, blows);
  return strikes(frames, blows).flatMap((first, row) =>
    seconds.map((second, column) => {
      const frame = 1 + ((row + column) % recoveryFrames);
      return [first, { ...second, frame }] as const;
    }),
  );
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

/** How the printer is told of a strike. A kill first makes it fall silent at the frame. */
export function faultOf({ blow, side }: Strike, at: number): Record<string, unknown> {
  const before = side === "request";
  switch (blow) {
    case "cut":
      return { kind: before ? "drop_before" : "drop_after", at };
    case "power":
      return { kind: "power_loss", when: before ? "before" : "after", at };
    case "kill":
    case "unplug":
      // Silent until cleared, so that nothing moves on while the process is being killed.
      return { kind: before ? "silent" : "silent_after", at, count: 100_000 };
    default: {
      const unknown: never = blow;
      throw new Error(`unknown blow ${String(unknown)}`);
    }
  }
}
