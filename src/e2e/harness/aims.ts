/**
 * Frames of a sale at which a printer is struck, by what they do. A number that was counted at another sale
 * is moved by whatever else is asked meanwhile: the state, every half minute of an idle device, and behind
 * each document on printers that tell none with it; and what a busy machine has found out of an answer that
 * came late.
 */

import type { SimulatedPrinter } from "./simulator.ts";

/** As a fault takes it: the frame that is so many of that command. */
export interface Aim {
  readonly at: number;
  readonly command: number;
}

/** By driver. Devices that number no commands have none: see `command` of a simulated printer's faults. */
const CLOSINGS: Readonly<Record<string, number>> = {
  "vendorA.isl": 56,
  "vendorE.zfp": 0x38,
  "vendorF.shtrih": 0x85,
};

/** The frame that closes the next sale. @throws Error for a driver that has no such command */
export function closingOf({ driver }: Pick<SimulatedPrinter, "driver">): Aim {
  const command = CLOSINGS[driver];
  if (command === undefined) throw new Error(`no command of ${driver} is known to close a sale`);
  return { at: 1, command };
}
