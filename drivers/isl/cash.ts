/** Cash in and out of the drawer, and the sums of the day that tell of it. */

import type { CashResult, MovedCashResult } from "#core/command/cash-movement.ts";
import type { CommandSuccess, Resolution } from "#core/driver.ts";
import { formatMinor, fromMinor } from "#core/money.ts";
import { type CashCommand, cashMinor, resolveMovement } from "../shared/cash.ts";
import { type EntryKind, type LedgerReads, makeEntry } from "../shared/ledger.ts";
import type { Answer } from "./answer.ts";
import type { CommandContext, ResolveContext } from "./command.ts";
import type { IslDevice } from "./device.ts";
import { lastDocumentNumber } from "./last-receipt.ts";
import { readZNumber } from "./z-number.ts";

/** The device command, and the sum of the day that it raises. */
const ENTRIES = {
  cash_in: { action: "cashIn", sum: "in" },
  cash_out: { action: "cashOut", sum: "out" },
} as const;
/** How short answers say that cash was moved; `F` is the other word. */
const MOVED = "P";

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
): Promise<CommandSuccess<MovedCashResult>> {
  const { action, sum } = ENTRIES[type];
  const amountMinor = cashMinor(type, command.payload);
  const make = async ({ sumMinor }: { readonly sumMinor: number | null }) => {
    const answer = await device.send(action, { amount: formatMinor(amountMinor) });
    // A state of the printer may stand in the status of an answer that tells of success.
    const isMade =
      answer.optional("result") === MOVED && answer.minor(sum) >= (sumMinor ?? 0) + amountMinor;
    if (answer.fault && !isMade) throw answer.fault;
    return readCash(answer);
  };
  const entry: EntryKind = { kind: "movement", amountMinor };
  const cash = await makeEntry({ entry, reads: readsOf(device, type), make }, progress);
  return { data: { ...cash, ...(await lastDocumentNumber(device)) } };
}

/** Finds out whether a deposit or withdrawal was registered. @throws FiscalError */
export function recoverCash(
  { device, command, evidence }: ResolveContext,
  type: CashCommand,
): Promise<Resolution<CashResult>> {
  const describe = async () => readCash(await device.ask("cashRead"));
  const reads = readsOf(device, type);
  return resolveMovement(type, { command, evidence, reads, describe });
}

function readsOf(device: IslDevice, type: CashCommand): LedgerReads {
  return {
    zNumber: () => readZNumber(device),
    moved: async () => ({ sumMinor: (await device.ask("cashRead")).minor(ENTRIES[type].sum) }),
  };
}
