// SPDX-License-Identifier: Apache-2.0
/** What became of a fiscal command, in the four words that a till has to tell apart. */

import { type Command, type FiscalType, isFinal, type ResultData } from "./commands.ts";

/** What became of it, and what the till does then. */
export type Outcome<Type extends FiscalType = FiscalType> =
  | {
      /** It stands on the paper and in the device. The till keeps the `fiscalId`. */
      readonly outcome: "printed";
      /** The device's number of the document, where it has one and tells it. */
      readonly fiscalId: string | undefined;
      /** Less than all of it where a person said that it was printed. */
      readonly data: Partial<ResultData<Type>>;
      readonly command: Command;
    }
  | {
      /** Certainly not. The till mends the cause and submits it anew, under a new key. */
      readonly outcome: "not_printed";
      readonly errorCode: string;
      /** For people. */
      readonly errorMessage: string;
      readonly command: Command;
    }
  | {
      /**
       * Nobody knows. A person looks at the paper, and the till sends what they say to
       * `POST /commands/{commandId}/resolve`; until then the device prints nothing further.
       */
      readonly outcome: "unknown";
      readonly errorCode: string;
      readonly errorMessage: string;
      readonly command: Command;
    }
  | {
      /** Not ended while the till waited. It asks again, under the same key. */
      readonly outcome: "under_way";
      readonly command: Command;
    };

/** Reads the outcome of a command of this type. */
export function outcomeOf<Type extends FiscalType>(command: Command): Outcome<Type> {
  if (!isFinal(command)) return { outcome: "under_way", command };
  const { result, resolution } = command;
  const outcome = wordOf(command);
  if (outcome === "printed") {
    const fiscalId = resolution?.fiscalId ?? result?.fiscalId;
    // Which of the results it is follows from the command's type.
    const data = (command.status === "completed" ? result?.data : undefined) ?? {};
    return { outcome, fiscalId, data: data as Partial<ResultData<Type>>, command };
  }
  const { errorCode = "E900", errorMessage = "" } = result ?? {};
  return { outcome, errorCode, errorMessage, command };
}

/** A person's word goes before the device's; where neither says a thing, nobody knows. */
function wordOf({ status, result, resolution }: Command): "printed" | "not_printed" | "unknown" {
  if (resolution !== undefined) return resolution.outcome ?? "unknown";
  if (status === "completed") return "printed";
  const data = result?.data;
  return data !== undefined && "outcome" in data && isWord(data.outcome) ? data.outcome : "unknown";
}

function isWord(value: unknown): value is "printed" | "not_printed" | "unknown" {
  return value === "printed" || value === "not_printed" || value === "unknown";
}
