/** Cash in and out of the drawer, and the sums that prove it. */

import { checkedMinor } from "#core/command/amount.ts";
import type { CashResult } from "#core/command/cash-movement.ts";
import type { CommandSuccess, Resolution } from "#core/driver.ts";
import { formatMinor, fromMinor } from "#core/money.ts";
import { makeEntry, resolveEntry } from "../shared/ledger.ts";
import { readPayload } from "../shared/payload.ts";
import type { Answer } from "./answer.ts";
import type { CommandContext, ResolveContext } from "./command.ts";

type CashCommand = "cash_in" | "cash_out";

/** The device command, and the sum of the day that it raises. */
const ENTRIES = {
  cash_in: { action: "cashIn", sum: "in" },
  cash_out: { action: "cashOut", sum: "out" },
} as const;

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
  const amountMinor = checkedMinor(readPayload(type, command.payload).amount);
  const before = await device.ask("cashRead");
  const data = await makeEntry(
    {
      baseline: { sumMinor: before.minor(sum) },
      make: async () => readCash(await device.ask(action, { amount: formatMinor(amountMinor) })),
    },
    progress,
  );
  return { data };
}

/** Finds out whether a deposit or withdrawal was registered. @throws FiscalError */
export async function recoverCash(
  { device, command, evidence }: ResolveContext,
  type: CashCommand,
): Promise<Resolution<CashResult>> {
  const { sum } = ENTRIES[type];
  const amountMinor = checkedMinor(readPayload(type, command.payload).amount);
  const answer = await device.ask("cashRead");
  return resolveEntry({
    before: evidence.baseline.sumMinor,
    now: answer.minor(sum),
    isMade: (before, now) => now === before + amountMinor,
    describe: () => readCash(answer),
    unchanged: "The day's cash sums have not changed",
    untold: "The day's cash sums changed by another amount",
  });
}
