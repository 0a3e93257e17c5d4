/**
 * What the catalogue says of one command type: its file in `types/` teaches it whole. How one is
 * added: drivers/README.md.
 */

import type { TObject, TSchema } from "@sinclair/typebox";
import type { ValidationIssue } from "../errors.ts";

/**
 * What a command may leave behind, which decides how it is guarded:
 * - `none`: it only reads, and may be sent again freely;
 * - `device`: it changes a setting or prints something without fiscal meaning;
 * - `ledger`: it changes sums or closes the day, once;
 * - `document`: it prints a fiscal document, once.
 */
export type CommandEffect = "none" | "device" | "ledger" | "document";

/** The groups in which the API document shows the command types. */
export const COMMAND_CATEGORIES = [
  "receipts",
  "reports",
  "cash",
  "configuration",
  "diagnostics",
  "raw",
] as const;
export type CommandCategory = (typeof COMMAND_CATEGORIES)[number];

/** What the gateway knows of a command, whatever is told of it. */
export interface AskedCommand {
  /** As it was checked. */
  readonly payload: unknown;
  /** ISO 4217 code of the shop's; null where that is not known. */
  readonly currency: string | null;
}

export interface CommandDefinition {
  readonly category: CommandCategory;
  readonly effect: CommandEffect;
  /**
   * It has no fiscal effect of its own, but prints beside a receipt that stands open, or ends it:
   * while a person is asked about such a receipt it waits like a document.
   */
  readonly waitsForPerson?: true;
  /** One sentence for the API document. */
  readonly summary: string;
  /** Schema of the JSON payload. */
  readonly payload: TSchema;
  /** Bytes of the payload as JSON; `PAYLOAD_BYTES_MAX` unless given. */
  readonly payloadBytesMax?: number;
  /** Schema of `result.data` of a completed command. */
  readonly result: TObject;
  /**
   * What stands for fields of the result that a controller leaves out, or tells wrong, where that is not
   * null: what the gateway knows itself, or an empty one.
   */
  readonly leftOut?: (asked: AskedCommand) => Readonly<Record<string, unknown>>;
  /**
   * Rules that a schema cannot say, on a payload that matches the schema.
   * @returns faults with paths from the payload's root
   */
  readonly check?: (payload: never) => readonly ValidationIssue[];
}
