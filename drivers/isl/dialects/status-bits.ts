/**
 * Status bits of the family.
 * Sources: Datecs FP-700X protocol manual 2.02 (X), Datecs FP-800/FP-2000 protocol manual 1.00BG
 * (P), Datecs DP-25/DP-35 protocol manual 2.04BG (C), Daisy protocol manual 1.0 of 2019 (DY),
 * Eltrade protocol manuals 1.0.9 and 1.1.6 (ED), Incotex protocol manual of 20 February 2019 (IN),
 * each "Status bytes". Which rows feed a summary is what these mark with # and *. UNCONFIRMED on a
 * device.
 */

import type { StatusBit, StatusTable } from "../status.ts";

const SYNTAX = {
  byte: 0,
  bit: 0,
  text: "syntax error",
  error: "E305",
  effect: "refuses",
  summary: "general",
} as const;
const UNKNOWN_COMMAND = {
  byte: 0,
  bit: 1,
  text: "invalid command",
  error: "E201",
  effect: "refuses",
  summary: "general",
} as const;
const CLOCK = {
  byte: 0,
  bit: 2,
  text: "clock not set",
  error: "E305",
  effect: "warns",
  flag: "clock_not_set",
} as const;
const MECHANISM = {
  byte: 0,
  bit: 4,
  text: "printing mechanism",
  error: "E304",
  effect: "blocks",
  summary: "general",
} as const;
const GENERAL = {
  byte: 0,
  bit: 5,
  text: "general error",
  error: "E305",
  effect: "sums_up",
  summary: "general",
} as const;
const COVER = {
  byte: 0,
  bit: 6,
  text: "cover open",
  error: "E307",
  flag: "cover_open",
  effect: "blocks",
} as const;
const OVERFLOW = {
  byte: 1,
  bit: 0,
  text: "field overflow",
  error: "E305",
  effect: "refuses",
  summary: "general",
} as const;
const NOT_PERMITTED = {
  byte: 1,
  bit: 1,
  text: "not permitted now",
  error: "E305",
  effect: "refuses",
  summary: "general",
  notPermitted: true,
} as const;
const PAPER_OUT = {
  byte: 2,
  bit: 0,
  text: "no paper",
  error: "E306",
  flag: "paper_out",
  effect: "blocks",
  summary: "general",
} as const;
const PAPER_LOW = { byte: 2, bit: 1, text: "paper low", flag: "paper_low" } as const;
const JOURNAL_FULL = {
  byte: 2,
  bit: 2,
  text: "electronic journal full",
  error: "E304",
  effect: "warns",
} as const;
const FISCAL_OPEN = {
  byte: 2,
  bit: 3,
  text: "fiscal receipt open",
  flag: "fiscal_receipt_open",
} as const;
const NON_FISCAL_OPEN = {
  byte: 2,
  bit: 5,
  text: "non-fiscal receipt open",
  flag: "non_fiscal_receipt_open",
} as const;
const MEMORY_ACCESS = {
  byte: 4,
  bit: 0,
  text: "fiscal memory access",
  error: "E304",
  effect: "blocks",
  summary: "memory",
} as const;
const MEMORY_NEAR_FULL = {
  byte: 4,
  bit: 3,
  text: "fiscal memory nearly full",
  flag: "fiscal_memory_near_full",
} as const;
const MEMORY_FULL = {
  byte: 4,
  bit: 4,
  text: "fiscal memory full",
  error: "E300",
  flag: "fiscal_memory_full",
  effect: "blocks",
  summary: "memory",
} as const;
const MEMORY_ERROR = {
  byte: 4,
  bit: 5,
  text: "fiscal memory error",
  error: "E304",
  effect: "sums_up",
  summary: "memory",
} as const;
const FISCALIZED = { byte: 5, bit: 3, text: "fiscalized", flag: "fiscalized" } as const;

const EVERYWHERE: readonly StatusBit[] = [
  SYNTAX,
  UNKNOWN_COMMAND,
  CLOCK,
  GENERAL,
  OVERFLOW,
  NOT_PERMITTED,
  PAPER_OUT,
  FISCAL_OPEN,
  NON_FISCAL_OPEN,
  MEMORY_ACCESS,
  MEMORY_NEAR_FULL,
  MEMORY_FULL,
  MEMORY_ERROR,
  FISCALIZED,
];

/** X and the Romanian devices with long frames. */
export const X_STATUS: StatusTable = [
  ...EVERYWHERE,
  MECHANISM,
  COVER,
  PAPER_LOW,
  JOURNAL_FULL,
  { byte: 4, bit: 6, text: "fiscal memory missing or damaged", error: "E304", effect: "warns" },
];

