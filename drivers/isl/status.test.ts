import { describe, expect, test } from "bun:test";
import type { FiscalErrorCode } from "#core/errors.ts";
import {
  C_STATUS,
  IN_STATUS,
  P_STATUS,
  RO_LEGACY_STATUS,
  X_STATUS,
} from "./dialects/status-bits.ts";
import { errorNumberMeaning } from "./error-numbers.ts";
import { type Demand, readDeviceStatus, type StatusTable, statusFault } from "./status.ts";

const NO_DAY = { open: null, closeRequired: null };

/** Status bytes with these bits set, as `byte.bit`. */
function bytes(...set: readonly string[]): Uint8Array {
  const status = new Uint8Array(8).fill(0x80);
  for (const place of set) {
    const [byte = 0, bit = 0] = place.split(".").map(Number);
    status[byte] = (status[byte] ?? 0) | (1 << bit);
  }
  return status;
}

const STATES: readonly (readonly [StatusTable, readonly string[], Record<string, unknown>])[] = [
  [X_STATUS, [], { paper: "ok", cover: "closed", clockSet: true, hardwareError: false }],
  [X_STATUS, ["2.0"], { paper: "out" }],
  [X_STATUS, ["2.1"], { paper: "low", errors: [] }],
  [X_STATUS, ["0.6"], { cover: "open" }],
  [X_STATUS, ["0.2"], { clockSet: false }],
  [X_STATUS, ["2.3"], { fiscalReceiptOpen: true, nonFiscalReceiptOpen: false }],
  [X_STATUS, ["2.5"], { fiscalReceiptOpen: false, nonFiscalReceiptOpen: true }],
  [X_STATUS, ["4.3"], { fiscalMemory: "near_full", errors: [] }],
  [X_STATUS, ["4.3", "4.4"], { fiscalMemory: "full" }],
  [X_STATUS, ["0.4", "0.5"], { hardwareError: true }],
  [X_STATUS, ["5.3"], { fiscalized: true }],
  [C_STATUS, ["0.6"], { cover: null }],
  [RO_LEGACY_STATUS, ["0.2"], { clockSet: null }],
  // What stands for weeks explains no error of the fiscal memory.
  [IN_STATUS, ["1.3", "0.5", "4.5"], { hardwareError: true }],
  [P_STATUS, ["0.2", "4.5"], { hardwareError: true, clockSet: false }],
];

describe("the device state", () => {
  for (const [table, set, expected] of STATES) {
    test(`${set.join(" ") || "no bit"} shows ${JSON.stringify(expected)}`, () => {
      expect(readDeviceStatus(table, bytes(...set), NO_DAY)).toMatchObject(expected);
    });
  }

  const told = (...set: readonly string[]) =>
    readDeviceStatus(P_STATUS, bytes(...set), NO_DAY).errors.map(({ message }) => message);

  test("names an error of the fiscal memory beside all that does not explain it", () => {
    expect(told("4.5")).toEqual(["fiscal memory error"]);
    expect(told("0.2", "1.6", "2.0", "0.5", "4.5").sort()).toEqual([
      ...["clock not set", "fiscal memory error", "no paper", "tax terminal does not answer"],
    ]);
    expect(told("4.4", "4.5")).toEqual(["fiscal memory full"]);
    expect(told("0.5")).toEqual([]);
  });

  test("does not repeat the refusal of the last command as an error", () => {
    expect(readDeviceStatus(P_STATUS, bytes("0.5", "1.1"), NO_DAY).errors).toEqual([]);
  });
});

type FaultRow = readonly [
  readonly string[],
  { reads?: boolean; demands?: Demand },
  FiscalErrorCode | undefined,
];

