/**
 * Whether two addresses lead to one printer: whatever compares addresses asks here. The same printer is
 * written in many ways: a host by its name and by its number, a port by a lasting name and by its path.
 * So an address is compared by its names: what somebody wrote, and the keys that it led to when it was
 * last looked up. A look-up may fail, as while the name server is away; what is stored still counts.
 */

import type { DeviceAddress } from "./detection.ts";
import type { ConnectionParams, DeviceTransport, ManagedBy } from "./device.ts";
import { parseSerialAddress } from "./serial-address.ts";

/** Where a device is reached, as somebody wrote it. */
export interface WrittenAddress {
  readonly transport: DeviceTransport;
  readonly connectionParams: ConnectionParams;
}

/** The same, and what is known of it. */
export interface LocatedAddress extends WrittenAddress {
  /**
   * Names for what it led to when it was last looked up; null where nobody did: only the gateway's own
   * devices are.
   */
  readonly addressKeys: readonly string[] | null;
}

/** A located address, and who reaches it there. */
export interface ReachedAddress extends LocatedAddress {
  readonly orgId: string;
  readonly managedBy: ManagedBy;
  /** The controller that has the device, or had it last. */
  readonly controllerId: string | null;
}

/** What all addresses of a machine itself are called. */
export const OWN_HOST = "localhost";

/**
 * True where two addresses that are reached from one place lead to one printer.
 * @param other the names of which one is enough
 */
export function isOneAddress(one: readonly string[], other: readonly string[]): boolean {
  return one.some((name) => other.includes(name));
}

/** The names by which an address is compared, what was written first. */
export function namesOf(address: LocatedAddress): readonly string[] {
  return distinct([addressText(address), ...(address.addressKeys ?? [])].map(oneSpelling));
}

/**
 * An address as rows of printers keep it: what was written, one key a line, and the place from which
 * it leads there. That of a device behind a remote controller is meant as that controller reaches it: a
 * port of the same name is another one elsewhere.
 */
export function keptAddress(device: ReachedAddress): string {
  const { managedBy, orgId, controllerId, addressKeys } = device;
  const text = addressText(device);
  if (managedBy === "remote") return `${text} at ${orgId}/${controllerId ?? NOBODY}`;
  return withKeys(text, addressKeys ?? []);
}

/** What was written in an address that a row keeps; undefined for one that the gateway has not looked up. */
export function writtenIn(address: string): DeviceAddress | undefined {
  const [text = ""] = address.split("\n", 1);
  const [transport, place = "", port] = text.split(" ");
  if (PLACE.test(address)) return undefined;
  if (transport === "tcp") {
    return { transport, connectionParams: { host: place, port: Number(port) } };
  }
  if (transport !== "serial" && transport !== "bluetooth") return undefined;
  return { transport, connectionParams: { address: place } };
}

/**
 * Of where a host's name led before, a row keeps so many keys: those of the time at which it was made, and the
 * latest.
 */
const FIRST_KEYS_MAX = 4;
const LATEST_KEYS_MAX = 4;
/** Before such a key. */
const FORMER = "was ";

/**
 * An address that a row keeps, as it leads to these keys now. The printer of the row may still be where a
 * host's name led when it printed, so a former key may hold, and proves nothing. Ports are numbered anew
 * whenever the machine starts: where a link to one led before says nothing.
 */
export function withFoundKeys(address: string, found: readonly string[]): string {
  const [text = "", ...known] = address.split("\n");
  if (foundNothing(text, found)) return address;
  if (!text.startsWith("tcp ")) return withKeys(text, found);
  const before = known.filter((key) => !key.startsWith(FORMER) && key !== text);
  const gone = before.filter(isNotIn(found)).map((key) => `${FORMER}${key}`);
  const former = known.filter((key) => key.startsWith(FORMER));
  const first = former.slice(0, FIRST_KEYS_MAX);
  const later = [...former.slice(FIRST_KEYS_MAX).filter(isNotIn(gone)), ...gone];
  const latest = later.filter(isNotIn(first)).slice(-LATEST_KEYS_MAX);
  return withKeys(text, [...found, ...first, ...latest]);
}

function isNotIn(keys: readonly string[]): (key: string) => boolean {
  return (key) => !keys.includes(key);
}

/**
 * The keys of an address that was looked up again: those of before, where nothing was found now, as
 * while the name server is away or a cable is not plugged in.
 */
export function keysNow(before: LocatedAddress, found: readonly string[]): readonly string[] {
  const { addressKeys } = before;
  return addressKeys !== null && foundNothing(addressText(before), found) ? addressKeys : found;
}

/** True for a host's name of the gateway's own network of which nobody knows yet where it leads. */
export function isUnresolved(address: ReachedAddress): boolean {
  const { addressKeys, managedBy, connectionParams: params } = address;
  if (managedBy !== "builtin" || !addressKeys?.length || !("host" in params)) return false;
  const host = hostName(params.host);
  const isNumber = host === OWN_HOST || host.includes(":") || /^[\d.]+$/.test(host);
  return !isNumber && foundNothing(addressText(address), addressKeys);
}

/** True where a name that leads nowhere yet may turn out to be the printer of an address that a row keeps. */
export function mayTurnOutAs(unresolved: WrittenAddress, kept: string | null): boolean {
  const theirs = kept === null ? undefined : writtenIn(kept);
  const [one, other] = [socketOf(unresolved), theirs && socketOf(theirs)];
  return one !== undefined && other !== undefined && portOf(one) === portOf(other);
}

