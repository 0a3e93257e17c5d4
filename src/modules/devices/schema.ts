/** Bodies and answers of the device routes. */

import { type Static, Type } from "@sinclair/typebox";
import { ReversalTenders } from "#core/command/types/get-info.ts";
import { ALERT_SEVERITIES, ALERT_TYPES } from "#core/device/alerts.ts";
import { CONNECTION_PARAMS_SCHEMAS } from "#core/device/connection-params.ts";
import { CONNECTION_EVENT_TYPES, DEVICE_STATUSES } from "#core/device/connectivity.ts";
import { DEVICE_TRANSPORTS, MANAGED_BY, TRANSPORTS } from "#core/device/device.ts";
import { SIMULATED_MODELS } from "#core/device/simulated-models.ts";
import { DRIVER_IDS } from "#core/driver-id.ts";
import { DEVICE_NAME_MAX } from "#core/limits.ts";
import { DateTime, DateTimeOrNull, oneOf, orNull, TextOrNull } from "#core/schema-parts.ts";
import { visibleName } from "#core/visible-name.ts";
import { named } from "../../http/named-schema.ts";
import { Simulated } from "../../http/simulated.ts";

const LOCATION_ID_MAX = 255;

const Name = visibleName(DEVICE_NAME_MAX);
const LocationId = Type.String({
  ...{ minLength: 1, maxLength: LOCATION_ID_MAX },
  description: "The id of a location, or any name for a place",
});

/** Checked against the transport by the service; here it only has to be an object. */
const ConnectionParams = Type.Object({});

export const CreateDeviceBody = Type.Object({
  name: Name,
  driver: oneOf(DRIVER_IDS),
  transport: oneOf(TRANSPORTS),
  locationId: LocationId,
  connectionParams: ConnectionParams,
  managedBy: Type.Optional(oneOf(MANAGED_BY)),
});
export type CreateDeviceBody = Static<typeof CreateDeviceBody>;

export const UpdateDeviceBody = Type.Object({
  name: Type.Optional(Name),
  driver: Type.Optional(oneOf(DRIVER_IDS)),
  transport: Type.Optional(oneOf(TRANSPORTS)),
  connectionParams: Type.Optional(ConnectionParams),
  locationId: Type.Optional(LocationId),
  managedBy: Type.Optional(oneOf(MANAGED_BY)),
});
export type UpdateDeviceBody = Static<typeof UpdateDeviceBody>;

/** `POST /devices/simulated`; which models there are depends on the driver. */
export const SimulatedDeviceBody = Type.Object({
  name: Name,
  driver: oneOf(DRIVER_IDS),
  model: Type.Optional(Type.String()),
  locationId: LocationId,
});
export type SimulatedDeviceBody = Static<typeof SimulatedDeviceBody>;

/** `SimulatedDeviceBody` with what the service checks, for the OpenAPI document. */
export const SimulatedDeviceDocument = Type.Union(
  DRIVER_IDS.map((driver) => {
    const models: readonly string[] = SIMULATED_MODELS[driver];
    return Type.Object({
      name: Name,
      driver: Type.Literal(driver),
      model: Type.Optional(
        Type.Unsafe<string>({ type: "string", enum: models, default: models[0] }),
      ),
      locationId: LocationId,
    });
  }),
  { examples: [{ name: "Training", driver: "vendorA.isl", locationId: "shop" }] },
);

/** `POST /devices/{deviceId}/release`. */
export const ReleaseDeviceBody = Type.Object(
  {
    controllerId: Type.String({ minLength: 1, description: "The device's current controller" }),
  },
  { examples: [{ controllerId: "builtin" }] },
);

const AnyConnectionParams = Type.Union([...CONNECTION_PARAMS_SCHEMAS], {
  description: "host and port for tcp, address for bluetooth and serial",
});

/** `CreateDeviceBody` with what the service checks, for the OpenAPI document. */
export const CreateDeviceDocument = Type.Object(
  {
    ...CreateDeviceBody.properties,
    connectionParams: AnyConnectionParams,
  },
  {
    examples: [
      {
        name: "Counter",
        driver: "vendorA.isl",
        transport: "tcp",
        locationId: "shop",
        connectionParams: { host: "192.168.1.50", port: 3999 },
      },
    ],
  },
);

/** `UpdateDeviceBody` with what the service checks, for the OpenAPI document. */
export const UpdateDeviceDocument = Type.Object(
  { ...UpdateDeviceBody.properties, connectionParams: Type.Optional(AnyConnectionParams) },
  { examples: [{ name: "Counter 2" }] },
);

/** Where nothing of the world leads to. */
const SimulatedParams = Type.Object({
  address: Type.String({ description: "Of a simulated printer: the device's own id" }),
  model: Type.Optional(Type.String({ description: "Which model is simulated" })),
});

