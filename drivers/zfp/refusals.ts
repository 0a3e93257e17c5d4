/**
 * The two error digits of an acknowledgement: of the device (STE1) and of the command (STE2).
 * Source: Tremol protocol description, Bulgaria, rev. 1910211454. Which of our codes each one
 * becomes is this driver's choice.
 */

import type { FiscalError, FiscalErrorCode } from "#core/errors.ts";
import { deviceFault } from "../shared/device-fault.ts";
import type { AckFrame } from "./frame.ts";

interface Meaning {
  readonly code: FiscalErrorCode;
  readonly text: string;
}

const DEVICE_ERRORS: Readonly<Record<number, Meaning>> = {
  1: { code: "E306", text: "out of paper" },
  2: { code: "E303", text: "registers full" },
  3: { code: "E304", text: "clock fault" },
  4: { code: "E301", text: "a fiscal receipt is open" },
  5: { code: "E301", text: "the open receipt is not paid" },
  6: { code: "E301", text: "a non-fiscal receipt is open" },
  7: { code: "E301", text: "the receipt is paid and not closed" },
  8: { code: "E304", text: "fiscal memory fault" },
  9: { code: "E305", text: "wrong password" },
  10: { code: "E304", text: "external display missing" },
  11: { code: "E303", text: "24 hours without a Z report" },
  12: { code: "E304", text: "print head overheated" },
  13: { code: "E304", text: "power was lost in an open receipt" },
  14: { code: "E300", text: "electronic journal full" },
  15: { code: "E305", text: "conditions not met" },
};

const COMMAND_ERRORS: Readonly<Record<number, Meaning>> = {
  1: { code: "E201", text: "unknown command" },
  2: { code: "E305", text: "not allowed now" },
  3: { code: "E303", text: "the day must be closed first" },
  4: { code: "E305", text: "syntax error" },
  5: { code: "E305", text: "number too large" },
  6: { code: "E305", text: "number is zero" },
  7: { code: "E305", text: "nothing to correct" },
  8: { code: "E305", text: "not enough cash in the drawer" },
};

/** Device errors that only say which receipt is open: with them a command may still be wrong. */
const RECEIPT_STATES: readonly number[] = [4, 5, 6, 7];
const NOT_ALLOWED_NOW = 2;

/**
 * Why an acknowledgement is a refusal.
 * @param needsReceipt true when the command wants an open fiscal receipt
 * @returns undefined when the command was carried out
 */
export function refusalOf(frame: AckFrame, needsReceipt: boolean): FiscalError | undefined {
  const device = digitOf(frame.deviceError);
  const command = digitOf(frame.commandError);
  if (device === 0 && command === 0) return undefined;
  const raw = `STE ${hex(frame.deviceError)} ${hex(frame.commandError)}`;
  const meaning = meaningOf(device, command, needsReceipt);
  return deviceFault(meaning.code, { code: raw, message: meaning.text });
}

function meaningOf(device: number, command: number, needsReceipt: boolean): Meaning {
  const unknown: Meaning = { code: "E900", text: "unknown error" };
  if (device === 0) {
    if (command === NOT_ALLOWED_NOW && needsReceipt) {
      return { code: "E302", text: "not allowed now" };
    }
    return COMMAND_ERRORS[command] ?? unknown;
  }
  // A receipt that is open is no fault of a command that is otherwise wrong.
  const isState = RECEIPT_STATES.includes(device) && command !== 0 && command !== NOT_ALLOWED_NOW;
  return (isState ? COMMAND_ERRORS[command] : DEVICE_ERRORS[device]) ?? unknown;
}

/** 30h..3Fh; some firmware writes the digits above 9 as letters. */
function digitOf(byte: number): number {
  if (byte >= 0x30 && byte <= 0x3f) return byte - 0x30;
  const upper = byte & 0xdf;
  return upper >= 0x41 && upper <= 0x46 ? upper - 0x37 : Number.NaN;
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, "0").toUpperCase();
}
