/** What `/health` answers. */

import { type Static, Type } from "@sinclair/typebox";
import { FINDING_CODES, type HealthFinding, openFinding } from "#core/health.ts";
import { oneOf } from "#core/schema-parts.ts";
import { named } from "../../http/named-schema.ts";

const CheckSchema = named(
  "HealthCheck",
  Type.Object({
    status: Type.Union([Type.Literal("ok"), Type.Literal("degraded"), Type.Literal("failed")]),
    detail: Type.Optional(
      Type.String({
        description:
          "For the person who looks; never secrets. Without reasons and folders, but for logins of " +
          "the organization that the box belongs to and for the person at it",
      }),
    ),
    findings: Type.Optional(
      Type.Array(
        Type.Object({
          code: oneOf(FINDING_CODES),
          params: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
            description:
              "What the words of the code name: days as 2026-11-25, instants as ISO 8601, a reason in " +
              "the words of the system",
          }),
        }),
        { description: "What is not as it should be, for programs; absent where all is" },
      ),
    ),
  }),
);

type ToldCheck = Readonly<Static<typeof CheckSchema>>;

/** What a part of the appliance says of itself. */
export type HealthCheck = ToldCheck & {
  /** What anybody may be told of it, where that is less. */
  readonly open?: ToldCheck;
};

/** @param isInside false for whoever is not told of reasons and folders */
export function toldCheck({ open, ...whole }: HealthCheck, isInside: boolean): ToldCheck {
  return isInside ? whole : (open ?? whole);
}

/** What a check says of its findings; it is well without any. */
export function checkOf(
  status: "degraded" | "failed",
  ...findings: readonly HealthFinding[]
): HealthCheck {
  if (findings.length === 0) return { status: "ok" };
  const told = checkWith(status, findings);
  const isOpen = findings.every(({ openText }) => openText === undefined);
  return isOpen ? told : { ...told, open: checkWith(status, findings.map(openFinding)) };
}

function checkWith(status: HealthCheck["status"], findings: readonly HealthFinding[]): ToldCheck {
  return {
    status,
    detail: findings.map(({ text }) => text).join("; "),
    findings: findings.map(({ code, params }) => ({ code, params })),
  };
}

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
    replica: Type.Optional(CheckSchema),
    update: Type.Optional(CheckSchema),
  }),
});