export const P_STATUS: StatusTable = [
  ...EVERYWHERE,
  MECHANISM,
  COVER,
  PAPER_LOW,
  {
    byte: 1,
    bit: 2,
    text: "working memory was reset",
    error: "E304",
    effect: "blocks",
    summary: "general",
  },
  { byte: 1, bit: 3, text: "battery low", error: "E304", effect: "blocks" },
  { byte: 1, bit: 6, text: "tax terminal does not answer", error: "E304", effect: "warns" },
  { byte: 2, bit: 2, text: "electronic journal: under 1 MB left", error: "E304", effect: "warns" },
  { byte: 4, bit: 6, text: "print head overheated", error: "E304", effect: "warns" },
  {
    byte: 5,
    bit: 0,
    text: "fiscal memory is read-only",
    error: "E304",
    effect: "blocks",
    summary: "memory",
  },
  {
    byte: 5,
    bit: 2,
    text: "last fiscal memory write failed",
    error: "E304",
    effect: "blocks",
    summary: "memory",
  },
  { byte: 5, bit: 5, text: "fiscal memory read error", error: "E304", effect: "warns" },
];

export const C_STATUS: StatusTable = [
  ...EVERYWHERE,
  JOURNAL_FULL,
  { byte: 1, bit: 6, text: "tax terminal does not answer", error: "E304", effect: "warns" },
  // Reserved in the manual, but other drivers report an overheated head here.
  { byte: 4, bit: 6, text: "print head overheated", error: "E304", effect: "warns" },
];

/** The 2016 Romanian devices with short frames: as C, but for these bits. */
export const RO_LEGACY_STATUS: StatusTable = [
  ...EVERYWHERE.filter((row) => row.bit !== 2 || row.byte !== 0),
  {
    byte: 1,
    bit: 2,
    text: "electronic journal 95 % full",
    error: "E304",
    effect: "blocks",
    summary: "general",
  },
  { byte: 1, bit: 6, text: "tax terminal does not answer", error: "E304", effect: "warns" },
];

const RAM_RESET = {
  byte: 1,
  bit: 2,
  text: "working memory was reset",
  error: "E304",
  effect: "blocks",
  summary: "general",
} as const;
const MEMORY_READ_ONLY = {
  byte: 5,
  bit: 0,
  text: "fiscal memory is read-only",
  error: "E304",
  effect: "blocks",
  summary: "memory",
} as const;
const BAD_RECORD = {
  byte: 4,
  bit: 2,
  text: "bad fiscal memory record",
  error: "E304",
  effect: "warns",
} as const;

/** Byte 3 holds the number of an error besides. */
export const DY_STATUS: StatusTable = [
  ...EVERYWHERE,
  MECHANISM,
  PAPER_LOW,
  RAM_RESET,
  BAD_RECORD,
  { byte: 1, bit: 5, text: "paper cutter", error: "E304", effect: "warns" },
  { byte: 1, bit: 6, text: "wrong password", error: "E305", effect: "refuses" },
  { byte: 2, bit: 2, text: "no control tape", error: "E304", effect: "warns" },
  { byte: 4, bit: 1, text: "tax terminal", error: "E304", effect: "warns" },
  {
    byte: 5,
    bit: 0,
    text: "fiscal memory overfull",
    error: "E300",
    effect: "blocks",
    summary: "memory",
  },
];

export const ED_STATUS: StatusTable = [
  ...EVERYWHERE,
  MECHANISM,
  COVER,
  PAPER_LOW,
  JOURNAL_FULL,
  RAM_RESET,
  MEMORY_READ_ONLY,
  { byte: 1, bit: 3, text: "battery low", error: "E304", effect: "blocks", summary: "general" },
  {
    byte: 1,
    bit: 4,
    text: "working memory is damaged",
    error: "E304",
    effect: "blocks",
    summary: "general",
  },
  // Protocol 1.0.9. In 1.1.6 it means an open rotated receipt, which stops ours just as well.
  { ...COVER, byte: 1, bit: 5, text: "paper cover open" },
  { byte: 1, bit: 6, text: "tax terminal does not answer", error: "E304", effect: "warns" },
  {
    byte: 5,
    bit: 2,
    text: "last fiscal memory write failed",
    error: "E304",
    effect: "blocks",
    summary: "memory",
  },
  { byte: 5, bit: 5, text: "fiscal memory error", error: "E304", effect: "warns" },
];

/** Byte 3 holds the number of an error besides. Reserved bits are left out. */
export const IN_STATUS: StatusTable = [
  ...EVERYWHERE.filter((row) => row !== OVERFLOW),
  RAM_RESET,
  BAD_RECORD,
  MEMORY_READ_ONLY,
  // Stops invoices only.
  {
    byte: 1,
    bit: 3,
    text: "range of invoice numbers not set",
    error: "E305",
    effect: "warns",
    summary: "general",
  },
  { byte: 1, bit: 5, text: "three wrong passwords", error: "E305", effect: "refuses" },
];