const FAULTS: readonly FaultRow[] = [
  [[], {}, undefined],
  [["0.0", "0.5"], {}, "E305"],
  [["0.1", "0.5"], {}, "E201"],
  [["2.0", "0.5"], {}, "E306"],
  [["0.6"], {}, "E307"],
  [["2.0", "0.6", "0.5"], {}, "E306"],
  [["0.6", "0.4", "0.5"], {}, "E307"],
  [["4.4", "4.5"], {}, "E300"],
  [["4.4", "0.4"], {}, "E300"],
  [["4.0", "4.5"], {}, "E304"],
  [["0.5"], {}, "E305"],
  [["4.5"], {}, "E304"],
  // A warning never fails a command, nor does a state that only service must see to.
  [["2.1"], {}, undefined],
  [["4.3"], {}, undefined],
  [["2.2"], {}, undefined],
  [["0.2"], {}, undefined],
  [["1.6", "2.2", "4.6"], {}, undefined],
  // It explains no general error, and renames no refusal.
  [["4.6", "0.5"], {}, "E304"],
  [["5.5", "0.5"], {}, "E304"],
  [["0.2", "4.5"], {}, "E304"],
  [["0.1", "0.5", "2.2"], {}, "E201"],
  [["1.1", "0.5", "2.3", "1.6"], { demands: "no_receipt_open" }, "E301"],
  [["1.1", "0.5", "2.2"], { demands: "day_closed" }, "E303"],
  // A read succeeds without paper and with the cover open, but not when it was not understood.
  [["2.0", "0.5"], { reads: true }, undefined],
  [["0.6"], { reads: true }, undefined],
  [["0.0", "0.5"], { reads: true }, "E305"],
  [["0.1", "0.5"], { reads: true }, "E201"],
  // "Not permitted" is told in words of the state the command found.
  [["1.1", "0.5"], {}, "E305"],
  [["1.1", "0.5"], { demands: "receipt_open" }, "E302"],
  [["1.1", "0.5", "2.3"], { demands: "receipt_open" }, "E305"],
  [["1.1", "0.5", "2.3"], { demands: "no_receipt_open" }, "E301"],
  [["1.1", "0.5", "2.5"], { demands: "no_receipt_open" }, "E301"],
  [["1.1", "0.5"], { demands: "no_receipt_open" }, "E305"],
  [["1.1", "0.5"], { demands: "day_closed" }, "E303"],
  [["1.1", "0.5", "2.3"], { demands: "day_closed" }, "E301"],
];

describe("status bits after a command on a P device", () => {
  for (const [set, { reads = false, demands }, code] of FAULTS) {
    test(`${set.join(" ") || "none"} ${reads ? "(read) " : ""}${demands ?? ""}: ${code}`, () => {
      expect(statusFault(P_STATUS, bytes(...set), { reads, demands })?.code).toBe(
        code as FiscalErrorCode,
      );
    });
  }

  test("a fault carries the device's own bit and word", () => {
    const fault = statusFault(P_STATUS, bytes("2.0", "0.5"), { reads: false });
    expect(fault?.device).toEqual({ code: "status 2.0", message: "no paper" });
  });
});

const NUMBERS: readonly (readonly [number, FiscalErrorCode | "warning"])[] = [
  [-100_001, "E304"],
  [-100_003, "E305"],
  [-100_108, "E300"],
  [-100_109, "E304"],
  [-100_114, "E300"],
  [-100_403, "E306"],
  [-100_404, "E307"],
  [-100_405, "warning"],
  [-102_001, "warning"],
  [-102_002, "E305"],
  [-102_007, "E304"],
  [-104_000, "E303"],
  [-104_001, "E305"],
  [-104_005, "E303"],
  [-105_009, "warning"],
  [-105_010, "E304"],
  [-110_108, "E303"],
  [-110_811, "E303"],
  [-111_013, "E303"],
  [-111_015, "E301"],
  [-111_016, "E302"],
  [-111_024, "E303"],
  [-111_047, "E301"],
  [-111_050, "E302"],
  [-111_066, "E301"],
  [-111_098, "E303"],
  [-112_000, "E201"],
  [-112_006, "E306"],
  [-112_007, "E307"],
  [-112_008, "E304"],
  [-999_999, "E305"],
];

describe("error numbers of X devices", () => {
  for (const [number, code] of NUMBERS) {
    test(`${number} is ${code}`, () => {
      expect(errorNumberMeaning(number).code).toBe(code);
    });
  }

  test("a bad parameter is named by its place", () => {
    expect(errorNumberMeaning(-112_103).text).toBe("bad parameter 3");
  });
});
