/** Puts away a receipt that stands open on the device, and refuses what no document could pass. */

import { FiscalError } from "#core/errors.ts";
import { BusyWait, DeviceBusy } from "../shared/busy.ts";
import { clockNotSet, stateFault } from "../shared/device-fault.ts";
import type { SlipOnDevice } from "../shared/left-slip.ts";
import { clearDevice, notePutAway } from "../shared/put-away.ts";
import type { ShtrihDevice } from "./device.ts";
import {
  type FullState,
  isFiscalReceiptOpen,
  isMemoryFull,
  isNonFiscalOpen,
  MODE,
} from "./status.ts";

/**
 * Reads the device, and refuses what would make anything fail that prints.
 * @throws FiscalError E306 or E307 when it cannot print, E304 when it waits for a person
 */
export async function readReady(device: ShtrihDevice): Promise<FullState> {
  const state = await device.settledState();
  const fault = device.printFault(state);
  if (fault) throw fault;
  if (state.mode === MODE.locked || state.mode === MODE.reset) {
    throw new FiscalError("E304", "The device waits for a technician");
  }
  return state;
}

/**
 * Puts away what stands open on the device, so that a document or a slip begins clean.
 * @throws FiscalError as `readReady`, or what keeps it open
 */
export function clearTheWay(device: ShtrihDevice): Promise<FullState> {
  return clearDevice(async () => {
    const state = await readReady(device);
    if (isNonFiscalOpen(state)) return { putAway: () => slipOn(device).close() };
    return isFiscalReceiptOpen(state)
      ? { putAway: () => putAwayOpenReceipt(device, state) }
      : { clear: state };
  });
}

/** The device's slip. */
export function slipOn(device: ShtrihDevice): SlipOnDevice {
  return {
    environment: device.environment,
    readOpen: async () => {
      const state = await device.settledState();
      if (isNonFiscalOpen(state)) return "slip";
      return isFiscalReceiptOpen(state) ? "receipt" : undefined;
    },
    close: () => device.ask("closeText"),
  };
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
 * @param found what the device showed of it
 * @throws FiscalError when the device refuses and the receipt stays open
 */
export async function putAwayOpenReceipt(
  device: ShtrihDevice,
  found: Pick<FullState, "document">,
): Promise<void> {
  const done = await cancelFound(device, found);
  if (done === "cancelled") await noteCancelled(device);
}

/**
 * The same without a note. A printer that still prints is given it again as long as that receipt stands
 * open: it gets its number as it is finished or cancelled, so until then the last number stays.
 * @returns `gone` when it is not open any more
 */
export async function cancelFound(
  device: ShtrihDevice,
  found: Pick<FullState, "document">,
): Promise<"cancelled" | "gone"> {
  const busy = new BusyWait(device.environment);
  for (;;) {
    const done = await cancelReceipt(device);
    if (!(done instanceof DeviceBusy)) return done;
    if (!(await busy.passed(done))) throw done;
    const now = await device.settledState();
    if (!isFiscalReceiptOpen(now) || now.document !== found.document) return "gone";
  }
}

/** Writes a receipt that was cancelled a moment ago into the log. @throws FiscalError */
export async function noteCancelled(device: ShtrihDevice): Promise<void> {
  // It gets its number as it is cancelled.
  const { document } = await device.settledState();
  notePutAway(device.environment, "cancelled", { number: document });
}

/**
 * Cancels whatever receipt is open.
 * @returns `gone` when none is open any more; the refusal of a printer that still prints, which wants
 *   another look at what is open
 * @throws FiscalError the refusal, when the receipt stays open
 */
export async function cancelReceipt(
  device: ShtrihDevice,
  password?: number,
): Promise<"cancelled" | "gone" | DeviceBusy> {
  const { fault } = await device.offer("cancel", undefined, password);
  if (!fault) return "cancelled";
  if (fault instanceof DeviceBusy) return fault;
  if (!isFiscalReceiptOpen(await device.settledState())) return "gone";
  // Opened by another operator: only the administrator can cancel it.
  const { fault: again } = await device.offer("cancelAsAdministrator");
  if (!again) return "cancelled";
  if (again instanceof DeviceBusy) return again;
  if (isFiscalReceiptOpen(await device.settledState())) throw again;
  return "gone";
}
