/** Cash in and out of the drawer, and the sum that proves it. */

import { checkedMinor } from "#core/command/amount.ts";
import type { CommandSuccess, Resolution } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import { formatMinor, fromMinor } from "#core/money.ts";
import { readPayload } from "../shared/payload.ts";
import type { CommandContext, ResolveContext } from "./command.ts";
import type { ZfpDevice } from "./device.ts";
import { LIMITS } from "./dialect.ts";
import { judgeEntry, makeEntry } from "./ledger.ts";
import { operatorFields } from "./operator.ts";

type CashCommand = "cash_in" | "cash_out";

const SIGN = { cash_in: 1, cash_out: -1 } as const;

/** Cash in the drawer, in minor units. @throws FiscalError */
export async function readCashMinor(device: ZfpDevice): Promise<number> {
  return (await device.ask("registers", "0")).minor(1);
}

/** The cash as currency units. What was put in and taken out is not told apart. */
export function describeCash(cashMinor: number) {
  return { cashBalance: fromMinor(cashMinor), cashIn: null, cashOut: null };
}

/** Registers a deposit or withdrawal. @throws FiscalError @throws DocumentInDoubt */
export async function moveCash(
  { device, command, progress }: CommandContext,
  type: CashCommand,
): Promise<CommandSuccess> {
  const step = stepOf(type, command.payload);
  const amount = formatMinor(step);
  if (amount.length > LIMITS.number) {
    throw new FiscalError("E402", `amount: this device takes ${LIMITS.number} characters`);
  }
  const before = await readCashMinor(device);
  await makeEntry(
    {
      baseline: { sumMinor: before },
      send: () => device.send("moveCash", `${operatorFields()};0;${amount}`),
      wasMade: async () => (await readCashMinor(device)) === before + step,
    },
    progress,
  );
  return { data: describeCash(before + step) };
}

/** Finds out whether a deposit or withdrawal was registered. @throws FiscalError */
export async function recoverCash(
  { device, command, evidence }: ResolveContext,
  type: CashCommand,
): Promise<Resolution> {
  const before = evidence.baseline.sumMinor;
  const now = await readCashMinor(device);
  const outcome = judgeEntry({
    before: typeof before === "number" ? before : null,
    now,
    step: stepOf(type, command.payload),
  });
  switch (outcome) {
    case "printed":
      return { outcome, success: { data: { ...describeCash(now), recovered: true } } };
    case "not_printed":
      return { outcome, reason: "The cash in the drawer has not changed" };
    case "unknown":
      return { outcome, reason: "The cash in the drawer changed by another amount" };
    default:
      return outcome satisfies never;
  }
}

/** What the command adds to the drawer, in minor units. */
function stepOf(type: CashCommand, payload: unknown): number {
  return SIGN[type] * checkedMinor(readPayload(type, payload).amount);
}
