/**
 * What the error byte of an answer means, as a table.
 * Source: Shtrih-M "KKT protocol" 2.0, list of errors; "FR protocol" 1.10. Which of several fitting
 * bytes a firmware chooses for a state varies, so those that speak of the mode are judged by the
 * mode that the device then reports (`STATE_BYTES`).
 */

import { type DeviceFault, FiscalError, type FiscalErrorCode } from "#core/errors.ts";

/** The command is unknown to this model. */
export const UNSUPPORTED = 0x37;
/** The previous command is still being printed: the refused one may be sent again. */
export const STILL_PRINTING = 0x50;
/** No operator has the password that came with the command. */
export const WRONG_PASSWORD = 0x4f;
/** Paper was loaded, and the device waits to be told to go on. */
export const WAITS_FOR_CONTINUE = 0x58;

/**
 * No paper, of the receipt or the journal. They say what they say whatever the device shows by then:
 * somebody may have loaded some already, and no flag tells of the journal's.
 */
export const PAPER_BYTES: ReadonlySet<number> = new Set([0x6b, 0x6c]);

/** Bytes that say no more than that the command does not fit the device's state. */
export const STATE_BYTES: ReadonlySet<number> = new Set([0x5e, 0x72, 0x73, 0x9b, 0xbe]);

/**
 * Bytes for a field that is not changed now, or never: the lists of errors say "the field is not
 * edited" and "not in this mode". Where the day is open, closing it is what can help.
 * UNCONFIRMED: which fields of which model never change, whatever the mode.
 */
export const FIELD_BYTES: ReadonlySet<number> = new Set([0x7a, 0xc7]);

interface Meaning {
  readonly code: FiscalErrorCode;
  readonly text: string;
  readonly bytes: readonly number[];
}

const MEANINGS: readonly Meaning[] = [
  { code: "E201", text: "This model does not have the command", bytes: [0x08, 0x37, 0x5d] },
  {
    code: "E300",
    text: "Fiscal memory or journal is full: service is needed",
    bytes: [0x0c, 0x0d, 0x14, 0x1a, 0x24, 0x70, 0xa6, 0xa7, 0xce],
  },
  { code: "E301", text: "A receipt is open on the device", bytes: [0x4a, 0x59] },
  { code: "E302", text: "No receipt is open on the device", bytes: [0x55] },
  {
    code: "E303",
    text: "The fiscal day must be closed first: make a Z report",
    bytes: [0x32, 0x4e, 0x96],
  },
  {
    code: "E303",
    text: "A register of the fiscal day is full: make a Z report",
    bytes: [
      0x3a, 0x3b, 0x3e, 0x3f, 0x47, 0x4c, 0x51, 0x52, 0x53, 0x54, 0x66, 0x69, 0x6e, 0x6f, 0x84,
      0x85, 0x86, 0x87, 0x88, 0x89,
    ],
  },
  {
    code: "E304",
    text: "The device reports a hardware fault: service is needed",
    bytes: [
      0x01, 0x02, 0x03, 0x0b, 0x1c, 0x1d, 0x1e, 0x1f, 0x26, 0x27, 0x28, 0x29, 0x2a, 0x2f, 0x31,
      0x38, 0x39, 0x3c, 0x57, 0x5c, 0x64, 0x67, 0x6a, 0x71, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79,
      0x7b, 0x80, 0x81, 0x82, 0x83, 0x95, 0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xaf, 0xb4, 0xb5,
      0xb6, 0xb7, 0xb8, 0xb9, 0xba, 0xbf, 0xc2, 0xc4, 0xc8, 0xc9, 0xca, 0xcd, 0xd5, 0xe0, 0xe1,
      0xe2, 0xe3, 0xe4,
    ],
  },
  { code: "E305", text: "The tax office has locked the device", bytes: [0x30] },
  { code: "E305", text: "A second Z report is not possible", bytes: [0x2c] },
  { code: "E305", text: "There is not enough cash in the drawer", bytes: [0x2e, 0x46] },
  { code: "E305", text: "The payments are below the total", bytes: [0x45] },
  { code: "E305", text: "The receipt has no room for more", bytes: [0x48, 0x4b, 0x94] },
  { code: "E305", text: "Receipts of this kind do not take that", bytes: [0x49] },
  { code: "E305", text: "Payments other than cash exceed the total", bytes: [0x4d] },
  { code: "E305", text: "The operator's password is wrong", bytes: [WRONG_PASSWORD] },
  { code: "E305", text: "There is nothing to repeat", bytes: [0x56] },
  { code: "E305", text: "The fiscal day is not open", bytes: [0x16, 0x3d] },
  { code: "E305", text: "The device does not let this be changed", bytes: [0x7a, 0xc7] },
  { code: "E305", text: "The fiscal day is open already", bytes: [0x15] },
  {
    code: "E305",
    text: "The date is before the last one on record",
    bytes: [0x13, 0x22, 0xbb, 0xbc, 0xbd],
  },
  {
    code: "E305",
    text: "Date and time must be set and confirmed",
    bytes: [0x7c, 0x7d, 0xc0, 0xcf],
  },
  { code: "E305", text: "The receipt's total is not above zero", bytes: [0x5f, 0x8c, 0x8e] },
  { code: "E305", text: "The device is not fiscalized", bytes: [0x8f] },
  { code: "E306", text: "Out of paper: load paper", bytes: [0x6b, 0x6c] },
  { code: "E500", text: "The device did not stop printing in time", bytes: [STILL_PRINTING] },
  {
    code: "E305",
    text: "The device does not take this value or not now",
    bytes: [
      0x04, 0x05, 0x06, 0x07, 0x09, 0x0a, 0x11, 0x12, 0x17, 0x18, 0x19, 0x1b, 0x20, 0x21, 0x23,
      0x25, 0x2b, 0x2d, 0x33, 0x34, 0x35, 0x36, 0x40, 0x41, 0x42, 0x43, 0x44, 0x58, 0x5a, 0x5b,
      0x5e, 0x60, 0x61, 0x62, 0x63, 0x65, 0x68, 0x6d, 0x72, 0x73, 0x7e, 0x7f, 0x8a, 0x8b, 0x8d,
      0x90, 0x91, 0x92, 0x93, 0x9b, 0x9c, 0x9d, 0x9e, 0xa8, 0xa9, 0xaa, 0xb0, 0xb1, 0xb2, 0xbe,
      0xc1, 0xc3, 0xc5, 0xc6, 0xcb, 0xcc, 0xd0, 0xd1, 0xd2, 0xd3, 0xd4,
    ],
  },
];

const BY_BYTE: ReadonlyMap<number, Meaning> = new Map(
  MEANINGS.flatMap((meaning) => meaning.bytes.map((byte) => [byte, meaning] as const)),
);

/** A refusal as the error of a command; the device's own byte goes with it. */
export function refusalOf(errorByte: number): FiscalError {
  const meaning = BY_BYTE.get(errorByte);
  const device = deviceFault(errorByte);
  if (!meaning) return new FiscalError("E900", `Unknown device error ${device.code}`, { device });
  return new FiscalError(meaning.code, meaning.text, { device });
}

/** The device's own word for a refusal. */
export function deviceFault(errorByte: number): DeviceFault {
  const code = `${errorByte.toString(16).toUpperCase().padStart(2, "0")}h`;
  return { code, message: BY_BYTE.get(errorByte)?.text ?? "unknown" };
}
