/** Every moment at which something can be taken away while a document is printed. */

/** Before the printer executes a frame, or after it did and before its answer left. */
export const SIDES = ["request", "answer"] as const;
export type Side = (typeof SIDES)[number];

/** What is taken away: the line, the printer's power, or the gateway (SIGKILL). */
export const BLOWS = ["cut", "power", "kill"] as const;
export type Blow = (typeof BLOWS)[number];

/** A blow at one frame, counted from the beginning or, for a second one, from the first blow. */
export interface Strike {
  readonly blow: Blow;
  readonly side: Side;
  readonly frame: number;
}

/** One or two strikes, one after the other. */
export type CrashCase = readonly [Strike] | readonly [Strike, Strike];

/** Each blow on each side of each of `frames` frames. */
export function strikes(frames: number): Strike[] {
  return Array.from({ length: frames }, (_, index) => index + 1).flatMap((frame) =>
    SIDES.flatMap((side) => BLOWS.map((blow) => ({ blow, side, frame }))),
  );
}

/** Each first strike followed by each second one among the next `recoveryFrames` frames. */
export function pairs(frames: number, recoveryFrames: number): CrashCase[] {
  const seconds = strikes(recoveryFrames);
  return strikes(frames).flatMap((first) => seconds.map((second) => [first, second] as const));
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
      // Silent until cleared, so that nothing moves on while the gateway is being killed.
      return { kind: before ? "silent" : "silent_after", at, count: 100_000 };
    default: {
      const unknown: never = blow;
      throw new Error(`unknown blow ${String(unknown)}`);
    }
  }
}
