/**
 * Finds devices that nobody has registered yet. Only drivers' `connect` is used, which reads; a
 * port that something else uses is not touched. Serial ports and hosts are asked side by side, the
 * ports of one host one after another, and the drivers at one port on one connection where that
 * stays open, as many devices take one at a time.
 */

import {
  type DetectionReport,
  type DetectionRequest,
  type DetectionTarget,
  type DeviceAddress,
  type FoundDevice,
  foundKey,
  type TriedAddress,
  userText,
} from "#core/device/detection.ts";
import { parseSerialAddress } from "#core/device/serial-address.ts";
import { DETECTION_LIMIT_MS } from "#core/limits.ts";
import { AddressSearch, type AddressSearchOptions } from "./address-search.ts";
import type { DetectorEnvironment, RegisteredDevice } from "./detector-environment.ts";
import { detectingDrivers, type Probe, probesFor } from "./probe-order.ts";

/** Serial ports and hosts that are asked at the same time. */
const ROWS_MAX = 16;

/** Looks once. @returns when every line is closed again, or given up */
export async function detectDevices(
  request: DetectionRequest,
  environment: DetectorEnvironment,
): Promise<DetectionReport> {
  const drivers = detectingDrivers(environment.drivers, request.drivers);
  const end = new AbortController();
  const endNow = () => end.abort();
  if (request.signal.aborted) endNow();
  request.signal.addEventListener("abort", endNow, { once: true });
  const cancelLimit = environment.clock.setTimer(DETECTION_LIMIT_MS, endNow);
  try {
    const rows = addressesOf(request.target, drivers, environment).map((row) =>
      row.map((address) => ({ address, probes: probesFor(address, drivers) })),
    );
    const usedBy = registeredAt(request, environment);
    const count = countProbes(rows.flat(), request);
    const searches = rows.map((row) =>
      row.map(
        ({ address, probes }) =>
          new AddressSearch(address, probes, { environment, signal: end.signal, usedBy, ...count }),
      ),
    );
    await inParallel(searches, async (row) => {
      let isUnanswered = false;
      for (const search of row) {
        await search.run(isUnanswered ? "hurried" : "patient");
        isUnanswered ||= search.isUnanswered;
      }
    });
    return reportOf(searches.flat());
  } finally {
    cancelLimit();
    request.signal.removeEventListener("abort", endNow);
  }
}

/** The addresses in rows; those of one row are asked one after another. */
function addressesOf(
  target: DetectionTarget,
  drivers: ReturnType<typeof detectingDrivers>,
  { listPorts }: DetectorEnvironment,
): readonly (readonly DeviceAddress[])[] {
  switch (target.transport) {
    case "tcp": {
      const { transport, host, port } = target;
      const known = new Set(drivers.flatMap(({ detection }) => detection.tcpPorts));
      const ports = port === undefined ? [...known] : [port];
      return [ports.map((number) => ({ transport, connectionParams: { host, port: number } }))];
    }
    case "bluetooth": {
      const { transport, address } = target;
      return [[{ transport, connectionParams: { address } }]];
    }
    case "serial": {
      const { transport, address } = target;
      const addresses =
        address === undefined ? listPorts().map(({ byId, path }) => byId ?? path) : [address];
      return addresses.map((one) => [{ transport, connectionParams: { address: one } }]);
    }
    default:
      return target satisfies never;
  }
}

/**
 * Names the registered device that uses an address, in a sentence; undefined when none does.
 * Looks anew each time, because devices may be registered while the search goes on.
 */
function registeredAt(
  { orgId, target, registered: told = [] }: DetectionRequest,
  { registered, addressKeys }: DetectorEnvironment,
): (address: DeviceAddress) => Promise<string | undefined> {
  /** Looking a host up takes time; ports are looked at again, as they come and go. */
  const hosts = new Map<string, Promise<readonly string[]>>();
  const keysOf = (address: DeviceAddress): Promise<readonly string[]> => {
    if (address.transport !== "tcp") return addressKeys(address);
    const name = addressText(address);
    const keys = hosts.get(name) ?? addressKeys(address);
    hosts.set(name, keys);
    return keys;
  };
  // Serial ports and Bluetooth addresses of other controllers are not those of this machine.
  const isHere = ({ managedBy, transport }: RegisteredDevice) =>
    transport === target.transport && (managedBy === "builtin" || transport === "tcp");
  // Whoever asks has left out what is not here.
  const named = told.map((one) => ({ ...one, orgId: orgId ?? "", managedBy: "builtin" }) as const);
  return async (address) => {
    const here = [...registered(), ...named].filter(isHere);
    const [wanted, ...theirs] = await Promise.all([address, ...here].map(keysOf));
    const device = here.find((_, index) => theirs[index]?.some((key) => wanted?.includes(key)));
    return device && userText(device, orgId);
  };
}

function countProbes(
  asked: readonly { readonly probes: readonly Probe[] }[],
  { onProgress }: DetectionRequest,
): Pick<AddressSearchOptions, "began" | "found" | "passed"> {
  const total = asked.reduce((sum, { probes }) => sum + probes.length, 0);
  const known = new Set<string>();
  let done = 0;
  return {
    began: ({ driver, address }) => onProgress?.({ ...address, driver: driver.id, done, total }),
    found(device) {
      const key = foundKey(device);
      if (known.has(key)) return;
      known.add(key);
      const { driver, transport, connectionParams } = device;
      onProgress?.({ driver, transport, connectionParams, done, total, found: device });
    },
    passed(probes) {
      done += probes;
    },
  };
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  const worker = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(ROWS_MAX, items.length) }, worker));
}

function reportOf(searches: readonly AddressSearch[]): DetectionReport {
  const devices = new Map<string, FoundDevice>();
  const tried = searches.map(({ result: { device, ...address } }): TriedAddress => {
    if (!device) return address;
    const key = foundKey(device);
    const before = devices.get(key);
    if (!before) devices.set(key, device);
    return before ? { ...address, reason: `The same device as ${addressText(before)}` } : address;
  });
  return { found: [...devices.values()], tried };
}

/** An address as a person writes it. */
function addressText({ connectionParams: params }: DeviceAddress): string {
  if ("host" in params) return `${params.host}:${params.port}`;
  const serial = parseSerialAddress(params.address);
  return typeof serial === "string" ? params.address : serial.path;
}
