/** What a gateway says of a document, beside what is in the printer's fiscal memory. */

import type { ShownCommand } from "../harness/gateway.ts";
import type { BookedReceipt } from "../harness/simulator.ts";
import { type DocumentKind, ITEM_NAMES, TOTAL_MINOR } from "./documents.ts";

/** What a case came to. */
export interface Verdict {
  /** `unknown`: the gateway says that the device cannot tell. */
  readonly outcome: "printed" | "not_printed" | "unknown";
  /** The gateway found out by reading the device that the document was printed. */
  readonly recovered: boolean;
  /** Why it cannot. */
  readonly reason?: string;
  /** Somebody else was at the printer, so that there may be no telling. */
  readonly isShared: boolean;
}

export interface Facts {
  readonly command: ShownCommand;
  readonly kind: DocumentKind;
  /** What is in the fiscal memory since the command was submitted. */
  readonly receipts: readonly BookedReceipt[];
  readonly open: unknown;
  /** Other hands were at the printer: its books may have receipts of theirs, and leave doubts. */
  readonly isShared: boolean;
  /** The id that a receipt in the fiscal memory goes by. */
  readonly fiscalIdOf: (receipt: BookedReceipt) => string;
  /** Of the case. */
  readonly name: string;
}

/**
 * Compares the two.
 * @throws Error with all facts when what the gateway says is not the truth
 */
export function checkTruth(facts: Facts): Verdict {
  const { command, kind, open, name, isShared } = facts;
  const receipts = isShared ? facts.receipts.filter(isOurs) : facts.receipts;
  const fail = (reason: string): never => {
    const { receipts: booked } = facts;
    const shown = JSON.stringify({ command, receipts: booked, open }, undefined, 1);
    throw new Error(`${kind}, ${name}: ${reason}\n${shown}`);
  };
  const { result } = command;
  const outcome = result?.data?.outcome;
  const [receipt, ...more] = receipts;
  if (open !== null && !isShared) fail("a document was left open");
  if (more.length > 0) fail("printed more than once");
  // Others may have taken a discount on it, or a line back: then nobody says that it was printed.
  const mayDiffer = isShared && outcome === "unknown" && receipt?.items.every(isOurLine);
  const isAltered = receipt?.kind !== kind || receipt.total !== TOTAL_MINOR;
  if (receipt && isAltered && !mayDiffer) fail("printed something else");
  switch (command.status) {
    case "completed":
      if (receipt === undefined) return fail("reported as printed, but it was not");
      // Where somebody else was there, a number that is not proven to be ours is left out.
      if (result?.fiscalId !== facts.fiscalIdOf(receipt) && !(isShared && !result?.fiscalId)) {
        fail("reported another fiscal id");
      }
      return { outcome: "printed", recovered: result?.data?.recovered === true, isShared };
    case "failed":
      if (outcome === "unknown") {
        const reason = result?.errorMessage ?? "no reason given";
        return { outcome, recovered: false, reason, isShared };
      }
      if (outcome !== "not_printed") fail(`failed with outcome ${String(outcome)}`);
      if (receipt !== undefined) fail("reported as not printed, but it was");
      return { outcome: "not_printed", recovered: false, isShared };
    default:
      return fail(`ended as ${command.status}`);
  }
}

/** True for a receipt with a line of our document. A foreign line on it shows in its sum. */
export function isOurs({ items }: BookedReceipt): boolean {
  return items.some(isOurLine);
}

function isOurLine({ name }: BookedReceipt["items"][number]): boolean {
  return ITEM_NAMES.some((ours) => name.startsWith(ours));
}