function withKeys(text: string, keys: readonly string[]): string {
  return distinct([text, ...keys]).join("\n");
}

function foundNothing(text: string, found: readonly string[]): boolean {
  return found.every((key) => oneSpelling(key) === oneSpelling(text));
}

/** The names in an address that a row keeps, also of where it led before, without the place. */
export function keptNames(address: string): readonly string[] {
  return distinct([
    ...namesIn(address, { isFormer: false }),
    ...namesIn(address, { isFormer: true }),
  ]);
}

function namesIn(address: string, { isFormer }: { readonly isFormer: boolean }): readonly string[] {
  const names = address.replace(PLACE, "").split("\n");
  const meant = names.filter((name) => name.startsWith(FORMER) === isFormer);
  return distinct(meant.map((name) => oneSpelling(isFormer ? name.slice(FORMER.length) : name)));
}

/** Whether two addresses that rows keep lead to one printer, as far as addresses tell. */
export type Meeting =
  | "surely"
  /** From two places; nothing else may speak against it. */
  | "maybe"
  /** From two places, by a name that each machine has for itself: only if both are one machine. */
  | "on_one_machine"
  /** The same of a serial port, of whose names there are few. */
  | "by_port_name"
  /** A host's name led before to where the other is: which of the two the printer is at, nobody knows. */
  | "formerly"
  | "never";

/** How two addresses that rows keep meet. */
export function meetingOf(one: string, other: string): Meeting {
  if (one === other) return "surely";
  const others = namesIn(other, { isFormer: false });
  const shared = namesIn(one, { isFormer: false }).filter((name) => others.includes(name));
  if (shared.length === 0)
    return isOneAddress(keptNames(one), keptNames(other)) ? "formerly" : "never";
  const [mine, theirs] = [PLACE.exec(one), PLACE.exec(other)];
  if (mine?.[0] === theirs?.[0]) return "surely";
  if (shared[0]?.startsWith("bluetooth ")) return "maybe";
  const apart = apartBy(shared);
  // Rows of older versions tell no place, and the gateway's own network may be a controller's too.
  if (!mine || !theirs) return apart;
  if (mine[1] !== theirs[1]) return "never";
  return mine[2] === NOBODY || theirs[2] === NOBODY ? "maybe" : apart;
}

/** How addresses meet from two places that share these names. */
function apartBy(names: readonly string[]): Meeting {
  if (names[0]?.startsWith("serial ")) return "by_port_name";
  return names.every(isOwnSocket) ? "on_one_machine" : "maybe";
}

function isOwnSocket(name: string): boolean {
  return name.startsWith(`tcp ${OWN_HOST} `);
}

/** Of a device that no controller has announced yet. */
const NOBODY = "?";
const PLACE = / at (\S+)\/(\S+)$/;

/** An address as it is written, without what only says how the line is set. */
export function addressText({ transport, connectionParams: params }: WrittenAddress): string {
  if ("host" in params) return `${transport} ${params.host.toLowerCase()} ${params.port}`;
  const { address } = params;
  if (transport === "simulated") return `${transport} ${address}`;
  if (transport === "bluetooth") return `${transport} ${address.toUpperCase()}`;
  const serial = parseSerialAddress(address);
  return `${transport} ${typeof serial === "string" ? address : serial.path}`;
}

/** Where a device is in its network, as `host:port`; undefined for one that is not reached over one. */
export function socketOf({
  connectionParams: params,
}: Pick<WrittenAddress, "connectionParams">): string | undefined {
  return "host" in params ? `${params.host.toLowerCase()}:${params.port}` : undefined;
}

/** The port of what `socketOf` writes. */
export function portOf(socket: string): number {
  return Number(socket.slice(socket.lastIndexOf(":") + 1));
}

/**
 * A host in the one form of the many that it can be written in without a look-up: a number as four
 * parts, IPv6 as short as it can be, IPv4 within it as IPv4. What listens on a machine mostly listens on
 * several of its addresses, so those that are its own everywhere count as one: at worst a port is left
 * alone that need not be.
 */
export function hostName(written: string): string {
  // A dot at the end only says that the name is whole.
  const name = written.toLowerCase().replace(/\.$/, "");
  const [bare = "", zone] = name.split("%", 2);
  const host = withinIpv6(urlHost(bare.includes(":") ? `[${bare}]` : bare) ?? bare);
  const isOwn = host === "::" || host === "::1" || /^(127|0)(\.\d+){3}$/.test(host);
  if (isOwn) return OWN_HOST;
  return zone === undefined ? host : `${host}%${zone}`;
}

function urlHost(host: string): string | undefined {
  return URL.parse(`http://${host}`)?.hostname.replace(/^\[(.*)\]$/, "$1");
}

function withinIpv6(host: string): string {
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(host) ?? [];
  if (high === undefined || low === undefined) return host;
  const bytes = [high, low].flatMap((half) => {
    const number = Number.parseInt(half, 16);
    return [number >> 8, number & 0xff];
  });
  return bytes.join(".");
}

/** A name as it is compared. */
function oneSpelling(name: string): string {
  const [transport = "", ...rest] = name.split(" ");
  if (transport === "tcp") return `tcp ${hostName(rest[0] ?? "")} ${rest.slice(1).join(" ")}`;
  // Rows keep paths as they were written.
  return transport === "serial" ? name.replaceAll(/\/(?:\.?\/)+/g, "/") : name;
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)];
}
