/** Bodies of the live routes, and how each becomes the payload of its command. */

import type { TSchema } from "@sinclair/typebox";
import { CATALOGUE, type CommandType, payloadIssues } from "#core/command/catalogue.ts";
import { WholeVatTable } from "#core/command/types/set-vat-rates.ts";
import { type ValidationIssue, validationError } from "#core/errors.ts";
import { schemaCheckOf } from "#core/schema-check.ts";

/** A command as a body asks for it. */
export interface AskedCommand {
  readonly type: CommandType;
  readonly payload: unknown;
}

export interface LiveBody {
  /** For the OpenAPI document, with an example that can be sent as it is. */
  readonly schema: TSchema;
  /** @throws ApiError VALIDATION_ERROR with paths from the body's root */
  read(body: unknown): AskedCommand;
}

/** The body is the payload. */
export function payloadBody(type: CommandType, example: object): LiveBody {
  return {
    schema: { ...CATALOGUE[type].payload, examples: [example] },
    read(body) {
      refuse(payloadIssues(type, body));
      return { type, payload: body };
    },
  };
}

/**
 * The VAT table with `exempt` in it, which devices do not program: it is whichever group has a rate
 * of zero. Where nothing else is given the table is only read.
 */
export const VAT_TABLE_BODY: LiveBody = {
  schema: {
    ...WholeVatTable,
    description: "`exempt` is the first group whose rate is zero, and is not programmed itself",
    examples: [
      {
        rates: [
          { group: "VAT2", rate: 20, enabled: true },
          { group: "exempt", rate: 0, enabled: true },
        ],
      },
    ],
  },
  read(body) {
    const table = schemaCheckOf(WholeVatTable);
    if (!table.accepts(body)) throw validationError(table.issues(body));
    refuse([...CATALOGUE.set_vat_rates.check(body), ...exemptIssues(body)]);
    const rates = body.rates
      .filter(({ group }) => group !== "exempt")
      .map(({ group, rate, enabled }) => ({ group, rate, enabled }));
    return rates.length === 0
      ? { type: "get_vat_rates", payload: {} }
      : { type: "set_vat_rates", payload: { rates } };
  },
};

function exemptIssues({ rates }: WholeVatTable): ValidationIssue[] {
  return rates.flatMap(({ group, rate }, index) =>
    group === "exempt" && rate !== 0
      ? [{ path: `rates.${index}.rate`, message: "Expected 0, which exempt means" }]
      : [],
  );
}

function refuse(issues: readonly ValidationIssue[]): void {
  if (issues.length > 0) throw validationError(issues);
}
