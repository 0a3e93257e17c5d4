/** Answers of the short generation: comma-separated, most amounts as digits of minor units. */

import { formatMinor } from "#core/money.ts";
import type { DeviceCommand } from "./device-command.ts";

/** An amount as the device writes it: digits of minor units, or with a decimal point. */
export function amountText({ model }: DeviceCommand, minor: number, width: number): string {
  return model.amounts === "decimals" ? formatMinor(minor) : digits(minor, width);
}

/** Digits with leading zeros; a sign goes before them. */
export function digits(value: number, width: number): string {
  const text = String(Math.abs(value)).padStart(width, "0");
  return value < 0 ? `-${text}` : text;
}

/** Always with a sign, as the transaction status writes amounts. */
export function signedDigits(value: number, width: number): string {
  return `${value < 0 ? "-" : "+"}${digits(Math.abs(value), width)}`;
}
