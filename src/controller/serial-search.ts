/**
 * The settings of a serial port whose address names no speed: each attempt to connect tries some of
 * those that the driver's devices may have, until a device answers. Those are kept.
 */

import type { DeviceConfig } from "#core/device/device.ts";
import {
  formatSerialAddress,
  parseSerialAddress,
  type SerialSettings,
} from "#core/device/serial-address.ts";
import type { Driver } from "#core/driver.ts";
import { FiscalError, type FiscalErrorCode } from "#core/errors.ts";

/** Under what it is remembered which settings come next, and how many failed in a row. */
const NEXT = "serial.settings";
const FAILED = "serial.settingsFailed";

/** What drivers say of a device that does not answer, or not in their protocol. */
const NOT_LIKE_THIS: readonly FiscalErrorCode[] = ["E101", "E200", "E501"];

/** A driver's settings with those of an address in place of its own, each once. */
export function fittingSettings(
  own: readonly SerialSettings[],
  fixed: SerialSettings,
): readonly SerialSettings[] {
  const settings = new Map(own.map((one) => ({ ...one, ...fixed })).map((one) => [key(one), one]));
  return [...settings.values()];
}

/** The settings to choose from; undefined when there is nothing to choose. */
export function choicesOf(
  device: DeviceConfig,
  driver: Driver,
): readonly SerialSettings[] | undefined {
  const { transport, connectionParams } = device;
  if (transport !== "serial" || !("address" in connectionParams)) return undefined;
  const address = parseSerialAddress(connectionParams.address);
  if (typeof address === "string" || address.baudRate !== undefined) return undefined;
  const { path: _path, ...fixed } = address;
  const own = driver.serialSettings?.(connectionParams.profile);
  return own && fittingSettings(own, fixed);
}

/** The settings to try now. */
export function settingsToTry(
  choices: readonly SerialSettings[],
  remembered: Map<string, string>,
): SerialSettings {
  const next = remembered.get(NEXT);
  return choices.find((settings) => key(settings) === next) ?? choices[0] ?? {};
}

/** These settings work. */
export function keepSettings(settings: SerialSettings, remembered: Map<string, string>): void {
  remembered.set(NEXT, key(settings));
  remembered.delete(FAILED);
}

/**
 * Goes on to the next settings when the device did not answer with these, or not in its protocol.
 * @returns the error to tell: that it speaks another protocol is known only after the last of them
 */
export function nextSettings(
  error: unknown,
  settings: SerialSettings,
  search: { choices: readonly SerialSettings[]; remembered: Map<string, string> },
): unknown {
  if (!(error instanceof FiscalError) || !NOT_LIKE_THIS.includes(error.code)) return error;
  const { choices, remembered } = search;
  const at = choices.findIndex((choice) => key(choice) === key(settings));
  const next = choices[(at + 1) % choices.length] ?? settings;
  const failed = Number(remembered.get(FAILED) ?? 0) + 1;
  remembered.set(NEXT, key(next));
  remembered.set(FAILED, String(Math.min(failed, choices.length)));
  if (failed >= choices.length) return error;
  const message = `The device does not answer at ${settingsText(settings)}`;
  return new FiscalError("E501", message, { cause: error });
}

/** Settings in words: `9600 baud`, `19200 baud 7O1`. */
export function settingsText(settings: SerialSettings): string {
  const { baudRate, parity = "none", dataBits = 8, stopBits = 1 } = settings;
  const frame = `${dataBits}${parity.charAt(0).toUpperCase()}${stopBits}`;
  return `${baudRate} baud${frame === "8N1" ? "" : ` ${frame}`}`;
}

function key(settings: SerialSettings): string {
  return formatSerialAddress({ path: "", ...settings });
}
