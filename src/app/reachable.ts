/** By which addresses others reach what listens on this machine. */

import { withoutBrackets } from "#core/machine-names.ts";

/** Of this machine alone, or of one cable without a router. */
const OWN = /^(127\.|::1$|169\.254\.|fe80:)/i;

/**
 * The addresses, the best for others first, as they stand in a URL.
 * @param host what is listened on, as `0.0.0.0` or `[::]`; another one is reached by itself alone
 * @param addresses those of the machine's interfaces
 * @returns empty where the machine is in no network
 */
export function reachableHosts(host: string, addresses: readonly string[]): string[] {
  const isAll = host === "[::]" || host === "::";
  if (host !== "0.0.0.0" && !isAll) return [host];
  const fromOthers = addresses.filter((one) => !OWN.test(one));
  const four = fromOthers.filter((one) => !one.includes(":"));
  const six = isAll ? fromOthers.filter((one) => one.includes(":")) : [];
  return [...four, ...six.map((one) => `[${one}]`)];
}

/** True for what only this machine reaches. */
export function isOwnHost(host: string): boolean {
  return host === "localhost" || OWN.test(withoutBrackets(host));
}