const DeviceFields = Type.Object({
  id: Type.String(),
  name: Type.String(),
  driver: oneOf(DRIVER_IDS),
  transport: oneOf(DEVICE_TRANSPORTS),
  locationId: Type.String(),
  connectionParams: Type.Union([...CONNECTION_PARAMS_SCHEMAS, SimulatedParams]),
  managedBy: oneOf(MANAGED_BY),
  orgId: Type.String(),
  status: oneOf(DEVICE_STATUSES),
  effectiveStatus: oneOf(["online", "offline"]),
  lastSeen: DateTimeOrNull,
  stateReadAt: orNull(
    Type.String({
      format: "date-time",
      description:
        "When its state was read last; one that it refuses to tell is not read. Null while it is offline, in " +
        "events, and where its controller has not read it yet: until then its status and its alerts say nothing of paper, cover and the like, " +
        "and the event device.state_read tells when they do",
    }),
  ),
  controllerId: TextOrNull,
  controllerName: TextOrNull,
  serialNumber: TextOrNull,
  fiscalMemorySerialNumber: TextOrNull,
  model: TextOrNull,
  firmwareVersion: TextOrNull,
  charsPerLine: orNull(
    Type.Integer({ minimum: 1, description: "Of its paper; null until it told" }),
  ),
  reversalTenders: orNull({
    ...ReversalTenders,
    description:
      "In which it pays reversals back; none where it prints no reversals, null until it told",
  }),
  simulated: Simulated,
  createdAt: DateTime,
  updatedAt: DateTime,
});
export const DeviceRecord = named("Device", DeviceFields);

const statusFields = {
  wsConnected: Type.Boolean(),
  controllerOnline: Type.Boolean(),
  storedStatus: oneOf(DEVICE_STATUSES),
  effectiveStatus: oneOf(["online", "offline"]),
  lastSeen: DateTimeOrNull,
  reason: orNull(Type.String({ description: "Why it is offline, where anybody knows" })),
  otherPrinter: orNull(
    Type.Object(
      {
        serialNumber: TextOrNull,
        fiscalMemorySerialNumber: TextOrNull,
        deviceId: orNull(Type.String({ description: "Its own device, where it is registered" })),
      },
      { description: "What stands at its address, where that is another printer: it is not used" },
    ),
  ),
};

export const DeviceStatusAnswer = Type.Object({ deviceId: Type.String(), ...statusFields });
export const DeviceStatusesAnswer = Type.Object({
  statuses: Type.Record(Type.String(), Type.Object(statusFields)),
});

export const ConnectionHistoryAnswer = Type.Object({
  events: Type.Array(
    Type.Object({
      type: oneOf(CONNECTION_EVENT_TYPES),
      timestamp: DateTime,
      deviceModel: Type.String(),
      appVersion: Type.String(),
      osVersion: Type.String(),
      code: orNull(Type.Integer({ description: "Of the WebSocket's end" })),
      reason: TextOrNull,
    }),
  ),
});

export const AlertFields = Type.Object({
  type: Type.Union(Object.keys(ALERT_TYPES).map((type) => Type.Literal(type))),
  severity: oneOf(ALERT_SEVERITIES),
  message: Type.String(),
  deviceId: Type.String(),
  deviceName: Type.String(),
  detectedAt: DateTime,
  commandId: Type.Optional(
    Type.String({ description: "Of outcome_unknown and late_result: the command it speaks of" }),
  ),
  fiscalId: Type.Optional(
    Type.String({
      description:
        "The number that the device told: of late_result, and of outcome_unknown where it says that " +
        "it has printed what a person called not printed",
    }),
  ),
  standsOpen: Type.Optional(
    Type.Literal(true, {
      description:
        "Of outcome_unknown: a person called the receipt not printed, and it stands open on the " +
        "device. Called printed, it is finished there",
    }),
  ),
  outcome: Type.Optional(
    Type.Literal("not_printed", {
      description:
        "Of late_result: the device says so of a receipt that a person called printed, and that stands " +
        "in the books as sold. Without paper it is rung up at the printer by hand, never at the till",
    }),
  ),
  documents: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        "Of documents_unknown: how many the gateway does not know, at most; absent where no number " +
        "of the printer tells",
    }),
  ),
  since: Type.Optional(
    Type.String({
      format: "date-time",
      description:
        "Of documents_unknown: when the last document was issued that is known; absent where none is",
    }),
  ),
});
export const AlertRecord = named("Alert", AlertFields);

export const DeviceAlertsAnswer = Type.Object({
  deviceId: Type.String(),
  alerts: Type.Array(AlertRecord),
});
export const AlertsAnswer = Type.Object({
  alerts: Type.Record(Type.String(), Type.Array(AlertRecord)),
});

export const PortsAnswer = Type.Object({
  ports: Type.Array(
    Type.Object({
      path: Type.String({ description: "Device path; it may change when the cable is replugged" }),
      byId: orNull(Type.String({ description: "Lasting name, best for connectionParams.address" })),
      vendorId: orNull(Type.String({ description: "USB vendor, four hexadecimal digits" })),
      productId: orNull(Type.String({ description: "USB product, four hexadecimal digits" })),
      serialNumber: orNull(Type.String({ description: "Of the USB adapter, not of the device" })),
      manufacturer: TextOrNull,
      product: TextOrNull,
      location: orNull(Type.String({ description: "Where on the USB tree, such as 1-1.4" })),
    }),
  ),
});
