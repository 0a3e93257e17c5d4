/**
 * Looking for devices that nobody has registered yet: where to look, and what came of it. An
 * address is a serial port, a host with a port, or a Bluetooth address.
 */

import type { DriverId } from "../driver-id.ts";
import type { ValidationIssue } from "../errors.ts";
import { readConnectionParams } from "./connection-params.ts";
import type { ConnectionParams, TransportKind } from "./device.ts";

/** Where to look. */
export type DetectionTarget =
  /** One serial port, or all that the machine has. The address may name settings of the line. */
  | { readonly transport: "serial"; readonly address?: string }
  /** One port of a host, or those that the drivers' devices use. */
  | { readonly transport: "tcp"; readonly host: string; readonly port?: number }
  | { readonly transport: "bluetooth"; readonly address: string };

/** A registered device, and where it is, as it is told to whoever looks on another machine. */
export interface RegisteredAddress extends DeviceAddress {
  readonly id: string;
  readonly name: string;
}

/** What a person may say of where to look. */
export interface DetectionWish {
  readonly transport?: TransportKind | undefined;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly address?: string | undefined;
}

/** Where a device may be: the transport, and what it takes to connect over it. */
export interface DeviceAddress {
  readonly transport: TransportKind;
  readonly connectionParams: ConnectionParams;
}

/** A device that answered; driver, transport and parameters are what registering it takes. */
export interface FoundDevice extends DeviceAddress {
  readonly driver: DriverId;
  readonly serialNumber: string | null;
  readonly fiscalMemorySerialNumber: string | null;
  readonly model: string | null;
  readonly firmwareVersion: string | null;
}

export const DETECTION_OUTCOMES = [
  "found",
  "unknown_device",
  "unrecognized",
  "silent",
  "in_use",
  "not_opened",
  "not_tried",
] as const;
/**
 * What came of an address. At the first four somebody asked, the next two were left alone, the last
 * was not asked to the end.
 */
export type DetectionOutcome = (typeof DETECTION_OUTCOMES)[number];

export interface TriedAddress extends DeviceAddress {
  readonly outcome: DetectionOutcome;
  /** The same in a sentence. */
  readonly reason: string;
  /** Times that a driver asked there. */
  readonly probes: number;
}

export interface DetectionReport {
  readonly found: readonly FoundDevice[];
  readonly tried: readonly TriedAddress[];
}

/** A driver is about to ask, or has found a device by its question. */
export interface DetectionProgress extends DeviceAddress {
  readonly driver: DriverId;
  /** Told once for each device, before the search is over. */
  readonly found?: FoundDevice;
  /** Probes that are over, of those that there are when nothing is found before. */
  readonly done: number;
  readonly total: number;
}

/** One search. */
export interface DetectionRequest {
  readonly target: DetectionTarget;
  /** The drivers to ask with; all when absent. */
  readonly drivers?: readonly DriverId[] | undefined;
  /** Who asks: the devices of others are not named. Undefined for the person at the box. */
  readonly orgId?: string | undefined;
  /** Left alone beside what whoever looks knows of itself. */
  readonly registered?: readonly RegisteredAddress[] | undefined;
  /** Ends the search; the report then says what was not tried. */
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: DetectionProgress) => void) | undefined;
}

/** Carries out a search. */
export type DetectDevices = (request: DetectionRequest) => Promise<DetectionReport>;

/** Of the device at an address that is left alone: nothing of another organization, not even that it has one. */
export function userText(
  { id, name, orgId }: { readonly id: string; readonly name: string; readonly orgId: string },
  asker: string | undefined,
): string {
  return asker === undefined || asker === orgId
    ? `The registered device ${name} (${id})`
    : "Something else";
}

/** What is told of an address that is left alone. @param user in a few words */
export function leftAlone(address: DeviceAddress, user: string, probes = 0): TriedAddress {
  return { ...address, outcome: "in_use", reason: `${user} uses it`, probes };
}

/** A device that answers at two addresses, as one with two cables or two ports, is one device. */
export function foundKey(device: FoundDevice): string {
  const { driver, serialNumber, fiscalMemorySerialNumber } = device;
  const isNamed = serialNumber !== null || fiscalMemorySerialNumber !== null;
  return JSON.stringify(isNamed ? [driver, serialNumber, fiscalMemorySerialNumber] : device);
}

const ROOT = "";

/**
 * Makes out where to look. The transport follows from a host or an address where it is not named;
 * nothing at all means every serial port.
 */
export function readDetectionWish(
  wish: DetectionWish,
): { readonly target: DetectionTarget } | { readonly issues: readonly ValidationIssue[] } {
  const transport = wish.transport ?? transportOf(wish);
  const surplus = surplusIssues(wish, transport);
  if (surplus.length > 0) return { issues: surplus };
  if (transport === "tcp") return readTcp(wish);
  const { address } = wish;
  if (transport === "serial" && address === undefined) return { target: { transport } };
  const reading = readConnectionParams(transport, { address }, ROOT);
  if ("issues" in reading) return { issues: reading.issues.map(withoutDot) };
  return { target: { transport, address: address ?? "" } };
}

function transportOf({ host, port, address }: DetectionWish): TransportKind {
  if (host !== undefined || port !== undefined) return "tcp";
  return /^[0-9A-Fa-f]{2}:/.test(address ?? "") ? "bluetooth" : "serial";
}

function surplusIssues(wish: DetectionWish, transport: TransportKind): ValidationIssue[] {
  const foreign = transport === "tcp" ? (["address"] as const) : (["host", "port"] as const);
  return foreign
    .filter((path) => wish[path] !== undefined)
    .map((path) => ({ path, message: `Not for transport ${transport}` }));
}

function readTcp({ host, port }: DetectionWish) {
  // A port that is left out is chosen later; for the check any will do.
  const reading = readConnectionParams("tcp", { host, port: port ?? 1 }, ROOT);
  if ("issues" in reading) return { issues: reading.issues.map(withoutDot) };
  const target = { transport: "tcp" as const, host: host ?? "" };
  return { target: port === undefined ? target : { ...target, port } };
}

/** The fields stand at the root of what was sent. */
function withoutDot({ path, message }: ValidationIssue): ValidationIssue {
  return { path: path.replace(/^\./, ""), message };
}
