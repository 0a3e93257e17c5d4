/**
 * How the OpenAPI document shows commands: what is submitted and what comes of it, one shape for
 * each command type, from the catalogue. The routes themselves read type and payload first and
 * then check the one by the other.
 */

import { type TSchema, Type } from "@sinclair/typebox";
import { CATALOGUE, COMMAND_TYPES, type CommandType } from "#core/command/catalogue.ts";
import { OUTCOMES } from "#core/command/command.ts";
import { COMMAND_CATEGORIES, type CommandDefinition } from "#core/command/definition.ts";
import { DoubtSchema } from "#core/command/doubt.ts";
import { FISCAL_ERRORS } from "#core/errors.ts";
import { PAYLOAD_BYTES_MAX, PAYLOAD_DEPTH_MAX } from "#core/limits.ts";
import type { BodyDocument } from "../../http/request-body.ts";

const SUBMISSION = "CommandSubmission";
const FAILED_DATA = "FailedCommandData";
const referTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** `print_receipt` as a `Submission` is `PrintReceiptSubmission`. */
function schemaNameOf(type: CommandType, role: "Submission" | "Result"): string {
  const words = type.split("_").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join("")}${role}`;
}

function submissionOf(type: CommandType): TSchema {
  const { summary, payload }: CommandDefinition = CATALOGUE[type];
  return Type.Object({ type: Type.Literal(type), payload }, { description: summary });
}

function resultOf(type: CommandType): TSchema {
  const { result }: CommandDefinition = CATALOGUE[type];
  return {
    ...result,
    description:
      `\`result.data\` of a completed \`${type}\`. ` +
      "Null stands for what the protocol of the device does not tell",
  };
}

/** A line for each category with the types in it. */
function typesByCategory(): string {
  return COMMAND_CATEGORIES.map((category) => {
    const types = COMMAND_TYPES.filter((type) => CATALOGUE[type].category === category);
    return `- ${category}: ${types.map((type) => `\`${type}\``).join(", ")}`;
  }).join("\n");
}

/** What holds for each payload, whatever its type. */
const PAYLOAD_BOUNDS =
  `A payload has at most ${PAYLOAD_BYTES_MAX / 1_024} KiB as JSON, but for one with a logo, ` +
  `and ${PAYLOAD_DEPTH_MAX} levels. Texts hold neither U+0000 nor half a surrogate pair`;

const FailedData = Type.Object({
  outcome: Type.Optional(
    Type.Union(
      OUTCOMES.map((outcome) => Type.Literal(outcome)),
      {
        description:
          "Fiscal documents, cash movements and Z reports: whether it stands on the device. " +
          "Only what is `not_printed` may be submitted anew. What failed and is `printed` is of 0.1.0: " +
          "it is `completed` since",
      },
    ),
  ),
  doubt: Type.Optional(DoubtSchema),
  deviceError: Type.Optional(
    Type.Object(
      { code: Type.String(), message: Type.String() },
      { description: "The device's own words" },
    ),
  ),
});

/** The shapes by name, and the choice among them. */
const COMPONENTS: Readonly<Record<string, TSchema>> = {
  [SUBMISSION]: Type.Unsafe({
    description: `${typesByCategory()}\n\n${PAYLOAD_BOUNDS}`,
    oneOf: COMMAND_TYPES.map((type) => referTo(schemaNameOf(type, "Submission"))),
    discriminator: {
      propertyName: "type",
      mapping: Object.fromEntries(
        COMMAND_TYPES.map((type) => [type, referTo(schemaNameOf(type, "Submission")).$ref]),
      ),
    },
  }),
  [FAILED_DATA]: FailedData,
  ...Object.fromEntries(
    COMMAND_TYPES.flatMap((type) => [
      [schemaNameOf(type, "Submission"), submissionOf(type)],
      [schemaNameOf(type, "Result"), resultOf(type)],
    ]),
  ),
};

/** `result.data` of a command. */
export const ResultDataDocument = Type.Unsafe<Record<string, unknown>>({
  description:
    `Once completed: the result of the command's type, as ${schemaNameOf("print_receipt", "Result")}, ` +
    "and `recovered: true` where the answer was lost and the device was asked later. " +
    `Failed or timed out: ${FAILED_DATA}`,
  anyOf: [...COMMAND_TYPES.map((type) => schemaNameOf(type, "Result")), FAILED_DATA].map(referTo),
});

/** `result.errorCode` of a command: each code with its name. */
export const ErrorCodeDocument = Type.Unsafe<string>({
  type: "string",
  enum: Object.keys(FISCAL_ERRORS),
  description: [
    "What each means for the sale, and what to do: /docs/errors.html#e306 and so on.\n",
    ...Object.entries(FISCAL_ERRORS).map(
      ([code, { name, retryable }]) => `- ${code} ${name}${retryable ? ", retryable" : ""}`,
    ),
  ].join("\n"),
});

/** A sale that every driver prints once the number is its device's. */
const SALE_EXAMPLE = {
  type: "print_receipt",
  payload: {
    uniqueSaleNumber: "DT000600-0001-0000001",
    items: [
      { name: "Coffee", quantity: 2, price: 1.5, vatGroup: "VAT2" },
      { name: "Oranges", quantity: 1.254, price: 8.99, vatGroup: "VAT2" },
    ],
    payments: [
      { method: "card", amount: 10 },
      { method: "cash", amount: 4.27 },
    ],
  },
};

/** The body where the path names the device. */
export const DeviceSubmissionDocument: BodyDocument = {
  schema: Type.Unsafe({ ...referTo(SUBMISSION), examples: [SALE_EXAMPLE] }),
  components: COMPONENTS,
};

/** The body that names the device. */
export const SubmissionDocument: BodyDocument = {
  schema: Type.Unsafe({
    allOf: [
      {
        type: "object",
        required: ["deviceId"],
        properties: { deviceId: { type: "string", minLength: 1 } },
      },
      referTo(SUBMISSION),
    ],
    examples: [{ deviceId: "dev_01M7XBC7BKJTTK1BYJEVYS1RPR", ...SALE_EXAMPLE }],
  }),
  components: COMPONENTS,
};
