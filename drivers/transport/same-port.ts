/** Telling whether two addresses lead to the same port, however each is written. */

import { realpathSync } from "node:fs";
import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { hostName, OWN_HOST } from "#core/device/address.ts";
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

/** A name or an address as it is compared; those of this machine's interfaces count as its own too. */
function oneSpelling(name: string): string {
  const host = hostName(name);
  return ownAddresses().includes(host) ? OWN_HOST : host;
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
