/** What `GET /diagnostics` answers: for a person to read, and to send to whoever helps. */

import { type Static, Type } from "@sinclair/typebox";
import { DateTime, TextOrNull } from "#core/schema-parts.ts";
import { HealthAnswer } from "../health/schema.ts";

/** A device without what only its shop has to know. */
const DeviceDiagnosis = Type.Object({
  id: Type.String(),
  name: Type.String(),
  driver: Type.String(),
  transport: Type.String(),
  connection: Type.String(),
  model: TextOrNull,
  firmwareVersion: TextOrNull,
  linkUp: Type.Boolean(),
  reason: TextOrNull,
  waiting: Type.Integer(),
  alerts: Type.Array(Type.Object({ type: Type.String(), detectedAt: DateTime })),
});

/** A command without its payload. */
const CommandDiagnosis = Type.Object({
  id: Type.String(),
  deviceId: Type.String(),
  type: Type.String(),
  status: Type.String(),
  createdAt: DateTime,
  errorCode: TextOrNull,
  errorMessage: TextOrNull,
});

export const DiagnosticsAnswer = Type.Object({
  madeAt: DateTime,
  version: Type.String(),
  runtime: Type.String(),
  system: Type.String({ description: "Operating system, processor, memory" }),
  settings: Type.Record(Type.String(), Type.Unknown(), { description: "Secrets are masked" }),
  health: Type.Union([HealthAnswer, Type.Null()], {
    description: "Null where no gateway runs, as when fiscald diagnostics made it",
  }),
  devices: Type.Array(DeviceDiagnosis),
  commands: Type.Array(CommandDiagnosis, { description: "The newest, without their payloads" }),
  metrics: TextOrNull,
});
export type Diagnostics = Static<typeof DiagnosticsAnswer>;
