/** Cash in and out of the drawer, and the sum that proves it. */

import { checkedMinor } from "#core/command/amount.ts";
import type { CashResult } from "#core/command/cash-movement.ts";
import type { CommandSuccess, Resolution } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import { formatMinor, fromMinor } from "#core/money.ts";
import { makeEntry, resolveEntry } from "../shared/ledger.ts";
import { readPayload } from "../shared/payload.ts";
import type { CommandContext, ResolveContext } from "./command.ts";
import type { ZfpDevice } from "./device.ts";
import { LIMITS } from "./dialect.ts";
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
): Promise<CommandSuccess<CashResult>> {
  const step = stepOf(type, command.payload);
  const amount = formatMinor(step);
  if (amount.length > LIMITS.number) {
    throw new FiscalError("E402", `amount: this device takes ${LIMITS.number} characters`);
  }
  const before = await readCashMinor(device);
  await makeEntry(
    {
      baseline: { sumMinor: before },
      make: async () => {
        const { fault } = await device.send("moveCash", `${operatorFields()};0;${amount}`);
        // An error of the device, such as no paper, may come with an entry that was made.
        if (fault && (await readCashMinor(device)) !== before + step) throw fault;
      },
    },
    progress,
  );
  return { data: describeCash(before + step) };
}

/** Finds out whether a deposit or withdrawal was registered. @throws FiscalError */
export async function recoverCash(
  { device, command, evidence }: ResolveContext,
  type: CashCommand,
): Promise<Resolution<CashResult>> {
  const now = await readCashMinor(device);
  const step = stepOf(type, command.payload);
  return resolveEntry({
    before: evidence.baseline.sumMinor,
    now,
    isMade: (before) => now === before + step,
    describe: () => describeCash(now),
    unchanged: "The cash in the drawer has not changed",
    untold: "The cash in the drawer changed by another amount",
  });
}

/** What the command adds to the drawer, in minor units. */
function stepOf(type: CashCommand, payload: unknown): number {
  return SIGN[type] * checkedMinor(readPayload(type, payload).amount);
}
