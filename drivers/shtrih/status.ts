/**
 * What the device tells of its state: mode, submode and flags, of the answers to 10h and 11h.
 * Source: Shtrih-M "KKT protocol" 2.0.
 */

import type { DeviceStatus } from "#core/device/device.ts";
import type { FiscalError } from "#core/errors.ts";
import type { LocalTime } from "#core/local-time.ts";
import { stateFault } from "../shared/device-fault.ts";
import { FieldReader } from "./fields.ts";

/** Low four bits of the mode byte. */
export const MODE = {
  dayOpen: 2,
  dayOver: 3,
  dayClosed: 4,
  locked: 5,
  waitsForDate: 6,
  documentOpen: 8,
  reset: 9,
} as const;

/** High four bits of the mode byte while a document is open. */
const NON_FISCAL_DOCUMENT = 4;

/** Whether the device is printing, and what keeps it from it. */
export const SUBMODE = {
  idle: 0,
  /** No paper, and nothing was being printed. */
  noPaper: 1,
  /** Paper ran out while something was being printed. */
  noPaperPrinting: 2,
  /** Paper is back; the device waits for the command to go on. */
  waitsForContinue: 3,
  printingReport: 4,
  printing: 5,
} as const;

const FLAG = {
  receiptRoll: 1,
  twoDecimals: 4,
  paper: 7,
  cover: 10,
  journalNearFull: 14,
} as const;

/** Sensors by their bit in the answer to F7h. */
const SENSOR = { paperLow: 1, cover: 4 } as const;

/** Flags of fiscal memory, as 11h tells them. */
const MEMORY_FLAG = { overflow: 3 } as const;
/** What stands in the place of the fiscal memory's version where there is none. */
const NO_FISCAL_MEMORY = "NA";
/** Fewer free day records than this are few. */
const DAY_RECORDS_LOW = 30;

/** The part of the state that both status commands tell. */
export interface ShortState {
  readonly mode: number;
  /** Kind of the open document in mode 8. */
  readonly modeStatus: number;
  readonly submode: number;
  readonly flags: number;
}

/** The answer to 11h. */
export interface FullState extends ShortState {
  readonly firmware: string;
  /** Number of the last document, 0..9999, counted through. */
  readonly document: number;
  readonly clock: LocalTime | undefined;
  readonly memoryFlags: number;
  readonly serial: number;
  readonly lastClosedDay: number;
  readonly freeDayRecords: number;
  readonly fiscalizations: number;
  /** False where the device counts neither: its fiscal drive is asked by commands of its own. */
  readonly hasFiscalMemory: boolean;
}

/** What the answer to F7h says of sensors; undefined where the model does not know the command. */
export type Sensors = number | undefined;

/** Reads the answer to 10h as far as the submode. @throws FiscalError E902 */
export function readPrinterState(data: Uint8Array): ShortState {
  const reader = new FieldReader(data);
  reader.bytes(1);
  const flags = reader.uint(2);
  const mode = reader.uint(1);
  const submode = reader.uint(1);
  return { ...splitMode(mode), submode, flags };
}

/** Reads the data of the answer to 11h. @throws FiscalError E902 */
export function readFullState(data: Uint8Array): FullState {
  const reader = new FieldReader(data);
  reader.bytes(1);
  const version = reader.text(2);
  const build = reader.uint(2);
  reader.bytes(4);
  const document = reader.uint(2);
  const flags = reader.uint(2);
  const mode = reader.uint(1);
  const submode = reader.uint(1);
  // The port it was asked over.
  reader.bytes(1);
  const memoryVersion = reader.text(2);
  reader.bytes(5);
  const clock = reader.clock();
  const memoryFlags = reader.uint(1);
  const serial = reader.uint(4);
  const lastClosedDay = reader.uint(2);
  const freeDayRecords = reader.uint(2);
  const fiscalizations = reader.uint(1);
  const fiscalizationsLeft = reader.left > 0 ? reader.uint(1) : 0;
  return {
    ...splitMode(mode),
    submode,
    flags,
    firmware: `${version.split("").join(".")}.${build}`,
    document,
    clock,
    memoryFlags,
    serial,
    lastClosedDay,
    freeDayRecords,
    fiscalizations,
    hasFiscalMemory:
      memoryVersion !== NO_FISCAL_MEMORY &&
      freeDayRecords + fiscalizations + fiscalizationsLeft > 0,
  };
}

