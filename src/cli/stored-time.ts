/** The clock by which the command line stores what ends by it. */

import { currentSurroundings } from "../config/surroundings.ts";
import { currentBoot } from "../platform/boot.ts";
import type { CountedTime } from "../platform/counted-time.ts";
import { takeUpTime } from "../queue/kept-time.ts";
import type { Box } from "./box.ts";

/**
 * That of what is stored beside it, whether a gateway runs or not, and whether that has noticed that the
 * clock was set: who notices it moves both. To be asked inside the operation that stores.
 */
export function storedTime({ stores, clock }: Box): Pick<CountedTime, "asStored"> {
  return {
    asStored() {
      const boot = currentBoot(currentSurroundings().environment);
      return takeUpTime(stores.appliance, clock, boot).asStored();
    },
  };
}
