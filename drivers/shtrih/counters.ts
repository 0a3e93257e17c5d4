/** The device's running numbers of its documents, and whether it can take another one. */

import { FiscalError } from "#core/errors.ts";
import { clockNotSet, stateFault } from "../shared/device-fault.ts";
import { clearDevice, notePutAway } from "../shared/settle.ts";
import type { ShtrihDevice } from "./device.ts";
import { COUNT } from "./requests.ts";
import {
  type FullState,
  isFiscalReceiptOpen,
  isMemoryFull,
  isNonFiscalOpen,
  MODE,
} from "./status.ts";

export type DocumentKind = "sale" | "storno";

/** Numbers that move when a document is finished or cancelled. */
export interface Counters {
  readonly open: boolean;
  /** Number of the last document of any kind, 0..9999. */
  readonly document: number;
  /** Running number of the last finished receipt of the kind. */
  readonly receipt: number;
  /** Running number of the last cancelled receipt. */
  readonly cancelled: number;
  readonly state: FullState;
}

const RECEIPT_COUNT = { sale: COUNT.sale, storno: COUNT.saleReturn } as const;

/**
 * Reads the numbers.
 * @param known the state, where it was just read
 * @throws FiscalError
 */
export async function readCounters(
  device: ShtrihDevice,
  kind: DocumentKind,
  known?: FullState,
): Promise<Counters> {
  const receipt = await device.count(RECEIPT_COUNT[kind]);
  const cancelled = await device.count(COUNT.cancelled);
  // Should somebody finish a receipt in between, the numbers do not fit each other afterwards, and
  // the outcome is unknown rather than wrong.
  const state = known ?? (await device.fullState());
  return {
    open: isFiscalReceiptOpen(state),
    document: state.document,
    receipt,
    cancelled,
    state,
  };
}

/** True when `now` is the number after `before`; a counter may have begun anew, at 0 or 1. */
export function isNext(before: number, now: number): boolean {
  return now === before + 1 || (isLast(before) && now <= 1);
}

/**
 * The number after this one. "KKT protocol" 2.0 gives 0000 to 9999 as the range of document numbers,
 * so 0 comes after the last; UNCONFIRMED on a device that it is not left out.
 */
export function nextDocument(number: number): number {
  return isLast(number) ? 0 : number + 1;
}

/**
 * Four digits, as the protocol has it; two bytes is what the field and the operation registers can
 * hold, whose range the protocol leaves out.
 */
function isLast(number: number): boolean {
  return number === 9_999 || number === 65_535;
}

/**
 * Puts away what stands open on the device, so that a document begins clean.
 * @throws FiscalError E306 or E307 when it cannot print, E304 or E305 when it waits for a person
 */
export function clearTheWay(device: ShtrihDevice): Promise<FullState> {
  return clearDevice(async () => {
    const state = await device.fullState();
    const fault = device.printFault(state);
    if (fault) throw fault;
    if (state.mode === MODE.locked || state.mode === MODE.reset) {
      throw new FiscalError("E304", "The device waits for a technician");
    }
    if (isNonFiscalOpen(state)) return { putAway: () => device.ask("closeText") };
    return isFiscalReceiptOpen(state)
      ? { putAway: () => putAway(device, state) }
      : { clear: state };
  });
}

/** Throws what would make any fiscal document fail. @throws FiscalError E300, E303 or E305 */
export function requireFiscalReadiness(state: FullState): void {
  if (isMemoryFull(state)) throw stateFault("E300");
  if (state.mode === MODE.dayOver) {
    throw new FiscalError("E303", "The fiscal day is longer than 24 hours: make a Z report");
  }
  if (state.mode === MODE.waitsForDate || !state.clock) {
    throw clockNotSet();
  }
}

/**
 * Cancels the receipt that is open. Payment and closing are one command of this protocol, so an
 * open receipt holds no payment and can always be cancelled.
 * @throws FiscalError when the device refuses and the receipt stays open
 */
export async function putAway(device: ShtrihDevice, state: FullState): Promise<void> {
  await cancelReceipt(device);
  notePutAway(device.environment, { settlement: "cancelled", number: state.document });
}

/**
 * Cancels the open receipt; one that is gone already is as good as cancelled.
 * @throws FiscalError the refusal, when the receipt stays open
 */
export async function cancelReceipt(device: ShtrihDevice, password?: number): Promise<void> {
  const { fault } = await device.send("cancel", undefined, password);
  if (!fault || !isFiscalReceiptOpen(await device.fullState())) return;
  // Opened by another operator: only the administrator can cancel it.
  const again = await device.send("cancelAsAdministrator");
  if (again.fault && isFiscalReceiptOpen(await device.fullState())) throw again.fault;
}
