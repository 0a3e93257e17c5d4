/** What this machine is called now: addresses come and go with its networks. */

import { hostname, networkInterfaces } from "node:os";

/** Its host name, and the addresses of its interfaces. */
export function machineNames(): { readonly hostname: string; readonly addresses: string[] } {
  const interfaces = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return { hostname: hostname(), addresses: interfaces.map(({ address }) => address) };
}
