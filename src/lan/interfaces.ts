/** The machine's places in its networks, as far as multicast DNS has to know them. */

import { networkInterfaces } from "node:os";

/** One interface with an IPv4 address. */
export interface LanInterface {
  readonly address: string;
  readonly netmask: string;
  /** IPv6, but for link-local ones, which need to be told with the interface's name. */
  readonly sixes: readonly string[];
}

/** Those that lead to other machines. */
export function lanInterfaces(): LanInterface[] {
  return Object.values(networkInterfaces()).flatMap((all = []) => {
    const fours = all.filter(({ family, internal }) => family === "IPv4" && !internal);
    const sixes = all.filter(({ family, scopeid }) => family === "IPv6" && scopeid === 0);
    return fours.map(({ address, netmask }) => ({
      ...{ address, netmask },
      sixes: sixes.map(({ address: six }) => six),
    }));
  });
}

/**
 * Every address of this machine, also link-local ones and those of interfaces that lead to no other machine: its own
 * resolver may tell any of them under the machine's name.
 */
export function machineAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((all = []) =>
    all.map(({ address }) => address.replace(/%.*$/, "")),
  );
}

/** True for an address in the interface's own network: who asks from elsewhere is not answered. */
export function isOnLink({ address, netmask }: LanInterface, other: string): boolean {
  const mask = bitsOf(netmask);
  return (bitsOf(address) & mask) === (bitsOf(other) & mask);
}

function bitsOf(address: string): number {
  return address.split(".").reduce((bits, part) => (bits << 8) | Number(part), 0);
}
