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

/** Two blows that can follow each other; a printer without a process cannot be struck again. */
const PAIRED: readonly Blow[] = ["cut", "power", "kill"];

/** Each first strike followed by each second one among the next `recoveryFrames` frames. */
export function allPairs(frames: number, recoveryFrames: number): CrashCase[] {
  const seconds = strikes(recoveryFrames, PAIRED);
  return strikes(frames, PAIRED).flatMap((first) => seconds.map((second) => [first, second]));
}

/**
 * Each first strike followed by each blow on each side, at a frame of the recovery that moves on
 * from pair to pair: a selection of all pairs that leaves out no combination of two blows and two
 * sides at any frame of the document.
 */
export function somePairs(frames: number, recoveryFrames: number): CrashCase[] {
  const seconds = strikes(1, PAIRED);
  return strikes(frames, PAIRED).flatMap((first, row) =>
    seconds.map((second, column) => {
      const frame = 1 + ((row + column) % recoveryFrames);
      return [first, { ...second, frame }] as const;
    }),
  );
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
