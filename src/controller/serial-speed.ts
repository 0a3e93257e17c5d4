/**
 * The speed of a serial port whose address names none: each attempt to connect tries one of those
 * that the driver's devices may be set to, until one answers. That one is kept.
 */

import type { DeviceConfig } from "#core/device/device.ts";
import { parseSerialAddress } from "#core/device/serial-address.ts";
import type { Driver } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";

/** Under what it is remembered which speed comes next, and how many failed in a row. */
const NEXT = "serial.speed";
const FAILED = "serial.speedsFailed";

/** The speeds to choose from; undefined when there is nothing to choose. */
export function speedsOf(device: DeviceConfig, driver: Driver): readonly number[] | undefined {
  const { transport, connectionParams } = device;
  if (transport !== "serial" || !("address" in connectionParams)) return undefined;
  const address = parseSerialAddress(connectionParams.address);
  if (typeof address === "string" || address.baudRate !== undefined) return undefined;
  return driver.serialSpeedsBaud;
}

/** The speed to try now. Bits per second. */
export function speedToTry(speeds: readonly number[], remembered: Map<string, string>): number {
  const next = Number(remembered.get(NEXT));
  return speeds.includes(next) ? next : (speeds[0] ?? next);
}

/** This speed works. */
export function keepSpeed(speed: number, remembered: Map<string, string>): void {
  remembered.set(NEXT, String(speed));
  remembered.delete(FAILED);
}

/**
 * Goes on to the next speed when the device did not answer at this one, or not in its protocol.
 * @returns the error to tell: that it speaks another protocol is known only after the last speed
 */
export function nextSpeed(
  error: unknown,
  speed: number,
  { speeds, remembered }: { speeds: readonly number[]; remembered: Map<string, string> },
): unknown {
  if (!(error instanceof FiscalError) || (error.code !== "E200" && error.code !== "E501")) {
    return error;
  }
  const next = speeds[(speeds.indexOf(speed) + 1) % speeds.length] ?? speed;
  const failed = Number(remembered.get(FAILED) ?? 0) + 1;
  remembered.set(NEXT, String(next));
  remembered.set(FAILED, String(Math.min(failed, speeds.length)));
  if (failed >= speeds.length) return error;
  return new FiscalError("E501", `The device does not answer at ${speed} baud`, { cause: error });
}
