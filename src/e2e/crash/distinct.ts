/**
 * Which cases are no repetition of another one, by what each frame of the document changes.
 *
 * - A gateway that is killed, or a controller, starts from what it has stored, beside a printer with
 *   the books that it has. Of all moments between which neither changes, one is enough.
 * - One that runs on stands somewhere else at each frame. But where a frame changes nothing, it is
 *   all the same whether the frame or its answer was lost: the line is cut on one side of the
 *   printer, and the power goes on the other.
 * - A printer whose process was killed is what one without power is, and only longer away: that is
 *   tried at each frame that changes something, on one side in turn.
 */

import {
  type CrashCase,
  type Measured,
  SIDES,
  type Side,
  type Step,
  type Strike,
} from "./cases.ts";

/** Those with a first strike that is no repetition of another one. */
export function distinct(measured: Measured, cases: readonly CrashCase[]): CrashCase[] {
  const steps = Array.from({ length: measured.frames }, (_, index) => {
    return measured.steps[index] ?? UNKNOWN;
  });
  const kept = new Set([...kills(steps), ...strikesAtRunning(steps)].map(nameOf));
  return cases.filter(([first]) => !isCompared(first) || kept.has(nameOf(first)));
}

/** Where nothing was recorded anything may change. */
const UNKNOWN: Step = { isStored: true, isBooked: true };

/** True for a strike at a frame that takes something away; others change what they come upon. */
function isCompared({ blow }: Strike): boolean {
  return [...KILLS, "cut", "power", "unplug"].some((compared) => compared === blow);
}

/** Of what is killed, and starts again from what it has stored. */
const KILLS = ["kill", "kill_controller"] as const;

function nameOf({ blow, side, frame }: Strike): string {
  return `${blow} ${side} ${frame}`;
}

/**
 * One kill of all that are alike: the first of them and the last in turn, so that the last thing that
 * the device did for the one that was killed is what changed something, and what changed nothing.
 */
function kills(steps: readonly Step[]): Strike[] {
  const alike: { readonly side: Side; readonly frame: number }[][] = [];
  for (const [index, { isStored, isBooked }] of steps.entries()) {
    for (const side of SIDES) {
      const isChanged = side === "request" ? isStored : isBooked;
      const moment = { side, frame: index + 1 };
      const last = alike.at(-1);
      if (isChanged || last === undefined) alike.push([moment]);
      else last.push(moment);
    }
  }
  return KILLS.flatMap((blow, turn) =>
    alike.flatMap((moments, index) => {
      const moment = moments.at(index % 2 === turn ? 0 : -1);
      return moment === undefined ? [] : [{ blow, ...moment }];
    }),
  );
}

/** Strikes at a gateway that runs on. */
function strikesAtRunning(steps: readonly Step[]): Strike[] {
  const turns = { still: 0, changing: 0 };
  return steps.flatMap(({ isStored, isBooked }, index): Strike[] => {
    const frame = index + 1;
    if (isStored || isBooked) {
      const side = sideOf(turns.changing);
      turns.changing += 1;
      const both = SIDES.flatMap((each): Strike[] => [
        { blow: "cut", side: each, frame },
        { blow: "power", side: each, frame },
      ]);
      return [...both, { blow: "unplug", side, frame }];
    }
    const [cutSide, otherSide] = [sideOf(turns.still), sideOf(turns.still + 1)];
    turns.still += 1;
    return [
      { blow: "cut", side: cutSide, frame },
      { blow: "power", side: otherSide, frame },
    ];
  });
}

function sideOf(turn: number): Side {
  return turn % SIDES.length === 0 ? "request" : "answer";
}
