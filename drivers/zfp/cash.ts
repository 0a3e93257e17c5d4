/** Cash in and out of the drawer, and the sum that proves it. */

import type { CashResult } from "#core/command/cash-movement.ts";
import type { CommandSuccess, Resolution } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import { formatMinor } from "#core/money.ts";
import { type CashCommand, describeDrawerSum, drawerStepMinor } from "../shared/cash.ts";
import { drawerMovedBy, makeEntry, resolveEntry, sendProven } from "../shared/ledger.ts";
import type { CommandContext, ResolveContext } from "./command.ts";
import type { ZfpDevice } from "./device.ts";
import { LIMITS } from "./dialect.ts";
import { operatorFields } from "./operator.ts";

/** Cash in the drawer, in minor units. @throws FiscalError */
export async function readCashMinor(device: ZfpDevice): Promise<number> {
  return (await device.ask("registers", "0")).minor(1);
}

/** Registers a deposit or withdrawal. @throws FiscalError @throws DocumentInDoubt */
export async function moveCash(
  { device, command, progress }: CommandContext,
  type: CashCommand,
): Promise<CommandSuccess<CashResult>> {
  const step = drawerStepMinor(type, command.payload);
  const amount = formatMinor(step);
  if (amount.length > LIMITS.number) {
    throw new FiscalError("E402", `amount: this device takes ${LIMITS.number} characters`);
  }
  const counter = drawerMovedBy(step);
  const before = await readCashMinor(device);
  const send = async () => (await device.send("moveCash", `${operatorFields()};0;${amount}`)).fault;
  const make = () => sendProven({ counter, before, send, read: () => readCashMinor(device) });
  await makeEntry({ counter, before, make }, progress);
  return { data: describeDrawerSum(before + step) };
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
