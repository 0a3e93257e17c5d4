/** How printers answer the question for their last document. */

import type { Command } from "#core/command/command.ts";
import { reachedNumber, toldDocument } from "./known-documents.ts";

/**
 * `told`: it has. `cannot tell`: it knows no such question, or names nothing that can be compared.
 * `refused`: it would not, as it stands, as with a receipt open, or what it said makes no sense. `none`:
 * nobody has told anything; also while it lacks paper or its cover is open, when it prints nothing either.
 */
export type Heard = "told" | "cannot tell" | "refused" | "none";

const CANNOT_TELL = "E201";
const NOT_REACHED = /^(E[15]|E90[013]$|E30[67]$)/;

/** @param result of the question */
export function heardAs(result: Command["result"]): Heard {
  if (result?.success) {
    const told = toldDocument(result);
    return told === undefined || reachedNumber(told) === undefined ? "cannot tell" : "told";
  }
  const code = result?.errorCode;
  if (code === CANNOT_TELL) return "cannot tell";
  return code === undefined || NOT_REACHED.test(code) ? "none" : "refused";
}

/** Of which something is learned: a printer that refused is asked again, but not for ever. */
export type LastWord = Exclude<Heard, "refused" | "none"> | "will not tell";

/** What is made of an answer. */
export type Taken = LastWord | "not now";
