/** What the catalogue says of one command type. */

import type { TSchema } from "@sinclair/typebox";
import type { ValidationIssue } from "../errors.ts";

/**
 * What a command may leave behind, which decides how it is guarded:
 * - `none`: it only reads, and may be sent again freely;
 * - `device`: it changes a setting or prints something without fiscal meaning;
 * - `ledger`: it changes sums or closes the day, once;
 * - `document`: it prints a fiscal document, once.
 */
export type CommandEffect = "none" | "device" | "ledger" | "document";

export interface CommandDefinition {
  readonly type: string;
  readonly category: "receipts" | "reports" | "cash" | "configuration" | "diagnostics" | "raw";
  readonly effect: CommandEffect;
  /** One sentence for the API document. */
  readonly summary: string;
  /** Schema of the JSON payload. */
  readonly payload: TSchema;
  /**
   * Rules that a schema cannot say, on a payload that matches the schema.
   * @returns faults with paths from the payload's root
   */
  readonly check?: (payload: never) => readonly ValidationIssue[];
}
