/** Dates and times as the devices write them: local, to the minute. */

import { instantOf, type LocalTime, toLocalTime } from "#core/local-time.ts";
import { documentShown, noteShown } from "../shared/shown-time.ts";
import type { CustomDevice } from "./device.ts";

const MINUTE_MS = 60_000;
const CENTURY = 2000;

/**
 * `DDMMYY` and `hhmm` as an instant (UTC milliseconds), the first pass of an hour that comes twice;
 * undefined when it is none.
 */
export function parseDeviceTime(
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
  return instantOf(time, timezone);
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
  return noteShown(device, parseDeviceTime(fields, device.environment.timezone), MINUTE_MS);
}

/** When a document was closed, to the minute (UTC milliseconds); undefined when that is no time. */
export function readDocumentTime(
  device: CustomDevice,
  fields: ReadonlyMap<string, string>,
): number | undefined {
  const shown = parseDeviceTime(fields, device.environment.timezone);
  return shown === undefined ? undefined : documentShown(shown, device);
}
