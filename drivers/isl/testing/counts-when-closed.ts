/** A device of short frames that counts its receipts when it closes them, over one that does before. */

import type { Line } from "#core/driver.ts";
import type { ReplyFrame } from "../frame.ts";
import { changedReplies } from "./changed-replies.ts";

const LAST_DOCUMENT = 113;
const CANCEL = 60;
/** Bit 2.3: a fiscal receipt is open. */
const RECEIPT_OPEN = 0x08;

/** The same answer with the number of the document before, while a receipt is open. */
export function countedWhenClosed(reply: ReplyFrame): ReplyFrame {
  if (reply.command !== LAST_DOCUMENT || !isOpen(reply)) return reply;
  return countedLess(reply, 1);
}

function countedLess(reply: ReplyFrame, by: number): ReplyFrame {
  const digits = Buffer.from(reply.data).toString("latin1");
  const number = String(Number(digits) - by).padStart(digits.length, "0");
  return { ...reply, data: Buffer.from(number) };
}

/** The answers of one device that also gives no number to what is cancelled over its line. */
export function countingNoneCancelled(): (line: Line) => Line {
  let cancelled = 0;
  return changedReplies({
    generation: "short",
    change: (reply) => {
      if (reply.command === CANCEL && !isOpen(reply)) cancelled += 1;
      return reply.command === LAST_DOCUMENT
        ? countedLess(countedWhenClosed(reply), cancelled)
        : reply;
    },
  });
}

function isOpen({ status }: ReplyFrame): boolean {
  return ((status[2] ?? 0) & RECEIPT_OPEN) !== 0;
}

/** What to put over a device's line. */
export const countingWhenClosed: (line: Line) => Line = changedReplies({
  generation: "short",
  change: countedWhenClosed,
});
