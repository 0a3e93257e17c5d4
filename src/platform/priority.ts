/** The processor's attention. */

import { setPriority } from "node:os";

/**
 * Lets everything else of the machine go first, as whoever prints a receipt meanwhile. The work is done
 * all the same where the system does not allow that, as a service's filter of system calls does.
 * @param niceness from 0, as everybody, to 19
 */
export function stepBack(niceness: number): void {
  try {
    setPriority(niceness);
  } catch {
    // It only takes more of the processor's time.
  }
}
