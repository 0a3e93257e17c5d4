/** What `/health` answers. */

import { type Static, Type } from "@sinclair/typebox";

const CheckSchema = Type.Object({
  status: Type.Union([Type.Literal("ok"), Type.Literal("degraded"), Type.Literal("failed")]),
  detail: Type.Optional(Type.String({ description: "For the person who looks; never secrets" })),
});

/** What a part of the appliance says of itself. */
export type HealthCheck = Readonly<Static<typeof CheckSchema>>;

export const HealthAnswer = Type.Object({
  status: CheckSchema.properties.status,
  version: Type.String(),
  uptimeSeconds: Type.Integer(),
  checks: Type.Object({
    database: CheckSchema,
    disk: CheckSchema,
    timers: CheckSchema,
    controllers: CheckSchema,
    clock: CheckSchema,
    printers: CheckSchema,
    https: Type.Optional(CheckSchema),
    backup: Type.Optional(CheckSchema),
  }),
});
