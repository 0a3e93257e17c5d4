/** Cash in and out of the drawer, and the running numbers that prove it. */

import type { CashResult } from "#core/command/cash-movement.ts";
import type { CommandSuccess, Resolution } from "#core/driver.ts";
import { fromMinor } from "#core/money.ts";
import { type CashCommand, cashMinor, drawerStepMinor } from "../shared/cash.ts";
import { type LedgerCounter, makeEntry, resolveEntry } from "../shared/ledger.ts";
import type { CommandContext, ResolveContext } from "./command.ts";
import { isNext } from "./counters.ts";
import type { ShtrihDevice } from "./device.ts";
import { uint } from "./fields.ts";
import { clearTheWay } from "./put-away.ts";
import { COUNT, MONEY } from "./requests.ts";

/** Cash by the device's registers, in minor units. */
interface Drawer {
  readonly balance: number;
  readonly cashIn: number;
  readonly cashOut: number;
}

/** The command, and its running number. */
const ENTRIES = {
  cash_in: { request: "cashIn", count: COUNT.cashIn },
  cash_out: { request: "cashOut", count: COUNT.cashOut },
} as const;

const CASH_MOVEMENTS: LedgerCounter = {
  name: "number",
  isMade: isNext,
  unchanged: "The number of the last cash movement has not changed",
  untold: "Cash was moved more than once since",
};

/** Reads the drawer. @throws FiscalError */
export async function readDrawer(device: ShtrihDevice): Promise<Drawer> {
  return {
    balance: await device.money(MONEY.cash),
    cashIn: await device.money(MONEY.cashIn),
    cashOut: await device.money(MONEY.cashOut),
  };
}

/** The drawer as currency units. */
export function describeDrawer({ balance, cashIn, cashOut }: Drawer) {
  return {
    cashBalance: fromMinor(balance),
    cashIn: fromMinor(cashIn),
    cashOut: fromMinor(cashOut),
  };
}

/** Registers a deposit or withdrawal. @throws FiscalError @throws DocumentInDoubt */
export async function moveCash(
  { device, command, progress }: CommandContext,
  type: CashCommand,
): Promise<CommandSuccess<CashResult>> {
  const { request, count } = ENTRIES[type];
  const amountMinor = cashMinor(type, command.payload);
  await clearTheWay(device);
  const drawer = await readDrawer(device);
  const before = await device.count(count);
  const make = async () => {
    await device.ask(request, uint(amountMinor, 5));
  };
  await makeEntry({ counter: CASH_MOVEMENTS, before, make }, progress);
  const data = describeDrawer({
    balance: drawer.balance + drawerStepMinor(type, command.payload),
    cashIn: drawer.cashIn + (type === "cash_in" ? amountMinor : 0),
    cashOut: drawer.cashOut + (type === "cash_out" ? amountMinor : 0),
  });
  return { data };
}

/** Finds out whether a deposit or withdrawal was registered. @throws FiscalError */
export async function recoverCash(
  { device, evidence }: ResolveContext,
  type: CashCommand,
): Promise<Resolution<CashResult>> {
  const now = await device.count(ENTRIES[type].count);
  const describe = async () => describeDrawer(await readDrawer(device));
  return resolveEntry({ counter: CASH_MOVEMENTS, evidence, now, describe });
}
