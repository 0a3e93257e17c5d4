/** Which cuts are tried of a recording. */

import { type Dice, seededDice } from "#drivers/testing/dice.ts";
import type { Cut } from "./aftermath.ts";
import { LEFTOVERS, type Leftover } from "./disk.ts";
import { deedsOn, type Watched } from "./recording.ts";

/**
 * Chooses cuts that are spread over all of what was done to the disk, each kind of leftover as often
 * as the others, before a call as often as behind it.
 * @param seed the same one chooses the same, of the same recording
 */
export function chooseCuts(recording: Watched, count: number, seed: number): Cut[] {
  const dice = seededDice(seed);
  const deeds = deedsOn(recording);
  const cuts: Cut[] = [];
  let kinds: Leftover[] = [];
  for (let at = 0; at < count; at += 1) {
    if (kinds.length === 0) kinds = shuffled(dice);
    const share = (at + dice(1_000) / 1_000) / count;
    const call = deeds[Math.floor(share * deeds.length)];
    const leftover = kinds.pop();
    if (call === undefined || leftover === undefined) continue;
    const position = dice(2) === 0 ? call.begin : call.end;
    cuts.push({ position, leftover, seed: dice(1_000_000), isLater: dice(2) === 0 });
  }
  return cuts;
}

function shuffled(dice: Dice): Leftover[] {
  const left = [...LEFTOVERS];
  const drawn: Leftover[] = [];
  while (left.length > 0) drawn.push(...left.splice(dice(left.length), 1));
  return drawn;
}
