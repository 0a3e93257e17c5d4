/** Dates and times as the devices write them: local, to the minute. */

import { fromLocalTime, type LocalTime, toLocalTime } from "#core/local-time.ts";
import { clockShown, documentShown } from "../shared/shown-time.ts";
import type { CustomDevice } from "./device.ts";

const MINUTE_MS = 60_000;
const CENTURY = 2000;

/**
 * `DDMMYY` and `hhmm` as an instant (UTC milliseconds), the first pass of an hour that comes twice;
 * undefined when it is none.
 */
function parseDeviceTime(
  fields: ReadonlyMap<string, string>,
  timezone: string,
): number | undefined {
  const digits = `${fields.get("date") ?? ""}${fields.get("time") ?? ""}`;
  if (!/^\d{10}$/.test(digits)) return undefined;
  const at = (index: number) => Number(digits.slice(index, index + 2));
  const time: LocalTime = {
    day: at(0),
    month: at(2),
    year: CENTURY + at(4),
    hour: at(6),
    minute: at(8),
    second: 0,
  };
  const isPossible =
    time.day >= 1 && time.day <= 31 && time.month >= 1 && time.month <= 12 && time.hour < 24;
  return isPossible && time.minute < 60 ? fromLocalTime(time, timezone) : undefined;
}

/** An instant as the device's clock would show it. */
export function deviceTime(instant: number, device: CustomDevice): LocalTime {
  return toLocalTime(instant, device.environment.timezone);
}

/** The device's clock to the minute; undefined when it does not tell. @throws FiscalError */
export async function readClock(device: CustomDevice): Promise<number | undefined> {
  const fields = await device.tryAsk("clock");
  return fields && noteClock(device, fields);
}

/** Keeps what the device told of its clock. @returns undefined where that shows no time */
export function noteClock(
  device: CustomDevice,
  fields: ReadonlyMap<string, string>,
): number | undefined {
  const { environment } = device;
  const shown = parseDeviceTime(fields, environment.timezone);
  if (shown === undefined) return undefined;
  const instant = clockShown(shown, environment);
  device.kept.noteClock(instant, MINUTE_MS);
  return instant;
}

/** When a document was closed, to the minute (UTC milliseconds); undefined when that is no time. */
export function readDocumentTime(
  device: CustomDevice,
  fields: ReadonlyMap<string, string>,
): number | undefined {
  const shown = parseDeviceTime(fields, device.environment.timezone);
  return shown === undefined ? undefined : documentShown(shown, device);
}
