/** What may be said of each fault of a simulated printer. */

import { type Static, type TProperties, Type } from "@sinclair/typebox";
import {
  CLOCK_SHIFT_MS_MAX,
  DEED_AMOUNT_MINOR_MAX,
  DEEDS,
  FAULT_AT_MAX,
  FAULT_FRAMES_MAX,
  FAULT_KINDS,
  FAULT_MS_MAX,
  type FaultKind,
} from "#core/device/simulated-faults.ts";
import type { ValidationIssue } from "#core/errors.ts";
import { schemaCheckOf } from "#core/schema-check.ts";
import { oneOf } from "#core/schema-parts.ts";

const integer = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum });

const When = Type.Optional(oneOf(["before", "after"]));
const Count = Type.Optional(integer(1, FAULT_FRAMES_MAX));
const Lasting = Type.Optional(integer(0, FAULT_MS_MAX));

/** The fields of each kind besides `kind` and `at`. */
const FIELDS = {
  paper_out: { mode: Type.Optional(oneOf(["refused", "registered"])) },
  paper_low: {},
  cover_open: {},
  fiscal_memory_full: {},
  fiscal_memory_near_full: {},
  hardware_error: {},
  day_over: {},
  clock: { shiftMs: integer(-CLOCK_SHIFT_MS_MAX, CLOCK_SHIFT_MS_MAX) },
  clock_lost: {},
  drop_before: {},
  drop_after: {},
  garble: {},
  delay: { ms: integer(1, FAULT_MS_MAX), busy: Type.Optional(Type.Boolean()) },
  refuse: {},
  deny: {},
  silent: { count: Count },
  silent_after: { count: Count },
  hold: { count: Count },
  power_loss: { when: When, offMs: Lasting },
  unplug: { when: When, ms: Lasting },
  other_hands: {
    when: When,
    deed: Type.Optional(oneOf(DEEDS)),
    amountMinor: Type.Optional(integer(1, DEED_AMOUNT_MINOR_MAX)),
  },
} as const satisfies Record<FaultKind, TProperties>;

const schemaOf = <Kind extends FaultKind>(kind: Kind) =>
  Type.Object({
    kind: Type.Literal(kind),
    at: Type.Optional(
      Type.Integer({
        ...{ minimum: 1, maximum: FAULT_AT_MAX },
        description:
          "The frame that it strikes, counted from the next one as 1. Without it a lasting " +
          "condition, `unplug` and `other_hands` act at once, any other fault at the next frame",
      }),
    ),
    ...FIELDS[kind],
  });

const SCHEMAS = new Map(FAULT_KINDS.map((kind) => [kind, schemaOf(kind)]));

/** A fault as the API takes it: a schema for each kind. */
export const FaultBody = Type.Union([...SCHEMAS.values()], { examples: [{ kind: "paper_out" }] });

/** A request whose kind is known; the rest is looked at by its kind. */
export const AnyFaultBody = Type.Object({ kind: oneOf(FAULT_KINDS) });
export type AskedFault = Static<typeof AnyFaultBody>;

/** A fault as it goes to the printer. */
export type FaultRequest = Readonly<Record<string, unknown>>;

/** The fields that belong to a fault of its kind, or what is wrong with them. */
export function readFault(
  given: AskedFault,
): { readonly fault: FaultRequest } | { readonly issues: readonly ValidationIssue[] } {
  const schema = SCHEMAS.get(given.kind);
  if (schema === undefined) throw new Error(`a kind without a schema: ${given.kind}`);
  const fields = Object.entries(given).filter(([name]) => name in schema.properties);
  const fault = Object.fromEntries(fields);
  const check = schemaCheckOf(schema);
  return check.accepts(fault) ? { fault } : { issues: check.issues(fault) };
}
