/** What each transport needs to reach a device. */

import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { ValidationIssue } from "../errors.ts";
import { PORT_MAX } from "../limits.ts";
import { patternOf } from "../patterns.ts";
import { schemaCheckOf } from "../schema-check.ts";
import { schemaIssues } from "../schema-issues.ts";
import type { ConnectionParams, TransportKind } from "./device.ts";
import { PROFILE_ID_PATTERN } from "./profile-id.ts";
import { serialAddressFault } from "./serial-address.ts";

const HOST_MAX = 253;
const ADDRESS_MAX = 512;

/** What a driver with profiles drives the device by; other drivers do not look at it. */
const Profile = Type.Optional(
  Type.String({
    description: "Profile of the device, on drivers with profiles; found out when left out",
    pattern: PROFILE_ID_PATTERN,
  }),
);

/**
 * A name or an address, IPv6 with its zone included; nothing that could be part of a URL. A single colon
 * would be that of a port.
 */
export const HostSchema = Type.String({
  ...{ minLength: 1, maxLength: HOST_MAX },
  pattern: patternOf(
    "^([A-Za-z0-9._%-]+|[0-9A-Fa-f.]*:[0-9A-Fa-f.]*:[0-9A-Fa-f.:]*(%[A-Za-z0-9._-]+)?)$",
    "a host name or an IP address, without its port",
  ),
});

const TcpParams = Type.Object({
  host: HostSchema,
  port: Type.Integer({ minimum: 1, maximum: PORT_MAX }),
  profile: Profile,
});

const BluetoothParams = Type.Object({
  address: Type.String({
    description: "AA:BB:CC:DD:EE:FF, with #channel where the RFCOMM channel must be named",
    pattern: patternOf(
      "^[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){5}(#([1-9]|[12][0-9]|30))?$",
      "a Bluetooth address as AA:BB:CC:DD:EE:FF, with #1 to #30 behind it for a channel",
    ),
  }),
  profile: Profile,
});

const SerialParams = Type.Object({
  address: Type.String({
    description:
      "Device path, best /dev/serial/by-id/..., ?baud=&parity=&dataBits=&stopBits=&flow=",
    minLength: 1,
    maxLength: ADDRESS_MAX,
  }),
  profile: Profile,
});

/** All shapes, for the OpenAPI document; which one counts depends on the transport. */
export const CONNECTION_PARAMS_SCHEMAS: readonly TSchema[] = [
  TcpParams,
  BluetoothParams,
  SerialParams,
];

const Place = schemaCheckOf(
  Type.Union([
    Type.Object({ host: Type.String(), port: Type.Integer() }),
    Type.Object({ address: Type.String() }),
  ]),
);

/** True for what names some place, whatever the transport: of a stored record nothing more is asked. */
export function isPlace(value: unknown): value is ConnectionParams {
  return Place.accepts(value);
}

/** The parameters, or what is wrong with them. */
export type ConnectionReading =
  | { readonly params: ConnectionParams }
  | { readonly issues: readonly ValidationIssue[] };

/**
 * Reads the parameters of a transport; properties it does not know are left out.
 * @param root put before the path of each fault
 */
export function readConnectionParams(
  transport: TransportKind,
  value: unknown,
  root: string,
): ConnectionReading {
  switch (transport) {
    case "tcp":
      return read(TcpParams, value, { root, keep: tcpParams });
    case "bluetooth":
      return read(BluetoothParams, value, { root, keep: addressParams });
    case "serial": {
      const reading = read(SerialParams, value, { root, keep: addressParams });
      return "issues" in reading ? reading : checkSerial(reading, root);
    }
    default: {
      const unknown: never = transport;
      throw new Error(`unknown transport ${String(unknown)}`);
    }
  }
}

function tcpParams({ host, port, profile }: Static<typeof TcpParams>): ConnectionParams {
  return { host, port, ...(profile === undefined ? {} : { profile }) };
}

function addressParams({ address, profile }: Static<typeof SerialParams>): ConnectionParams {
  return { address, ...(profile === undefined ? {} : { profile }) };
}

function read<S extends TSchema>(
  schema: S,
  value: unknown,
  { root, keep }: { root: string; keep: (value: Static<S>) => ConnectionParams },
): ConnectionReading {
  if (Value.Check(schema, value)) return { params: keep(value) };
  return { issues: schemaIssues(Value.Errors(schema, value), root) };
}

function checkSerial(reading: { params: ConnectionParams }, root: string): ConnectionReading {
  if (!("address" in reading.params)) return reading;
  const message = serialAddressFault(reading.params.address);
  return message === undefined ? reading : { issues: [{ path: `${root}.address`, message }] };
}
