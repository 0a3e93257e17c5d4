/** Cash in and out of the drawer, and the running numbers and sums that tell of it. */

import type { CashResult } from "#core/command/cash-movement.ts";
import type { CommandSuccess, Resolution } from "#core/driver.ts";
import { fromMinor } from "#core/money.ts";
import { type CashCommand, cashMinor, drawerStepMinor } from "../shared/cash.ts";
import { type EntryKind, type LedgerReads, makeEntry, resolveEntry } from "../shared/ledger.ts";
import type { CommandContext, ResolveContext } from "./command.ts";
import type { ShtrihDevice } from "./device.ts";
import { uint } from "./fields.ts";
import { readReady } from "./put-away.ts";
import { COUNT, MONEY } from "./requests.ts";

/** Cash by the device's registers, in minor units. */
interface Drawer {
  readonly balance: number;
  readonly cashIn: number;
  readonly cashOut: number;
}

/** The command, its running number, and the sum of the day that it raises. */
const ENTRIES = {
  cash_in: { request: "cashIn", count: COUNT.cashIn, sum: MONEY.cashIn },
  cash_out: { request: "cashOut", count: COUNT.cashOut, sum: MONEY.cashOut },
} as const;

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
  const { request } = ENTRIES[type];
  const amountMinor = cashMinor(type, command.payload);
  await readReady(device);
  const drawer = await readDrawer(device);
  const make = async () => {
    await device.ask(request, uint(amountMinor, 5));
  };
  const entry: EntryKind = { kind: "movement", amountMinor };
  await makeEntry({ entry, reads: readsOf(device, type), make }, progress);
  const data = describeDrawer({
    balance: drawer.balance + drawerStepMinor(type, command.payload),
    cashIn: drawer.cashIn + (type === "cash_in" ? amountMinor : 0),
    cashOut: drawer.cashOut + (type === "cash_out" ? amountMinor : 0),
  });
  return { data };
}

/** Finds out whether a deposit or withdrawal was registered. @throws FiscalError */
export async function recoverCash(
  { device, command, evidence }: ResolveContext,
  type: CashCommand,
): Promise<Resolution<CashResult>> {
  const entry: EntryKind = { kind: "movement", amountMinor: cashMinor(type, command.payload) };
  const describe = async () => describeDrawer(await readDrawer(device));
  return resolveEntry({ entry, evidence, reads: readsOf(device, type), describe });
}

function readsOf(device: ShtrihDevice, type: CashCommand): LedgerReads {
  const { count, sum } = ENTRIES[type];
  return {
    zNumber: async () => (await device.fullState()).lastClosedDay,
    moved: async () => ({
      movements: await device.count(count),
      sumMinor: await device.money(sum),
    }),
  };
}
