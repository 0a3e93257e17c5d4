/** Body and answer of `POST /devices/detect`. */

import { type Static, Type } from "@sinclair/typebox";
import { CONNECTION_PARAMS_SCHEMAS, HostSchema } from "#core/device/connection-params.ts";
import { DETECTION_OUTCOMES } from "#core/device/detection.ts";
import { TRANSPORTS } from "#core/device/device.ts";
import { DRIVER_IDS } from "#core/driver-id.ts";
import { CONTROLLER_ID_PATTERN, PORT_MAX } from "#core/limits.ts";
import { oneOf, TextOrNull } from "#core/schema-parts.ts";

export const DetectBody = Type.Object(
  {
    transport: Type.Optional(oneOf(TRANSPORTS)),
    host: Type.Optional({ ...HostSchema, description: "For tcp" }),
    port: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: PORT_MAX,
        description: "For tcp; when absent those that the drivers' devices use",
      }),
    ),
    address: Type.Optional(
      Type.String({
        description:
          "For bluetooth, and for serial as connectionParams.address; all ports when absent",
      }),
    ),
    drivers: Type.Optional(
      Type.Array(oneOf(DRIVER_IDS), {
        minItems: 1,
        maxItems: DRIVER_IDS.length,
        description: "The drivers to ask with; all when absent",
      }),
    ),
    controllerId: Type.Optional(
      Type.String({
        pattern: CONTROLLER_ID_PATTERN,
        description: "The connected controller that looks; the built-in one when absent",
      }),
    ),
  },
  { examples: [{ transport: "tcp", host: "192.168.1.50" }] },
);
export type DetectBody = Static<typeof DetectBody>;

const address = {
  transport: oneOf(TRANSPORTS),
  connectionParams: Type.Union([...CONNECTION_PARAMS_SCHEMAS]),
};

const Found = Type.Object({
  driver: oneOf(DRIVER_IDS),
  ...address,
  serialNumber: TextOrNull,
  fiscalMemorySerialNumber: TextOrNull,
  model: TextOrNull,
  firmwareVersion: TextOrNull,
});

export const DetectAnswer = Type.Object({
  found: Type.Array(Found, {
    description: "Each with the driver, transport and connectionParams to register it with",
  }),
  tried: Type.Array(
    Type.Object({
      ...address,
      outcome: oneOf(DETECTION_OUTCOMES),
      reason: Type.String({ description: "The same in a sentence" }),
      probes: Type.Integer({ description: "Times that a driver asked there" }),
    }),
  ),
});

/** What the same search tells while it goes on: one of these a line. */
export const DetectLine = Type.Union([
  Type.Object(
    {
      probing: Type.Object({
        driver: oneOf(DRIVER_IDS),
        ...address,
        done: Type.Integer({ description: "Probes that are over" }),
        total: Type.Integer(),
      }),
    },
    { description: "A question that is asked now" },
  ),
  Type.Object(
    { found: Found },
    { description: "A device that has answered, once; the result has it again" },
  ),
  Type.Object({ dropped: Type.Integer() }, { description: "Lines that were not read in time" }),
  Type.Object({ result: DetectAnswer }, { description: "The last line" }),
  Type.Object(
    { error: Type.Object({ code: Type.String(), message: Type.String() }) },
    { description: "The last line of a search that failed" },
  ),
]);
