/** A device of short frames that counts its receipts when it closes them, over one that does before. */

import type { Line } from "#core/driver.ts";
import type { ReplyFrame } from "../frame.ts";
import { changedReplies } from "./changed-replies.ts";

const LAST_DOCUMENT = 113;
/** Bit 2.3: a fiscal receipt is open. */
const RECEIPT_OPEN = 0x08;

/** The same answer with the number of the document before, while a receipt is open. */
export function countedWhenClosed(reply: ReplyFrame): ReplyFrame {
  const isOpen = ((reply.status[2] ?? 0) & RECEIPT_OPEN) !== 0;
  if (reply.command !== LAST_DOCUMENT || !isOpen) return reply;
  const digits = Buffer.from(reply.data).toString("latin1");
  const number = String(Number(digits) - 1).padStart(digits.length, "0");
  return { ...reply, data: Buffer.from(number) };
}

/** What to put over a device's line. */
export const countingWhenClosed: (line: Line) => Line = changedReplies({
  generation: "short",
  change: countedWhenClosed,
});
