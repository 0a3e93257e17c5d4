/** Telling whether two addresses lead to the same port, however each is written. */

import { realpathSync } from "node:fs";
import { isIP, isIPv4, isIPv6 } from "node:net";
import { networkInterfaces } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import type { DeviceAddress } from "#core/device/detection.ts";
import { parseSerialAddress } from "#core/device/serial-address.ts";
import type { DriverEnvironment } from "#core/driver.ts";

/** A name that takes longer to look up is compared as it is written. */
const LOOKUP_LIMIT_MS = 2_000;

/**
 * Names for what an address leads to. Two addresses that share one are the same: a host by name and
 * by number, a port by its lasting name and by its path.
 */
export async function portKeys(
  { transport, connectionParams }: DeviceAddress,
  { setTimer }: Pick<DriverEnvironment, "setTimer">,
): Promise<readonly string[]> {
  if ("host" in connectionParams) {
    const { port } = connectionParams;
    // A dot at the end only says that the name is whole.
    const host = connectionParams.host.toLowerCase().replace(/\.$/, "");
    const names = [host, ...(await addressesOf(host, setTimer))].map(oneSpelling);
    return [...new Set(names)].map((name) => `${transport} ${name} ${port}`);
  }
  const { address } = connectionParams;
  if (transport === "bluetooth") {
    const [device = ""] = address.split("#", 1);
    return [`${transport} ${device.toUpperCase()}`];
  }
  const serial = parseSerialAddress(address);
  const path = typeof serial === "string" ? address : serial.path;
  return [`${transport} ${realPath(path)}`];
}

/** What all addresses of this machine are called. */
const OWN = "localhost";

/**
 * A name or an address as it is compared. What listens on this machine mostly listens on several of
 * its addresses, so they all count as one: at worst a port is left alone that need not be.
 */
function oneSpelling(name: string): string {
  const address = isIPv6(name) ? shortIpv6(name) : name;
  const isOwn =
    address === "::" || address === "::1" || (isIPv4(address) && /^(127|0)\./.test(address));
  return isOwn || ownAddresses().includes(address) ? OWN : address;
}

/** IPv6 as short as it can be; IPv4 within it as IPv4. */
function shortIpv6(name: string): string {
  const [address = "", zone] = name.split("%", 2);
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(short) ?? [];
  if (high === undefined || low === undefined) return zone ? `${short}%${zone}` : short;
  const bytes = [high, low].flatMap((half) => [...Buffer.from(half.padStart(4, "0"), "hex")]);
  return bytes.join(".");
}

function ownAddresses(): readonly string[] {
  const interfaces = Object.values(networkInterfaces());
  return interfaces.flatMap((entries) => entries?.map(({ address }) => address) ?? []);
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // The cable is not plugged in: its name is all there is.
    const whole = resolve(path);
    const folder = dirname(whole);
    return folder === whole ? whole : join(realPath(folder), basename(whole));
  }
}

async function addressesOf(
  host: string,
  setTimer: DriverEnvironment["setTimer"],
): Promise<readonly string[]> {
  // Most printers are known by their number.
  if (isIP(host) !== 0) return [];
  const { lookup } = await import("node:dns/promises");
  let cancel = (): void => {};
  const late = new Promise<readonly string[]>((resolve) => {
    cancel = setTimer(LOOKUP_LIMIT_MS, () => resolve([]));
  });
  const found = lookup(host, { all: true }).then(
    (entries) => entries.map(({ address }) => address),
    () => [],
  );
  const addresses = await Promise.race([found, late]);
  cancel();
  return addresses;
}
