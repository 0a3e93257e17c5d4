/** Dates and times as ZFP devices write them: local time of the device's place. */

import { instantOf, toLocalTime } from "#core/local-time.ts";
import { noteShown } from "../shared/shown-time.ts";
import type { ZfpDevice } from "./device.ts";

const MINUTE_MS = 60_000;
const CLOCK = /^(\d{2})-(\d{2})-(\d{4})\s+(\d{2}):(\d{2})(?::(\d{2}))?$/;
const RECEIPT = /^(\d{4})-(\d{2})-(\d{2})\*(\d{2}):(\d{2}):(\d{2})$/;

/** `15-03-24 14:05:09`. */
export function formatClock(instant: number, timezone: string): string {
  const time = toLocalTime(instant, timezone);
  const date = [time.day, time.month, time.year % 100].map(two).join("-");
  return `${date} ${[time.hour, time.minute, time.second].map(two).join(":")}`;
}

/** `15-03-2024 14:05` as UTC milliseconds; undefined when there is no such moment. */
export function parseClock(text: string, timezone: string): number | undefined {
  const match = CLOCK.exec(text.trim());
  if (!match) return undefined;
  const [day = 0, month = 0, year = 0, ...rest] = numbersOf(match);
  return instantIn([year, month, day, ...rest], timezone);
}

/** `2024-03-15*14:05:09`, as receipts are dated; undefined when there is no such moment. */
export function parseReceiptTime(text: string, timezone: string): number | undefined {
  const match = RECEIPT.exec(text);
  return match ? instantIn(numbersOf(match), timezone) : undefined;
}

/** The device's clock to the minute; undefined when it does not tell. @throws FiscalError */
export async function readClock(device: ZfpDevice): Promise<number | undefined> {
  const answer = await device.tryAsk("clock");
  return answer && noteClock(device, answer.text);
}

/** Keeps what the device told of its clock. @returns undefined where that shows no time */
export function noteClock(device: ZfpDevice, text: string): number | undefined {
  return noteShown(device, parseClock(text, device.environment.timezone), MINUTE_MS);
}

function numbersOf(match: RegExpExecArray): number[] {
  return match.slice(1).map((part) => Number(part ?? 0));
}

function instantIn(parts: readonly number[], timezone: string): number | undefined {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
  return instantOf({ year, month, day, hour, minute, second }, timezone);
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
