/**
 * The status bytes of a simulated device.
 * Sources: Datecs FP-700X protocol manual 2.02 (X), FP-800/FP-2000 protocol manual 1.00BG (P),
 * DP-25/DP-35 protocol manual 2.04BG (C), and those named in `makers.ts`.
 */

import { isMemoryFull, zRecordsLeft } from "../../simulator/books/books.ts";
import type { DeviceMemory } from "../../simulator/books/memory.ts";
import type { Refusal } from "../../simulator/books/refusal.ts";
import { STATUS_BYTES } from "../frame.ts";
import { refusalBits } from "./refusal-codes.ts";
import type { IslTraits } from "./traits.ts";

const BASE = 0x80;
/** Byte 0. */
const CLOCK_NOT_SET = 0x04;
const GENERAL_ERROR = 0x20;
const COVER_OPEN = 0x40;
/** Byte 1. */
const STORNO_OPEN = 0x10;
/** Byte 2. */
const PAPER_OUT = 0x01;
const PAPER_LOW = 0x02;
const JOURNAL_FULL = 0x04;
const FISCAL_OPEN = 0x08;
const JOURNAL_LOW = 0x10;
const SERVICE_OPEN = 0x20;
/** Byte 4. */
const MEMORY_ACCESS = 0x01;
const MEMORY_LOW = 0x08;
const MEMORY_FULL = 0x10;
const MEMORY_ERROR = 0x20;

const JOURNAL_LOW_SHARE = 0.95;
const NO_BITS = { byte0: 0, byte1: 0 };

/** The status bytes as of now, with what a refused command adds to them. */
export function statusBytes(
  memory: DeviceMemory,
  model: IslTraits,
  refusal: Refusal | undefined,
): Uint8Array {
  const bytes = new Uint8Array(STATUS_BYTES[model.generation]).fill(BASE);
  const numbered = refusal && model.refusalNumbers[refusal.refused];
  const bits = model.isWarned ? NO_BITS : refusalBits(refusal);
  const paper = paperBits(memory, model);
  const memoryBits = fiscalMemoryBits(memory);
  const failed = refusal !== undefined || (paper & PAPER_OUT) !== 0;
  const { byte0, byte4, byte5 } = model.status.inService;
  bytes[0] =
    BASE | byte0 | bits.byte0 | conditionBits(memory, model) | (failed ? GENERAL_ERROR : 0);
  bytes[1] =
    BASE |
    (model.isWarned ? 0 : (numbered?.byte1 ?? bits.byte1)) |
    (model.status.stornoOpen && isStornoOpen(memory) ? STORNO_OPEN : 0);
  bytes[2] = BASE | paper | journalBits(memory, model) | openBits(memory);
  bytes[3] = BASE | (numbered?.number ?? 0);
  bytes[4] = BASE | byte4 | memoryBits;
  bytes[5] = BASE | byte5;
  if (model.isWarned) warn(bytes, model);
  return bytes;
}

function warn(bytes: Uint8Array, { warnings }: IslTraits): void {
  for (const { byte, bit, setsGeneralError } of warnings) {
    bytes[byte] = (bytes[byte] ?? BASE) | (1 << bit);
    if (setsGeneralError) bytes[0] = (bytes[0] ?? BASE) | GENERAL_ERROR;
  }
}

function conditionBits({ books }: DeviceMemory, { status }: IslTraits): number {
  const { clockLost, cover } = books.conditions;
  return (
    (status.clock && clockLost ? CLOCK_NOT_SET : 0) |
    (status.cover && cover === "open" ? COVER_OPEN : 0)
  );
}

function paperBits({ books }: DeviceMemory, { status }: IslTraits): number {
  const { paper, cover } = books.conditions;
  if (paper === "out" || (cover === "open" && !status.cover)) return PAPER_OUT;
  return paper === "low" && status.paperLow ? PAPER_LOW : 0;
}

function journalBits({ books, model }: DeviceMemory, { status }: IslTraits): number {
  if (!status.journal) return 0;
  if (books.documentNumber >= model.documentsMax) return JOURNAL_FULL | JOURNAL_LOW;
  return books.documentNumber >= model.documentsMax * JOURNAL_LOW_SHARE ? JOURNAL_LOW : 0;
}

function openBits({ books }: DeviceMemory): number {
  if (!books.open) return 0;
  return books.open.open === "receipt" ? FISCAL_OPEN : SERVICE_OPEN;
}

function isStornoOpen({ books }: DeviceMemory): boolean {
  return books.open?.open === "receipt" && books.open.head.kind === "storno";
}

function fiscalMemoryBits({ books, model }: DeviceMemory): number {
  if (books.conditions.broken) return MEMORY_ACCESS | MEMORY_ERROR;
  if (isMemoryFull(books, model)) return MEMORY_LOW | MEMORY_FULL | MEMORY_ERROR;
  const low =
    books.conditions.memory === "near_full" || zRecordsLeft(books, model) < model.zRecordsLow;
  return low ? MEMORY_LOW : 0;
}
