/**
 * The status bytes of a simulated device.
 * Source: Tremol protocol description, Bulgaria, rev. 1910211454.
 */

import { isMemoryFull, zRecordsLeft } from "../../simulator/books/books.ts";
import type { DeviceMemory } from "../../simulator/books/memory.ts";

const BASE = 0x80;
/** Byte 0. */
const POWER_LOST = 0x02;
const CLOCK_NOT_SET = 0x08;
/** Byte 1. */
const PAPER_OUT = 0x01;
const DAY_OPEN = 0x08;
const OPERATORS_SOLD = 0x20;
const DUPLICATED = 0x40;
/** Byte 2. */
const SERVICE_OPEN = 0x01;
const FISCAL_OPEN = 0x02;
const DETAILED_WITH_VAT = 0x0c;
const JOURNAL_LOW = 0x20;
const JOURNAL_FULL = 0x40;
/** Byte 3. */
const MEMORY_FAULT = 0x02;
const MEMORY_FULL = 0x04;
const MEMORY_LOW = 0x08;
/** Fractions of a currency unit, fiscalized, memory produced. */
const IN_SERVICE = 0x70;
/** Byte 6. */
const PAPER_LOW = 0x10;

const JOURNAL_LOW_SHARE = 0.95;

/** The seven bytes as of now. */
export function statusBytes({ books, model }: DeviceMemory, powerLost: boolean): Uint8Array {
  const { conditions, day, open, documentNumber } = books;
  const noPaper = conditions.paper === "out" || (conditions.cover === "open" && !model.coverSensor);
  const isLow = conditions.memory === "near_full" || zRecordsLeft(books, model) < model.zRecordsLow;
  const isJournalLow = documentNumber >= model.documentsMax * JOURNAL_LOW_SHARE;
  const isJournalFull = documentNumber >= model.documentsMax;
  return Uint8Array.of(
    BASE | (powerLost ? POWER_LOST : 0) | (conditions.clockLost ? CLOCK_NOT_SET : 0),
    BASE |
      (noPaper ? PAPER_OUT : 0) |
      (day.openedAt === null ? 0 : DAY_OPEN) |
      (Object.keys(books.operatorTotals ?? {}).length > 0 ? OPERATORS_SOLD : 0) |
      (books.lastReceiptDuplicated ? DUPLICATED : 0),
    BASE |
      (open?.open === "service" ? SERVICE_OPEN : 0) |
      (open?.open === "receipt" ? FISCAL_OPEN | DETAILED_WITH_VAT : 0) |
      (isJournalLow ? JOURNAL_LOW : 0) |
      (isJournalFull ? JOURNAL_FULL : 0),
    BASE |
      IN_SERVICE |
      (conditions.broken ? MEMORY_FAULT : 0) |
      (isMemoryFull(books, model) ? MEMORY_FULL : 0) |
      (isLow ? MEMORY_LOW : 0),
    BASE,
    BASE,
    BASE | (conditions.paper === "low" ? PAPER_LOW : 0),
  );
}
