/** Cash in and out of the drawer, and the running numbers and sums that tell of it. */

import type { CashResult } from "#core/command/cash-movement.ts";
import type { CommandSuccess, Resolution } from "#core/driver.ts";
import { fromMinor } from "#core/money.ts";
import { type CashCommand, cashMinor, drawerStepMinor, resolveMovement } from "../shared/cash.ts";
import { type EntryKind, type LedgerReads, makeEntry } from "../shared/ledger.ts";
import type { CommandContext, ResolveContext } from "./command.ts";
import type { ShtrihDevice } from "./device.ts";
import { uint } from "./fields.ts";
import { readReady } from "./put-away.ts";
import { COUNT, MONEY } from "./requests.ts";
import { readZNumber } from "./z-number.ts";

/** Cash by the device's registers, in minor units; null where the model lacks one. */
interface Drawer {
  readonly balance: number | null;
  readonly cashIn: number | null;
  readonly cashOut: number | null;
}

/** The command, its running number, and the sum of the day that it raises. */
const ENTRIES = {
  cash_in: { request: "cashIn", count: COUNT.cashIn, sum: MONEY.cashIn },
  cash_out: { request: "cashOut", count: COUNT.cashOut, sum: MONEY.cashOut },
} as const;

/** Reads the drawer. @throws FiscalError */
export async function readDrawer(device: ShtrihDevice): Promise<Drawer> {
  return {
    balance: (await device.moneyUnlessLacking(MONEY.cash)) ?? null,
    cashIn: (await device.moneyUnlessLacking(MONEY.cashIn)) ?? null,
    cashOut: (await device.moneyUnlessLacking(MONEY.cashOut)) ?? null,
  };
}

/** The drawer as currency units. */
export function describeDrawer({ balance, cashIn, cashOut }: Drawer) {
  return {
    cashBalance: amountOf(balance),
    cashIn: amountOf(cashIn),
    cashOut: amountOf(cashOut),
  };
}

/** Minor units as currency units. */
export function amountOf(minor: number | null): number | null {
  return minor === null ? null : fromMinor(minor);
}

function behind(before: number | null, stepMinor: number): number | null {
  return before === null ? null : before + stepMinor;
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
    balance: behind(drawer.balance, drawerStepMinor(type, command.payload)),
    cashIn: behind(drawer.cashIn, type === "cash_in" ? amountMinor : 0),
    cashOut: behind(drawer.cashOut, type === "cash_out" ? amountMinor : 0),
  });
  return { data };
}

/** Finds out whether a deposit or withdrawal was registered. @throws FiscalError */
export function recoverCash(
  { device, command, evidence }: ResolveContext,
  type: CashCommand,
): Promise<Resolution<CashResult>> {
  const describe = async () => describeDrawer(await readDrawer(device));
  const reads = readsOf(device, type);
  return resolveMovement(type, { command, evidence, reads, describe });
}

function readsOf(device: ShtrihDevice, type: CashCommand): LedgerReads {
  const { count, sum } = ENTRIES[type];
  return {
    zNumber: () => readZNumber(device),
    movements: async () => (await device.countUnlessLacking(count)) ?? null,
    moved: async () => ({ sumMinor: (await device.moneyUnlessLacking(sum)) ?? null }),
  };
}
