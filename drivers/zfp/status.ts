/**
 * What a device tells of its state: seven status bytes (command 20h) and, on printers with
 * sensors, four more (command 66h).
 * Source: Tremol protocol description, Bulgaria, rev. 1910211454.
 */

import type { DeviceStatus } from "#core/device/device.ts";
import { FiscalError, type FiscalErrorCode } from "#core/errors.ts";

export const STATUS_BYTES = 7;

type StatusFlag =
  | "clock_not_set"
  | "paper_out"
  | "paper_low"
  | "day_open"
  | "overflow"
  | "non_fiscal_receipt_open"
  | "fiscal_receipt_open"
  | "memory_full"
  | "memory_low"
  | "fiscalized";

interface StatusBit {
  readonly byte: number;
  readonly bit: number;
  readonly text: string;
  readonly flag?: StatusFlag;
  readonly error?: FiscalErrorCode;
}

/** Bits without a row say nothing that we use. A day longer than 24 hours has no bit. */
const STATUS_BITS: readonly StatusBit[] = [
  { byte: 0, bit: 0, text: "fiscal memory is read only", error: "E304" },
  { byte: 0, bit: 2, text: "print head overheated", error: "E304" },
  { byte: 0, bit: 3, text: "clock not set", flag: "clock_not_set", error: "E305" },
  { byte: 0, bit: 4, text: "clock wrong", flag: "clock_not_set", error: "E305" },
  { byte: 0, bit: 5, text: "memory was reset", error: "E304" },
  { byte: 0, bit: 6, text: "clock fault", error: "E304" },
  { byte: 1, bit: 0, text: "out of paper", flag: "paper_out", error: "E306" },
  { byte: 1, bit: 1, text: "registers full", flag: "overflow", error: "E303" },
  { byte: 1, bit: 3, text: "day not closed", flag: "day_open" },
  { byte: 2, bit: 0, text: "non-fiscal receipt open", flag: "non_fiscal_receipt_open" },
  { byte: 2, bit: 1, text: "fiscal receipt open", flag: "fiscal_receipt_open" },
  { byte: 2, bit: 5, text: "journal near full", flag: "memory_low" },
  { byte: 2, bit: 6, text: "journal full", flag: "memory_full", error: "E300" },
  { byte: 3, bit: 0, text: "no fiscal memory", error: "E304" },
  { byte: 3, bit: 1, text: "fiscal memory fault", error: "E304" },
  { byte: 3, bit: 2, text: "fiscal memory full", flag: "memory_full", error: "E300" },
  { byte: 3, bit: 3, text: "fiscal memory near full", flag: "memory_low" },
  { byte: 3, bit: 5, text: "fiscalized", flag: "fiscalized" },
  { byte: 5, bit: 0, text: "wrong SIM card", error: "E304" },
  { byte: 5, bit: 1, text: "blocked: three days without a network", error: "E304" },
  { byte: 5, bit: 2, text: "no task from the tax authority", error: "E304" },
  { byte: 5, bit: 5, text: "wrong memory card", error: "E304" },
  { byte: 5, bit: 6, text: "deregistered", error: "E304" },
  { byte: 6, bit: 4, text: "paper near its end", flag: "paper_low" },
];

/** Bits of the answer to 66h: bytes of StatPRN behind the display letter and `;`. */
const SENSORS_AT = 2;
const SENSOR_BYTES = 4;
const COVER_OPEN = { byte: 0, mask: 0x20 };
const PAPER_LOW = { byte: 2, mask: 0x02 };
const PAPER_END = { byte: 2, mask: 0x08 };

/** What the sensors of a printer say. */
export interface Sensors {
  readonly coverOpen: boolean;
  readonly paperLow: boolean;
  readonly paperOut: boolean;
}

/**
 * Reads the answer to 66h.
 * @throws FiscalError E902 when it is too short
 */
export function readSensors(data: Uint8Array): Sensors {
  if (data.length < SENSORS_AT + SENSOR_BYTES) {
    throw new FiscalError("E902", "The device's printer status is too short");
  }
  const shows = ({ byte, mask }: typeof COVER_OPEN) =>
    ((data[SENSORS_AT + byte] ?? 0) & mask) !== 0;
  return {
    coverOpen: shows(COVER_OPEN),
    paperLow: shows(PAPER_LOW),
    paperOut: shows(PAPER_END),
  };
}

/** What the state bytes do not tell. */
export interface Beyond {
  /** null where the device has no sensors or was not asked. */
  readonly sensors: Sensors | null;
  /** True once the device refused for want of a Z report; null when it is not known. */
  readonly dayCloseRequired: boolean | null;
}

/** The seven bytes, by what they mean. */
export class StatusBytes {
  readonly #bytes: Uint8Array;

  /** @throws FiscalError E902 when there are not seven */
  constructor(bytes: Uint8Array) {
    if (bytes.length < STATUS_BYTES) {
      throw new FiscalError("E902", "The device's status is too short");
    }
    this.#bytes = bytes;
  }

  has(flag: StatusFlag): boolean {
    return STATUS_BITS.some((row) => row.flag === flag && this.#isSet(row));
  }

  /** The device's state, as `get_status` tells it. */
  describe({ sensors, dayCloseRequired }: Beyond): DeviceStatus {
    const errors = STATUS_BITS.flatMap((row) =>
      row.error && this.#isSet(row) ? [{ code: row.error, message: row.text }] : [],
    );
    const cover = sensors?.coverOpen ? [{ code: "E307", message: "cover open" }] : [];
    const paperOut = this.has("paper_out") || sensors?.paperOut === true;
    const paperLow = this.has("paper_low") || sensors?.paperLow === true;
    return {
      paper: paperOut ? "out" : paperLow ? "low" : "ok",
      cover: sensors ? (sensors.coverOpen ? "open" : "closed") : null,
      fiscalReceiptOpen: this.has("fiscal_receipt_open"),
      nonFiscalReceiptOpen: this.has("non_fiscal_receipt_open"),
      fiscalDayOpen: this.has("day_open"),
      dayCloseRequired: this.has("overflow") ? true : dayCloseRequired,
      fiscalMemory: this.has("memory_full") ? "full" : this.has("memory_low") ? "near_full" : "ok",
      clockSet: !this.has("clock_not_set"),
      hardwareError: errors.some((error) => error.code === "E304"),
      fiscalized: this.has("fiscalized"),
      errors: [...errors, ...cover],
      rawHex: Buffer.from(this.#bytes).toString("hex"),
    };
  }

  #isSet({ byte, bit }: StatusBit): boolean {
    return (((this.#bytes[byte] ?? 0) >> bit) & 1) === 1;
  }
}
