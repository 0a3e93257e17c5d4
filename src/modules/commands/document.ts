/**
 * How the OpenAPI document shows a submission: one shape for each command type, from the catalogue.
 * The routes themselves read type and payload first and then check the one by the other.
 */

import { type TSchema, Type } from "@sinclair/typebox";
import { CATALOGUE, COMMAND_TYPES, type CommandType } from "#core/command/catalogue.ts";
import type { CommandDefinition } from "#core/command/definition.ts";
import { IDEMPOTENCY_KEY_PATTERN } from "#core/limits.ts";
import type { BodyDocument } from "../../http/request-body.ts";

const SUBMISSION = "CommandSubmission";
const pointerTo = (name: string): string => `#/components/schemas/${name}`;

/** `print_receipt` is `PrintReceiptSubmission`. */
function schemaNameOf(type: CommandType): string {
  const words = type.split("_").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join("")}Submission`;
}

function submissionOf(type: CommandType): TSchema {
  const { summary, payload }: CommandDefinition = CATALOGUE[type];
  return Type.Object({ type: Type.Literal(type), payload }, { description: summary });
}

/** The shapes by name, and the choice among them. */
const SUBMISSIONS: Readonly<Record<string, TSchema>> = {
  [SUBMISSION]: Type.Unsafe({
    oneOf: COMMAND_TYPES.map((type) => ({ $ref: pointerTo(schemaNameOf(type)) })),
    discriminator: {
      propertyName: "type",
      mapping: Object.fromEntries(
        COMMAND_TYPES.map((type) => [type, pointerTo(schemaNameOf(type))]),
      ),
    },
  }),
  ...Object.fromEntries(COMMAND_TYPES.map((type) => [schemaNameOf(type), submissionOf(type)])),
};

/** The body where the path names the device. */
export const DeviceSubmissionDocument: BodyDocument = {
  schema: Type.Unsafe({ $ref: pointerTo(SUBMISSION) }),
  components: SUBMISSIONS,
};

/** The body that names the device. */
export const SubmissionDocument: BodyDocument = {
  schema: Type.Unsafe({
    allOf: [
      { type: "object", required: ["deviceId"], properties: { deviceId: { type: "string" } } },
      { $ref: pointerTo(SUBMISSION) },
    ],
  }),
  components: SUBMISSIONS,
};

/** The header of routes that run once for each key. */
export const IDEMPOTENCY_HEADER = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  schema: {
    type: "string",
    pattern: IDEMPOTENCY_KEY_PATTERN,
    description:
      "The first answer to a key is kept for 24 hours and given again with Idempotent-Replayed: " +
      "true, beside Idempotency-Body-Mismatch: true where the body differs",
  },
} as const;
