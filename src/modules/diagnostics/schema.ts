/** What `GET /diagnostics` answers: for a person to read, and to send to whoever helps. */

import { type Static, Type } from "@sinclair/typebox";
import { HealthAnswer } from "../health/schema.ts";

const textOrNull = Type.Union([Type.String(), Type.Null()]);
const Time = Type.String({ format: "date-time" });

/** A device without what only its shop has to know. */
const DeviceDiagnosis = Type.Object({
  id: Type.String(),
  name: Type.String(),
  driver: Type.String(),
  transport: Type.String(),
  connection: Type.String(),
  model: textOrNull,
  firmwareVersion: textOrNull,
  linkUp: Type.Boolean(),
  reason: textOrNull,
  waiting: Type.Integer(),
  alerts: Type.Array(Type.Object({ type: Type.String(), detectedAt: Time })),
});

/** A command without its payload. */
const CommandDiagnosis = Type.Object({
  id: Type.String(),
  deviceId: Type.String(),
  type: Type.String(),
  status: Type.String(),
  createdAt: Time,
  errorCode: textOrNull,
  errorMessage: textOrNull,
});

export const DiagnosticsAnswer = Type.Object({
  madeAt: Time,
  version: Type.String(),
  runtime: Type.String(),
  system: Type.String({ description: "Operating system, processor, memory" }),
  settings: Type.Record(Type.String(), Type.Unknown(), { description: "Secrets are masked" }),
  health: Type.Union([HealthAnswer, Type.Null()], {
    description: "Null where no gateway runs, as when fiscald diagnostics made it",
  }),
  devices: Type.Array(DeviceDiagnosis),
  commands: Type.Array(CommandDiagnosis, { description: "The newest, without their payloads" }),
  metrics: textOrNull,
});
export type Diagnostics = Static<typeof DiagnosticsAnswer>;
