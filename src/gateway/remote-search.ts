/**
 * A search by a remote controller. Where a registered device may be is asked nothing: a printer takes one
 * connection, and may be printing for whoever serves it. An app may know no more of that than what it serves
 * itself, so the gateway lets it look only at addresses at which it knows of nobody; what the machine there
 * calls by another name the controller is to leave alone, by what it is told of the organization's devices.
 */

import { keptAddress, meetingOf, type ReachedAddress } from "#core/device/address.ts";
import {
  type DetectDevices,
  type DetectionReport,
  type DetectionRequest,
  type DetectionTarget,
  type DeviceAddress,
  foundKey,
  leftAlone,
  type RegisteredAddress,
  userText,
} from "#core/device/detection.ts";
import { hasAddress, type StoredDevice, type TransportKind } from "#core/device/device.ts";
import type { DriverId } from "#core/driver-id.ts";
import { DETECTION_LIMIT_MS } from "#core/limits.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Clock } from "../platform/clock.ts";

/** A controller outside of the gateway's process. */
export interface RemoteSearcher {
  readonly orgId: string;
  readonly controllerId: string;
}

export interface RemoteSearchOptions {
  readonly stores: Pick<Stores, "devices">;
  readonly clock: Pick<Clock, "setTimer">;
  /** TCP ports at which devices of these drivers are; of all drivers unless given. */
  tcpPorts(drivers: readonly DriverId[] | undefined): readonly number[];
  /** Has the controller look. */
  readonly ask: DetectDevices;
}

/** Devices that one message tells: it stays below the size that controllers take. */
const TOLD_MAX = 500;

type AddressedDevice = StoredDevice & { readonly transport: TransportKind };

/** Has a remote controller look where nothing registered is. */
export async function searchElsewhere(
  from: RemoteSearcher,
  request: DetectionRequest,
  { stores, clock, tcpPorts, ask }: RemoteSearchOptions,
): Promise<DetectionReport> {
  const { target, drivers } = request;
  const near = (): readonly AddressedDevice[] =>
    stores.devices.listAll().filter(hasAddress).filter(isOf(target));
  const userOf = (address: DeviceAddress): string | undefined => {
    const device = near().find((one) => isSeen(one, address, from));
    return device && userText(device, from.orgId);
  };
  const look = (at: DetectionTarget, signal = request.signal): Promise<DetectionReport> =>
    ask({ ...request, target: at, registered: toldOf(near(), from), signal });
  const targets = singleTargets(target, tcpPorts(drivers));
  // One search where there is nothing to leave out.
  if (targets.every((one) => userOf(addressOf(one)) === undefined)) return look(target);
  const end = new AbortController();
  const cancelLimit = clock.setTimer(DETECTION_LIMIT_MS, () => end.abort());
  const signal = AbortSignal.any([request.signal, end.signal]);
  const reports: DetectionReport[] = [];
  try {
    for (const one of targets) {
      const address = addressOf(one);
      // Looked up anew: it may have been registered meanwhile.
      const user = userOf(address);
      if (user !== undefined) reports.push({ found: [], tried: [leftAlone(address, user)] });
      else if (signal.aborted) reports.push({ found: [], tried: [{ ...address, ...ENDED }] });
      else reports.push(await look(one, signal));
    }
  } finally {
    cancelLimit();
  }
  return joined(reports);
}

const ENDED = { outcome: "not_tried", reason: "Detection ended before", probes: 0 } as const;

/** A target of one address. */
type SingleTarget =
  | Required<Extract<DetectionTarget, { readonly transport: "tcp" }>>
  | Extract<DetectionTarget, { readonly transport: "bluetooth" }>
  | Required<Extract<DetectionTarget, { readonly transport: "serial" }>>;

/** The addresses of a target, as far as anybody but the controller knows them. */
function singleTargets(target: DetectionTarget, ports: readonly number[]): readonly SingleTarget[] {
  switch (target.transport) {
    case "tcp": {
      const { transport, host, port } = target;
      const asked = port === undefined ? ports : [port];
      return asked.map((number) => ({ transport, host, port: number }));
    }
    case "bluetooth":
      return [target];
    case "serial": {
      const { transport, address } = target;
      return address === undefined ? [] : [{ transport, address }];
    }
    default:
      return target satisfies never;
  }
}

function addressOf({ transport, ...connectionParams }: SingleTarget): DeviceAddress {
  return { transport, connectionParams };
}

function isOf({ transport }: DetectionTarget): (device: AddressedDevice) => boolean {
  return (device) => device.transport === transport;
}

/** What a controller is told of: the devices of its organization that may be within its reach. */
function toldOf(
  devices: readonly AddressedDevice[],
  from: RemoteSearcher,
): readonly RegisteredAddress[] {
  return devices
    .filter((device) => device.orgId === from.orgId && isSeen(device, device, from))
    .slice(0, TOLD_MAX)
    .map(({ id, name, transport, connectionParams }) => ({
      ...{ id, name, transport, connectionParams },
    }));
}

/**
 * True where what a controller reaches at an address may be the printer of a device. Ports have few names, so
 * only those that it has, or had last, count; a host's name or number, that of a printer over Bluetooth, counts
 * from wherever it is reached, but for each machine's own.
 */
function isSeen(
  device: ReachedAddress,
  { transport, connectionParams }: DeviceAddress,
  from: RemoteSearcher,
): boolean {
  const there = { transport, connectionParams, addressKeys: null, managedBy: "remote" } as const;
  const meeting = meetingOf(keptAddress(device), keptAddress({ ...there, ...from }));
  if (meeting === "on_one_machine") return device.managedBy === "builtin";
  return meeting === "surely" || (meeting === "maybe" && transport !== "serial");
}

function joined(reports: readonly DetectionReport[]): DetectionReport {
  const found = reports.flatMap((report) => report.found);
  const keys = found.map(foundKey);
  return {
    found: found.filter((_, index) => keys.indexOf(keys[index] ?? "") === index),
    tried: reports.flatMap((report) => report.tried),
  };
}
