/** What the command routes take and answer. */

import { Type } from "@sinclair/typebox";
import { COMMAND_TYPES, type CommandType } from "#core/command/catalogue.ts";
import {
  COMMAND_SOURCES,
  COMMAND_STATUSES,
  type Command,
  type CommandResult,
} from "#core/command/command.ts";
import { maskSecrets } from "#core/command/payload-secrets.ts";
import { PAPER_NUMBER } from "#core/command/settled.ts";
import { isoTime, isoTimeOrNull } from "#core/iso-time.ts";
import { DateTime, DateTimeOrNull, oneOf, TextOrNull } from "#core/schema-parts.ts";
import { currencyOf } from "#db/stores/command-currency.ts";
import type { Stores } from "#db/stores/index.ts";
import type { OutcomeHold } from "#db/stores/outcome-holds.ts";
import { named } from "../../http/named-schema.ts";
import { pageOf } from "../../http/paging.ts";
import { Simulated } from "../../http/simulated.ts";
import { ErrorCodeDocument, ResultDataDocument } from "./document.ts";

const nullable = <T extends string>(names: readonly T[]) =>
  Type.Union([...names.map((name) => Type.Literal(name)), Type.Null()]);

export const DeviceCommandBody = Type.Object({
  type: Type.String({ description: COMMAND_TYPES.join(", ") }),
  payload: Type.Object({}, { additionalProperties: true }),
});

export const CommandBody = Type.Object({
  deviceId: Type.String({ minLength: 1 }),
  ...DeviceCommandBody.properties,
});

export const ResolveBody = Type.Object(
  {
    outcome: Type.Union([Type.Literal("printed"), Type.Literal("not_printed")]),
    // A slip of the finger would stand in the books for good.
    fiscalId: Type.Optional(
      Type.String({
        ...{ minLength: 1, maxLength: 64, pattern: PAPER_NUMBER },
        description:
          "The number on the paper; only with `outcome` `printed`, 400 with `not_printed`",
      }),
    ),
  },
  { examples: [{ outcome: "printed", fiscalId: "1" }] },
);

const CommandFields = Type.Object({
  id: Type.String(),
  deviceId: Type.String(),
  type: oneOf(COMMAND_TYPES),
  payload: Type.Object({}, { additionalProperties: true }),
  orgId: Type.String(),
  status: oneOf(COMMAND_STATUSES),
  apiKeyId: TextOrNull,
  requestedBy: TextOrNull,
  source: oneOf(COMMAND_SOURCES),
  idempotencyKey: TextOrNull,
  controllerId: TextOrNull,
  createdAt: DateTime,
  updatedAt: DateTime,
  sentAt: DateTimeOrNull,
  processingAt: DateTimeOrNull,
  finishedAt: DateTimeOrNull,
  expiresAt: DateTime,
  simulated: Simulated,
  result: Type.Union([
    Type.Object({
      success: Type.Boolean(),
      data: Type.Optional(ResultDataDocument),
      fiscalId: Type.Optional(Type.String({ description: "The device's number of the document" })),
      errorCode: Type.Optional(ErrorCodeDocument),
      errorMessage: Type.Optional(Type.String()),
    }),
    Type.Null(),
  ]),
  currency: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description:
        "ISO 4217 code of its amounts: that of its receipt, else the organization's when it was " +
        "accepted; null where nobody knows that any more. Not in the answer to a submission",
    }),
  ),
  resolution: Type.Optional(
    Type.Object({
      outcome: nullable(["printed", "not_printed"]),
      fiscalId: TextOrNull,
      resolvedAt: DateTimeOrNull,
      resolvedBy: TextOrNull,
    }),
  ),
});
export const CommandRecordSchema = named("Command", CommandFields);

export const CommandAnswer = Type.Object({ command: CommandRecordSchema });
export const CommandList = pageOf("commands", CommandRecordSchema);

/** A command as a client sees it. */
export interface CommandRecord {
  readonly id: string;
  readonly deviceId: string;
  readonly type: CommandType;
  readonly payload: unknown;
  readonly orgId: string;
  readonly status: Command["status"];
  readonly apiKeyId: string | null;
  readonly requestedBy: string | null;
  readonly source: Command["source"];
  readonly idempotencyKey: string | null;
  readonly controllerId: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly sentAt: string | null;
  readonly processingAt: string | null;
  readonly finishedAt: string | null;
  readonly expiresAt: string;
  readonly simulated: boolean;
  readonly result: CommandResult | null;
  /** Of its amounts, where it was looked up; null where nobody knows it any more. */
  readonly currency?: string | null;
  /** Only for a document whose outcome a person has to settle, or has settled. */
  readonly resolution?: {
    readonly outcome: "printed" | "not_printed" | null;
    readonly fiscalId: string | null;
    readonly resolvedAt: string | null;
    readonly resolvedBy: string | null;
  };
}

/** The record of a command. Operator passwords in the payload are masked. */
export function toCommandRecord(command: Omit<Command, "seq">, hold?: OutcomeHold): CommandRecord {
  return {
    id: command.id,
    deviceId: command.deviceId,
    type: command.type,
    payload: maskSecrets(command.payload),
    orgId: command.orgId,
    status: command.status,
    apiKeyId: command.apiKeyId,
    requestedBy: command.requestedBy,
    source: command.source,
    idempotencyKey: command.idempotencyKey,
    controllerId: command.controllerId,
    createdAt: isoTime(command.createdAt),
    updatedAt: isoTime(command.updatedAt),
    sentAt: isoTimeOrNull(command.sentAt),
    processingAt: isoTimeOrNull(command.processingAt),
    finishedAt: isoTimeOrNull(command.finishedAt),
    expiresAt: isoTime(command.expiresAt),
    simulated: command.simulated,
    result: command.result,
    ...(hold === undefined
      ? {}
      : {
          resolution: {
            outcome: hold.outcome,
            fiscalId: hold.fiscalId,
            resolvedAt: isoTimeOrNull(hold.resolvedAt),
            resolvedBy: hold.resolvedBy,
          },
        }),
  };
}

/**
 * The record of a stored command, with the currency of its amounts and what a person has to say of
 * its outcome, or said.
 */
export function commandRecord(
  command: Command,
  stores: Pick<Stores, "audit" | "organizations" | "outcomeHolds" | "receipts">,
): CommandRecord {
  const { outcome, settledBy } = command.result?.data ?? {};
  // What was told as not printed may have been told as unknown since.
  const isAsked =
    ["unknown", "not_printed"].some((one) => one === outcome) || settledBy !== undefined;
  const hold = isAsked ? stores.outcomeHolds.get(command.orgId, command.id) : undefined;
  return { ...toCommandRecord(command, hold), currency: currencyOf(stores, command) };
}
