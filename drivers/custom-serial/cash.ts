/** Cash in and out of the drawer, and the sum that proves it. */

import type { CashResult } from "#core/command/cash-movement.ts";
import type { CommandSuccess, Resolution } from "#core/driver.ts";
import { DocumentInDoubt, FiscalError } from "#core/errors.ts";
import { type CashCommand, cashMinor, describeDrawerSum, drawerStepMinor } from "../shared/cash.ts";
import {
  drawerMovedBy,
  makeEntry,
  type ProvenFrame,
  resolveEntry,
  sendProven,
} from "../shared/ledger.ts";
import type { ActionName } from "./actions.ts";
import type { CommandContext, ResolveContext } from "./command.ts";
import { type CustomDevice, integerOf } from "./device.ts";
import { pauseFault } from "./status.ts";
import type { Values } from "./template.ts";

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
  const before = await readCashMinor(device);
  // Where nothing tells afterwards, what can fail beforehand fails beforehand.
  const pause = before === null ? pauseFault(await device.readSensors()) : undefined;
  if (pause) throw pause;
  const step = drawerStepMinor(type, command.payload);
  const proof = { counter: drawerMovedBy(step), before, read: () => readCashMinor(device) };
  const make = () => sendConfirmed(device, { name: ACTION[type], values: { amount } }, proof);
  await makeEntry({ ...proof, make }, progress);
  return { data: describeDrawerSum(before === null ? null : before + step) };
}

/** Finds out whether a deposit or withdrawal was registered. @throws FiscalError */
export async function recoverCash(
  { device, command, evidence }: ResolveContext,
  type: CashCommand,
): Promise<Resolution<CashResult>> {
  const now = await readCashMinor(device);
  const counter = drawerMovedBy(drawerStepMinor(type, command.payload));
  return resolveEntry({ counter, evidence, now, describe: () => describeDrawerSum(now) });
}

/**
 * Makes an entry. What is never answered is never known to be made.
 * @throws FiscalError as `sendProven`
 * @throws DocumentInDoubt when it may have been made; always on devices without answers
 */
export async function sendConfirmed(
  device: CustomDevice,
  { name, values }: { readonly name: ActionName; readonly values: Values },
  proof: Omit<ProvenFrame, "send">,
): Promise<void> {
  await sendProven({ ...proof, send: async () => (await device.send(name, values)).fault });
  if (device.confirms) return;
  throw new DocumentInDoubt(new FiscalError("E501", "This device confirms nothing"));
}
