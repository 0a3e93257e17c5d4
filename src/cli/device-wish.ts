/** What `fiscald device add` was told, and what follows from it. */

import type { TransportKind } from "#core/device/device.ts";
import type { Stores } from "#db/stores/index.ts";
import { CliFailure, EXIT } from "./exit.ts";
import { ADDRESS_FORMS, readAddress } from "./typed-address.ts";

/** Where a shop's devices stand, as long as nobody named another place. */
export const LOCATION_USUAL = "shop";

/** The options of a new device; a text as it was given. */
export interface DeviceWish {
  readonly name?: string;
  readonly driver?: string;
  readonly transport?: TransportKind;
  readonly location?: string;
  readonly host?: string;
  readonly port?: string;
  readonly address?: string;
  readonly profile?: string;
}

/** The transport and how to connect over it, with whatever was given: the API's schema judges it. */
interface Line {
  readonly transport: TransportKind | undefined;
  readonly connectionParams: Record<string, unknown>;
}

/**
 * What is to be registered.
 * @param known ids of the places where the shop has devices, or may have
 * @throws CliFailure with code 2, naming every option that is missing
 */
export function readDeviceWish(wish: DeviceWish, known: readonly string[]) {
  const { name, driver, location } = wish;
  const { transport, connectionParams } = lineOf(wish);
  const [only = LOCATION_USUAL, ...others] = known;
  const locationId = location ?? (others.length === 0 ? only : undefined);
  const missing = [
    ...(name === undefined ? ["--name"] : []),
    ...(driver === undefined ? ["--driver"] : []),
    ...missingOfLine(wish, { transport, connectionParams }),
    ...(locationId === undefined ? [`--location (known: ${known.join(", ")})`] : []),
  ];
  if (missing.length > 0) {
    throw new CliFailure(EXIT.usage, `device add needs ${missing.join(" and ")} too`);
  }
  return { name, driver, transport, locationId, connectionParams };
}

/** Ids of the places that a shop knows: those it made, and those its devices stand at. */
export function knownLocations(
  { locations, devices }: Pick<Stores, "locations" | "devices">,
  orgId: string,
): string[] {
  const made = locations.list(orgId).map(({ id }) => id);
  const taken = devices.list(orgId).map(({ locationId }) => locationId);
  return [...new Set([...made, ...taken])];
}

function missingOfLine(
  { host, port, address }: DeviceWish,
  { transport, connectionParams }: Line,
): string[] {
  if (transport === undefined) return [`--address (${ADDRESS_FORMS})`];
  if (transport !== "tcp") return address === undefined ? ["--address"] : [];
  if (host === undefined && port === undefined && address === undefined) {
    return ["--address HOST:PORT"];
  }
  return ["host", "port"].filter((one) => !(one in connectionParams)).map((one) => `--${one}`);
}

function lineOf({ transport: given, host, port, address, profile }: DeviceWish): Line {
  const wish = address === undefined ? undefined : readAddress(address);
  const isTcp = host !== undefined || port !== undefined;
  const transport = given ?? (isTcp ? "tcp" : wish?.transport);
  const typed = transport === "tcp" && wish?.transport === "tcp" ? wish : undefined;
  if (typed !== undefined && typed.host === undefined) {
    throw new CliFailure(EXIT.usage, `--address must be ${ADDRESS_FORMS}`);
  }
  const params = {
    host: host ?? typed?.host,
    port: port === undefined ? typed?.port : portOf(port),
    address: typed === undefined ? address : undefined,
    profile,
  };
  const connectionParams = Object.fromEntries(
    Object.entries(params).filter(([, value]) => value !== undefined),
  );
  return { transport, connectionParams };
}

/** What is no number is left as it is, so that the schema names it. */
function portOf(text: string): number | string {
  return /^\d+$/.test(text) ? Number(text) : text;
}
