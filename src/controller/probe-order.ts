/** Who asks at an address, in which order and with which settings of the line. Pure. */

import type { DeviceAddress } from "#core/device/detection.ts";
import {
  formatSerialAddress,
  parseSerialAddress,
  type SerialSettings,
} from "#core/device/serial-address.ts";
import type { DetectionTraits, Driver } from "#core/driver.ts";
import { fittingSettings } from "./serial-search.ts";

/** A driver that detection can use. */
export type DetectingDriver = Driver & { readonly detection: DetectionTraits };

/** One question: a driver on a line, opened with these parameters. */
export interface Probe {
  readonly driver: DetectingDriver;
  readonly address: DeviceAddress;
}

/** The drivers whose devices can be found by asking, or those of them that were named. */
export function detectingDrivers(
  drivers: readonly Driver[],
  wanted: readonly string[] | undefined,
): readonly DetectingDriver[] {
  return drivers
    .filter((driver): driver is DetectingDriver => driver.detection !== undefined)
    .filter(({ id }) => wanted === undefined || wanted.includes(id));
}

/**
 * All questions for an address, first to last. On a serial port each driver first asks with its own
 * likeliest settings, then each with its next ones: most devices are as they were delivered. Among
 * the questions of a round single control bytes go first, because less can become of them in a
 * device of another kind; on a TCP port then those whose devices use that port.
 */
export function probesFor(
  address: DeviceAddress,
  drivers: readonly DetectingDriver[],
): readonly Probe[] {
  const { connectionParams: params } = address;
  if ("host" in params) {
    const isAtHome = ({ detection }: DetectingDriver) => detection.tcpPorts.includes(params.port);
    return inOrder(drivers, isAtHome).map((driver) => ({ driver, address }));
  }
  if (address.transport !== "serial")
    return inOrder(drivers).map((driver) => ({ driver, address }));
  const serial = parseSerialAddress(params.address);
  if (typeof serial === "string") return [];
  const { path, ...fixed } = serial;
  const ordered = inOrder(drivers).map((driver) => ({
    driver,
    settings: fittingSettings(driver.serialSettings?.() ?? DEFAULT_SETTINGS, fixed),
  }));
  const rounds = Math.max(0, ...ordered.map(({ settings }) => settings.length));
  return Array.from({ length: rounds }, (_, round) =>
    ordered.flatMap(({ driver, settings: { [round]: settings } }) => {
      if (settings === undefined) return [];
      const connectionParams = { address: formatSerialAddress({ path, ...settings }) };
      return [{ driver, address: { transport: address.transport, connectionParams } }];
    }),
  ).flat();
}

function inOrder(
  drivers: readonly DetectingDriver[],
  isAtHome: (driver: DetectingDriver) => boolean = () => true,
): readonly DetectingDriver[] {
  const rank = (driver: DetectingDriver) =>
    (driver.detection.opensWith === "control_byte" ? 0 : 2) + (isAtHome(driver) ? 0 : 1);
  return drivers.toSorted((one, other) => rank(one) - rank(other));
}

/** Of a driver that names none. */
const DEFAULT_SETTINGS: readonly SerialSettings[] = [{ baudRate: 115_200 }];
