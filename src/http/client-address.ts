/** Who a request comes from, as an address that rate limits can count by. */

import { isIP, isIPv4 } from "node:net";

/** Counted together when the address is not known, as for requests that came over no socket. */
export const UNKNOWN_ADDRESS = "unknown";

/**
 * The address to count by: IPv4 as it is, IPv6 cut to its /64, because one client owns at least
 * that many addresses.
 */
export function countedAddress(address: string | undefined): string {
  const whole = wholeAddress(address);
  if (whole === undefined) return UNKNOWN_ADDRESS;
  return isIPv4(whole) ? whole : `${firstGroups(whole).join(":")}::/64`;
}

/**
 * The address to write down: without the interface, and IPv4 inside IPv6 (`::ffff:10.0.0.1`) as the
 * IPv4 address that it is. Undefined for what is no address.
 */
export function wholeAddress(address: string | undefined): string | undefined {
  const plain = address?.split("%", 1)[0] ?? "";
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  if (mapped !== undefined) return mapped;
  return isIP(plain) === 0 ? undefined : plain;
}

/** True for an address that only this machine itself can call from. */
export function isLoopback(address: string | undefined): boolean {
  if (address === undefined) return false;
  return /^(::ffff:)?127\.\d+\.\d+\.\d+$/i.test(address) || /^(::|(0:){7})1$/.test(address);
}

/** The first four of the eight groups, without leading zeros. */
function firstGroups(address: string): string[] {
  const [head = "", tail] = address.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  // A dotted end stands for two groups.
  const afterCount = after.length + (tail?.includes(".") ? 1 : 0);
  const zeros = tail === undefined ? 0 : 8 - before.length - afterCount;
  const groups = [...before, ...Array<string>(zeros).fill("0"), ...after];
  return groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
}

/**
 * The client's address behind one trusted proxy: the last entry of `X-Forwarded-For`, because that
 * is the one the proxy itself wrote; the ones before it are what the client claimed.
 */
export function forwardedAddress(headers: Headers): string | undefined {
  const last = headers.get("x-forwarded-for")?.split(",").at(-1)?.trim();
  if (!last) return undefined;
  // Some proxies add the port: 203.0.113.7:4711, [2001:db8::1]:4711.
  const bare =
    /^\[([^\]]+)\](?::\d+)?$/.exec(last)?.[1] ?? /^([\d.]+):\d+$/.exec(last)?.[1] ?? last;
  return bare;
}
