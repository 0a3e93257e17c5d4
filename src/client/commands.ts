// SPDX-License-Identifier: Apache-2.0
/** What a till submits and what comes of it, as the API's own types have it. */

import type { components, paths } from "./api-types.ts";

type Schemas = components["schemas"];

/** A command as the gateway shows it. */
export type Command = Schemas["Command"];

export type CommandType = Schemas["CommandSubmission"]["type"];

/** What a command of this type is given. */
export type Payload<Type extends CommandType> = Extract<
  Schemas["CommandSubmission"],
  { type: Type }
>["payload"];

/** What a completed command of this type answers, in `result.data`. */
export type ResultData<Type extends CommandType> = Schemas[`${Pascal<Type>}Result` & keyof Schemas];

/** `print_receipt` is `PrintReceipt`. */
type Pascal<Name extends string> = Name extends `${infer Word}_${infer Rest}`
  ? `${Capitalize<Word>}${Pascal<Rest>}`
  : Capitalize<Name>;

/**
 * The types that print a fiscal document, move cash or close the day: each once, and nobody may
 * blindly do them again.
 */
export const FISCAL_TYPES = [
  "print_receipt",
  "print_reversal_receipt",
  "void_receipt",
  "cash_in",
  "cash_out",
  "z_report",
] as const satisfies readonly CommandType[];

export type FiscalType = (typeof FISCAL_TYPES)[number];

type StornoBody = NonNullable<
  paths["/api/v1/receipts/{receiptId}/storno"]["post"]["requestBody"]
>["content"]["application/json"];

/** What is to happen once. */
interface Once {
  /**
   * Chosen by the till, one for each thing that is to happen once: 1 to 128 of `A-Z`, `a-z`,
   * `0-9`, `_` and `-`. All tills of a shop share them, so name the till: `till1-sale-1001`.
   * Whatever is sent again under the same key within 24 hours is done once.
   */
  readonly key: string;
}

/** A sale that is taken back, all of it or a part. */
export interface Reversal extends Once, Readonly<StornoBody> {
  /** Of the sale, as the gateway has it. */
  readonly receiptId: string;
}

/** A command to submit. */
export type Order<Type extends CommandType = CommandType> = Type extends CommandType
  ? Once & {
      readonly deviceId: string;
      readonly type: Type;
      readonly payload: Payload<Type>;
    }
  : never;

/** True once nothing changes the command any more, but for what a person says of its outcome. */
export function isFinal({ status }: Pick<Command, "status">): boolean {
  return status === "completed" || status === "failed" || status === "timeout";
}
