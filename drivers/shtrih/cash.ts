/** Cash in and out of the drawer, and the running numbers that prove it. */

import { checkedMinor } from "#core/command/amount.ts";
import type { CashResult } from "#core/command/cash-movement.ts";
import type { CommandSuccess, Resolution } from "#core/driver.ts";
import { fromMinor } from "#core/money.ts";
import { makeEntry, resolveEntry } from "../shared/ledger.ts";
import { readPayload } from "../shared/payload.ts";
import { clearTheWay, isNext } from "./account.ts";
import type { CommandContext, ResolveContext } from "./command.ts";
import type { ShtrihDevice } from "./device.ts";
import { uint } from "./fields.ts";
import { COUNT, MONEY } from "./requests.ts";

type CashCommand = "cash_in" | "cash_out";

/** Cash by the device's registers, in minor units. */
interface Drawer {
  readonly balance: number;
  readonly cashIn: number;
  readonly cashOut: number;
}

/** The command, its running number, and how an entry moves the registers. */
const ENTRIES = {
  cash_in: { request: "cashIn", count: COUNT.cashIn, sign: 1 },
  cash_out: { request: "cashOut", count: COUNT.cashOut, sign: -1 },
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
  const { request, count, sign } = ENTRIES[type];
  const amountMinor = checkedMinor(readPayload(type, command.payload).amount);
  await clearTheWay(device);
  const before = await readDrawer(device);
  const number = await device.count(count);
  await makeEntry(
    {
      baseline: { number },
      make: async () => {
        await device.ask(request, uint(amountMinor, 5));
      },
    },
    progress,
  );
  const data = describeDrawer({
    balance: before.balance + sign * amountMinor,
    cashIn: before.cashIn + (type === "cash_in" ? amountMinor : 0),
    cashOut: before.cashOut + (type === "cash_out" ? amountMinor : 0),
  });
  return { data };
}

/** Finds out whether a deposit or withdrawal was registered. @throws FiscalError */
export async function recoverCash(
  { device, evidence }: ResolveContext,
  type: CashCommand,
): Promise<Resolution<CashResult>> {
  return resolveEntry({
    before: evidence.baseline.number,
    now: await device.count(ENTRIES[type].count),
    isMade: isNext,
    describe: async () => describeDrawer(await readDrawer(device)),
    unchanged: "The number of the last cash movement has not changed",
    untold: "Cash was moved more than once since",
  });
}
