/** Answers of the short generation: comma-separated, most amounts as digits of minor units. */

import { formatMinor } from "#core/money.ts";
import type { DeviceCommand } from "./device-command.ts";

const CASH_DIGITS = 9;

/** An amount as the device writes it: digits of minor units, or with a decimal point. */
export function amountText({ model }: DeviceCommand, minor: number, width: number): string {
  return model.amounts === "decimals" ? formatMinor(minor) : digits(minor, width);
}

/** Cash in the drawer, which one maker writes otherwise than the sums of a receipt. */
export function cashText({ model }: DeviceCommand, minor: number): string {
  return model.cashAmounts === "decimals" ? formatMinor(minor) : digits(minor, CASH_DIGITS);
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
