/** Cash in and out of the drawer, and what tells of it. */

import type { CashResult } from "#core/command/cash-movement.ts";
import type { CommandSuccess, Resolution } from "#core/driver.ts";
import { DocumentInDoubt, FiscalError } from "#core/errors.ts";
import {
  type CashCommand,
  cashMinor,
  describeDrawerSum,
  drawerStepMinor,
  resolveMovement,
} from "../shared/cash.ts";
import { stateFault } from "../shared/device-fault.ts";
import { type EntryKind, type LedgerReads, makeEntry } from "../shared/ledger.ts";
import type { ActionName } from "./actions.ts";
import type { CommandContext, ResolveContext } from "./command.ts";
import { type CustomDevice, integerOf } from "./device.ts";
import { isBusy, readLastMark } from "./receipts.ts";
import { requireReadiness } from "./status.ts";
import type { Values } from "./template.ts";
import { readZNumber } from "./z-number.ts";

const ACTION = { cash_in: "cashIn", cash_out: "cashOut" } as const;

/** Cash in the drawer, in minor units; null when the device does not tell. @throws FiscalError */
export async function readCashMinor(device: CustomDevice): Promise<number | null> {
  const fields = await device.tryAsk("cash");
  if (!fields) return null;
  const amount = integerOf(fields, "amount");
  return fields.get("sign") === "-" ? 0 - amount : amount;
}

/** Registers a deposit or withdrawal. @throws FiscalError @throws DocumentInDoubt */
export async function moveCash(
  { device, command, progress }: CommandContext,
  type: CashCommand,
): Promise<CommandSuccess<CashResult>> {
  const amount = cashMinor(type, command.payload);
  if (amount > device.profile.limits.amountMinor) {
    throw new FiscalError("E402", "amount: larger than this device takes");
  }
  device.require(ACTION[type]);
  const drawerMinor = await readCashMinor(device);
  if (drawerMinor === null) await requireQuiet(device);
  const make = () => sendConfirmed(device, { name: ACTION[type], values: { amount } });
  const entry: EntryKind = { kind: "movement", amountMinor: amount };
  await makeEntry({ entry, reads: readsOf(device), make }, progress);
  const step = drawerStepMinor(type, command.payload);
  return { data: describeDrawerSum(drawerMinor === null ? null : drawerMinor + step) };
}

/**
 * Where nothing tells afterwards whether cash was moved, what can fail beforehand fails beforehand.
 * @throws FiscalError E300 to E307
 */
async function requireQuiet(device: CustomDevice): Promise<void> {
  const reading = await device.readState();
  requireReadiness(reading);
  const { position } = reading;
  // A slip is closed before the entry is made.
  if (isBusy(position) && position?.slipOpen !== true) throw stateFault("E301");
}

/** Finds out whether a deposit or withdrawal was registered. @throws FiscalError */
export function recoverCash(
  { device, command, evidence }: ResolveContext,
  type: CashCommand,
): Promise<Resolution<CashResult>> {
  const describe = async () => describeDrawerSum(await readCashMinor(device));
  const reads = readsOf(device);
  return resolveMovement(type, { command, evidence, reads, describe });
}

function readsOf(device: CustomDevice): LedgerReads {
  return {
    zNumber: () => readZNumber(device),
    moved: async () => ({
      drawerMinor: await readCashMinor(device),
      lastDocument: await readLastMark(device),
    }),
  };
}

/**
 * Makes an entry. What is never answered is never known to be made.
 * @throws FiscalError a refusal, or a line fault
 * @throws DocumentInDoubt on devices without answers
 */
export async function sendConfirmed(
  device: CustomDevice,
  { name, values }: { readonly name: ActionName; readonly values: Values },
): Promise<void> {
  await device.ask(name, values);
  if (device.confirms) return;
  throw new DocumentInDoubt(new FiscalError("E501", "This device confirms nothing"));
}
