/** Cash in and out of the drawer, and the sums that prove it. */

import { checkedMinor } from "#core/command/amount.ts";
import type { CommandSuccess, Resolution } from "#core/driver.ts";
import { formatMinor, fromMinor } from "#core/money.ts";
import { readPayload } from "../shared/payload.ts";
import type { Answer } from "./answer.ts";
import type { CommandContext, ResolveContext } from "./command.ts";
import { judgeEntry, makeEntry } from "./ledger.ts";

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
): Promise<CommandSuccess> {
  const { action, sum } = ENTRIES[type];
  const amountMinor = checkedMinor(readPayload(type, command.payload).amount);
  const before = await device.ask("cashRead");
  const data = await makeEntry(
    {
      baseline: { sumMinor: before.minor(sum) },
      send: () => device.send(action, { amount: formatMinor(amountMinor) }),
      describe: readCash,
    },
    progress,
  );
  return { data };
}

/** Finds out whether a deposit or withdrawal was registered. @throws FiscalError */
export async function recoverCash(
  { device, command, evidence }: ResolveContext,
  type: CashCommand,
): Promise<Resolution> {
  const { sum } = ENTRIES[type];
  const amountMinor = checkedMinor(readPayload(type, command.payload).amount);
  const before = evidence.baseline.sumMinor;
  const answer = await device.ask("cashRead");
  const outcome = judgeEntry({
    before: typeof before === "number" ? before : null,
    now: answer.minor(sum),
    step: amountMinor,
  });
  switch (outcome) {
    case "printed":
      return { outcome, success: { data: { ...readCash(answer), recovered: true } } };
    case "not_printed":
      return { outcome, reason: "The day's cash sums have not changed" };
    case "unknown":
      return { outcome, reason: "The day's cash sums changed by another amount" };
    default:
      return outcome satisfies never;
  }
}