function splitMode(mode: number): { mode: number; modeStatus: number } {
  return { mode: mode % 16, modeStatus: mode >> 4 };
}

/** True when amounts have two decimals; otherwise they would be off by a hundred. */
export function hasTwoDecimals(state: ShortState): boolean {
  return isSet(state.flags, FLAG.twoDecimals);
}

function isPaperOut(state: ShortState): boolean {
  return (
    !isSet(state.flags, FLAG.paper) ||
    state.submode === SUBMODE.noPaper ||
    state.submode === SUBMODE.noPaperPrinting
  );
}

/** A model without a cover sensor never sets the bit. */
function isCoverOpen(state: ShortState, sensors: Sensors): boolean {
  return isSet(state.flags, FLAG.cover) && (sensors === undefined || isSet(sensors, SENSOR.cover));
}

/**
 * True while the device prints what it has carried out. The mode says nothing then: it may be that of
 * a receipt that is closed already.
 */
export function isPrinting({ submode }: ShortState): boolean {
  return submode === SUBMODE.printing || submode === SUBMODE.printingReport;
}

export function isFiscalReceiptOpen(state: ShortState): boolean {
  return state.mode === MODE.documentOpen && state.modeStatus < NON_FISCAL_DOCUMENT;
}

export function isNonFiscalOpen(state: ShortState): boolean {
  return state.mode === MODE.documentOpen && state.modeStatus === NON_FISCAL_DOCUMENT;
}

/**
 * What keeps anything from being printed, as the device shows it.
 * @returns E306 or E307; undefined when it can print
 */
export function printFaultOf(state: ShortState, sensors: Sensors): FiscalError | undefined {
  if (isCoverOpen(state, sensors)) return stateFault("E307");
  return isPaperOut(state) ? stateFault("E306") : undefined;
}

/** True when fiscal memory takes no more days. */
export function isMemoryFull(state: FullState): boolean {
  return isSet(state.memoryFlags, MEMORY_FLAG.overflow);
}

/** The state in the words of the API. */
export function describeState(state: FullState, sensors: Sensors, rawHex: string): DeviceStatus {
  const { mode } = state;
  const isBroken = mode === MODE.reset || mode === MODE.locked;
  return {
    paper: paperOf(state, sensors),
    cover: isCoverOpen(state, sensors) ? "open" : coverWhenShut(sensors),
    fiscalReceiptOpen: isPrinting(state) ? null : isFiscalReceiptOpen(state),
    nonFiscalReceiptOpen: isPrinting(state) ? null : isNonFiscalOpen(state),
    fiscalDayOpen: [MODE.dayOpen, MODE.dayOver, MODE.documentOpen].some((one) => one === mode),
    dayCloseRequired: mode === MODE.dayOver,
    fiscalMemory: memoryOf(state),
    clockSet: mode !== MODE.waitsForDate && state.clock !== undefined,
    hardwareError: isBroken,
    fiscalized: state.hasFiscalMemory ? state.fiscalizations > 0 : null,
    errors: isBroken ? [{ code: "E304", message: "The device waits for a technician" }] : [],
    rawHex,
  };
}

function paperOf(state: FullState, sensors: Sensors): DeviceStatus["paper"] {
  if (isPaperOut(state)) return "out";
  // A model that does not watch the roll always shows it as low.
  const watches = sensors !== undefined && isSet(sensors, SENSOR.paperLow);
  return watches && !isSet(state.flags, FLAG.receiptRoll) ? "low" : "ok";
}

function coverWhenShut(sensors: Sensors): DeviceStatus["cover"] {
  return sensors !== undefined && isSet(sensors, SENSOR.cover) ? "closed" : null;
}

function memoryOf(state: FullState): DeviceStatus["fiscalMemory"] {
  if (isMemoryFull(state)) return "full";
  const hasFewRecords = state.hasFiscalMemory && state.freeDayRecords < DAY_RECORDS_LOW;
  const isLow = hasFewRecords || isSet(state.flags, FLAG.journalNearFull);
  return isLow ? "near_full" : "ok";
}

function isSet(bits: number, bit: number): boolean {
  return Math.floor(bits / 2 ** bit) % 2 === 1;
}
