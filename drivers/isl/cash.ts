/** Cash in and out of the drawer, and the sums that prove it. */

import type { CashResult } from "#core/command/cash-movement.ts";
import type { CommandSuccess, Resolution } from "#core/driver.ts";
import { formatMinor, fromMinor } from "#core/money.ts";
import { type CashCommand, cashMinor } from "../shared/cash.ts";
import { type LedgerCounter, makeEntry, resolveEntry } from "../shared/ledger.ts";
import type { Answer } from "./answer.ts";
import type { CommandContext, ResolveContext } from "./command.ts";

/** The device command, and the sum of the day that it raises. */
const ENTRIES = {
  cash_in: { action: "cashIn", sum: "in" },
  cash_out: { action: "cashOut", sum: "out" },
} as const;

/** The day's sum of deposits, or of withdrawals, goes up by the amount. */
function daySum(amountMinor: number): LedgerCounter {
  return {
    name: "sumMinor",
    isMade: (before, now) => now === before + amountMinor,
    unchanged: "The day's cash sums have not changed",
    untold: "The day's cash sums changed by another amount",
  };
}

/** The day's cash as currency units. */
export function readCash(answer: Answer) {
  return {
    cashBalance: fromMinor(answer.minor("cash")),
    cashIn: fromMinor(answer.minor("in")),
    cashOut: fromMinor(answer.minor("out")),
  };
}

/** Registers a deposit or withdrawal. @throws FiscalError @throws DocumentInDoubt */
export async function moveCash(
  { device, command, progress }: CommandContext,
  type: CashCommand,
): Promise<CommandSuccess<CashResult>> {
  const { action, sum } = ENTRIES[type];
  const amountMinor = cashMinor(type, command.payload);
  const before = (await device.ask("cashRead")).minor(sum);
  const make = async () => readCash(await device.ask(action, { amount: formatMinor(amountMinor) }));
  return { data: await makeEntry({ counter: daySum(amountMinor), before, make }, progress) };
}

/** Finds out whether a deposit or withdrawal was registered. @throws FiscalError */
export async function recoverCash(
  { device, command, evidence }: ResolveContext,
  type: CashCommand,
): Promise<Resolution<CashResult>> {
  const counter = daySum(cashMinor(type, command.payload));
  const answer = await device.ask("cashRead");
  const now = answer.minor(ENTRIES[type].sum);
  return resolveEntry({ counter, evidence, now, describe: () => readCash(answer) });
}
