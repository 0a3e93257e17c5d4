/** The state of a device: flags of its sensors and its electronics, documents that stand open. */

import type { DeviceStatus } from "#core/device/device.ts";
import type { FiscalError } from "#core/errors.ts";
import { clockNotSet, stateFault } from "../shared/device-fault.ts";
import type { DocumentStep, Flag } from "./profile.ts";

/** Which documents stand open, and how far the one at hand is. */
export interface Position {
  readonly fiscalOpen: boolean;
  readonly slipOpen: boolean;
  /** Undefined when the device does not tell. */
  readonly step: DocumentStep | undefined;
}

/** What was read of a device. */
export interface DeviceReading {
  /** Flags that are up; undefined when the device does not tell of them. */
  readonly sensors: ReadonlySet<Flag> | undefined;
  readonly hardware: ReadonlySet<Flag> | undefined;
  readonly position: Position | undefined;
  /** True once it refused for want of a Z report; null when that is not known. */
  readonly dayCloseRequired: boolean | null;
  /** Whether it is in fiscal service; null when it does not tell. */
  readonly fiscalized: boolean | null;
  /** The answers as they came. */
  readonly raw: string;
}

/** The flags that are up in a row of digits; digits beyond the list tell nothing. */
export function flagsUp(digits: string, names: readonly Flag[]): ReadonlySet<Flag> {
  return new Set(names.filter((_, index) => (digits[index] ?? "0") !== "0"));
}

/** What `get_status` tells. */
export function describeState(reading: DeviceReading): DeviceStatus {
  const { sensors, hardware, position, dayCloseRequired, fiscalized } = reading;
  const has = (flag: Flag) => sensors?.has(flag) === true || hardware?.has(flag) === true;
  const isKnown = sensors !== undefined || hardware !== undefined;
  return {
    paper: sensors ? (has("paperOut") ? "out" : has("paperLow") ? "low" : "ok") : null,
    cover: sensors ? (has("coverOpen") ? "open" : "closed") : null,
    fiscalReceiptOpen: position?.fiscalOpen ?? null,
    nonFiscalReceiptOpen: position?.slipOpen ?? null,
    fiscalDayOpen: hardware ? !has("dayClosed") : null,
    dayCloseRequired,
    fiscalMemory: sensors
      ? has("journalFull")
        ? "full"
        : has("journalNearFull")
          ? "near_full"
          : "ok"
      : null,
    clockSet: hardware ? !has("clockNotSet") : null,
    hardwareError: isKnown ? has("hardwareFault") || has("memoryFault") : null,
    fiscalized,
    errors: ERRORS.filter(({ flag }) => has(flag)).map(({ flag, message }) => ({
      code: flag,
      message,
    })),
    rawHex: Buffer.from(reading.raw, "latin1").toString("hex"),
  };
}

const ERRORS: readonly { readonly flag: Flag; readonly message: string }[] = [
  { flag: "coverOpen", message: "The cover is open" },
  { flag: "paperOut", message: "Out of paper" },
  { flag: "journalFull", message: "The electronic journal is full" },
  { flag: "memoryFault", message: "The fiscal memory fails or is missing" },
  { flag: "hardwareFault", message: "The printer fails or needs service" },
  { flag: "clockNotSet", message: "The clock is not set" },
];

/** What keeps a device from printing that a person can take away. */
export function pauseFault(sensors: ReadonlySet<Flag> | undefined): FiscalError | undefined {
  if (sensors?.has("paperOut")) return stateFault("E306");
  return sensors?.has("coverOpen") ? stateFault("E307") : undefined;
}

/**
 * What can be known beforehand fails beforehand.
 * @throws FiscalError E300, E304, E305, E306 or E307 for what would make any document fail
 */
export function requireReadiness({ sensors, hardware }: DeviceReading): void {
  const pause = pauseFault(sensors);
  if (pause) throw pause;
  if (sensors?.has("journalFull")) throw stateFault("E300");
  if (hardware?.has("memoryFault") || hardware?.has("hardwareFault")) throw stateFault("E304");
  if (hardware?.has("clockNotSet")) throw clockNotSet();
}
