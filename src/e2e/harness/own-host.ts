/** Addresses for what is switched off and on again at the same place. */

import { randomBytes } from "node:crypto";

/**
 * An address of this machine that nobody else uses, so that a port there is given to no other
 * process meanwhile. All of 127.0.0.0/8 is the machine itself.
 */
export function ownHost(): string {
  const [second = 0, third = 0, last = 0] = randomBytes(3);
  return `127.${second}.${third}.${1 + (last % 254)}`;
}
