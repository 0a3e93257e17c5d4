/** What a completed command's `result.data` becomes in the answer of a live route. */

import { type Static, type TObject, type TSchema, Type } from "@sinclair/typebox";
import { CATALOGUE } from "#core/command/catalogue.ts";
import type { Command } from "#core/command/command.ts";
import { ApiError } from "#core/errors.ts";
import { isoTime } from "#core/iso-time.ts";
import { schemaCheckOf } from "#core/schema-check.ts";
import { orNull } from "#core/schema-parts.ts";
import { statedOnly } from "#core/stated-data.ts";

/** The fields of an answer besides the device's id and the time. */
export interface LiveAnswer {
  readonly schema: TObject;
  /** @throws ApiError INTERNAL_ERROR when a read has brought nothing to answer with */
  fields(command: Command, reportOf: ReportOf): object;
}

/** What a completed `x_report` or `z_report` has left as clients see it; undefined when nothing. */
export type ReportOf = (command: Command) => object | undefined;

/** The result itself, of which nothing is left out that the schema names, and the rest is. */
export function resultAnswer(result: TObject): LiveAnswer {
  return { schema: result, fields: (command) => required(result, command) };
}

/** What the device can do, under a name of its own. */
export function capabilitiesAnswer(capabilities: TObject): LiveAnswer {
  return {
    schema: Type.Object({ capabilities }),
    fields: (command) => ({ capabilities: required(capabilities, command) }),
  };
}

/** It was done. */
export function doneAnswer(message: string): LiveAnswer {
  return {
    schema: Type.Object({ success: Type.Literal(true), message: Type.String() }),
    fields: () => ({ success: true, message }),
  };
}

const SetDatetimeAnswer = Type.Object({
  success: Type.Literal(true),
  datetime: Type.String({
    description: "What the clock was set to. UTC where the device's answer is known",
  }),
});

export const DATETIME_ANSWER: LiveAnswer = {
  schema: SetDatetimeAnswer,
  fields(command) {
    const known = told(CATALOGUE.set_datetime.result, command)?.dateTime;
    return { success: true, datetime: known ?? wantedTime(command) };
  },
};

const ReversalAnswer = Type.Object({
  success: Type.Literal(true),
  message: Type.String(),
  receiptNumber: Type.Optional(
    Type.String({ description: "Of the printed reversal, where the device tells it" }),
  ),
});

/** Whatever else the device tells of it, or does not. */
const PrintedNumber = Type.Pick(CATALOGUE.print_reversal_receipt.result, ["receiptNumber"]);

export const REVERSAL_ANSWER: LiveAnswer = {
  schema: ReversalAnswer,
  fields(command) {
    const printed = told(PrintedNumber, command)?.receiptNumber;
    const receiptNumber = printed ?? command.result?.fiscalId;
    const number = receiptNumber === undefined ? {} : { receiptNumber };
    return { success: true, message: "The reversal was printed", ...number };
  },
};

/**
 * As the device told it, else as it is stored. It was made and may have closed the day, so that it is
 * answered even where nothing is known of it.
 */
export const REPORT_ANSWER: LiveAnswer = {
  schema: Type.Object({ report: orNull(CATALOGUE.z_report.result) }),
  fields(command, reportOf) {
    const { result } = CATALOGUE.z_report;
    return { report: told(result, command) ?? stated(result, reportOf(command)) ?? null };
  },
};

/** The value that a controller's result holds, without what its schema does not name. */
function told<Schema extends TSchema>(
  schema: Schema,
  command: Command,
): Static<Schema> | undefined {
  return stated(schema, command.result?.data);
}

function stated<Schema extends TSchema>(
  schema: Schema,
  value: unknown,
): Static<Schema> | undefined {
  const data = statedOnly(schema, value);
  return schemaCheckOf(schema).accepts(data) ? data : undefined;
}

function required<Schema extends TObject>(schema: Schema, command: Command): object {
  const data: unknown = told(schema, command);
  if (typeof data === "object" && data !== null) return data;
  const message = "The device answered without what was asked for";
  throw new ApiError("INTERNAL_ERROR", message, { commandId: command.id });
}

/** The time that was asked for; without one the device was set when the command ran. */
function wantedTime({ payload, finishedAt, updatedAt }: Command): string {
  const asked: unknown = payload;
  return schemaCheckOf(CATALOGUE.set_datetime.payload).accepts(asked) && asked.datetime
    ? asked.datetime
    : isoTime(finishedAt ?? updatedAt);
}
