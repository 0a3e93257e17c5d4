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

/** Ports that the kernel deals out to nobody: Linux begins at 32768. */
const PORTS = { first: 10_000, count: 22_000 } as const;
let places = 0;

/**
 * An own host with a port that no other place of this process has. A gateway takes all addresses of
 * its machine for one host, so two printers at one port would be one printer to it.
 */
export function ownPlace(): { readonly host: string; readonly port: number } {
  const port = PORTS.first + (places % PORTS.count);
  places += 1;
  return { host: ownHost(), port };
}
