/** Cash in and out of the drawer, and the sum that proves it. */

import { checkedMinor } from "#core/command/amount.ts";
import type { CommandSuccess, Resolution } from "#core/driver.ts";
import { DocumentInDoubt, FiscalError, isPauseFault } from "#core/errors.ts";
import { fromMinor } from "#core/money.ts";
import { makeEntry, resolveEntry } from "../shared/ledger.ts";
import { readPayload } from "../shared/payload.ts";
import type { CommandContext, ResolveContext } from "./command.ts";
import { type CustomDevice, integerOf } from "./device.ts";
import { pauseFault } from "./status.ts";

type CashCommand = "cash_in" | "cash_out";

const SIGN = { cash_in: 1, cash_out: -1 } as const;
const ACTION = { cash_in: "cashIn", cash_out: "cashOut" } as const;

/** Cash in the drawer, in minor units; null when the device does not tell. @throws FiscalError */
export async function readCashMinor(device: CustomDevice): Promise<number | null> {
  const fields = await device.tryAsk("cash");
  if (!fields) return null;
  const amount = integerOf(fields, "amount");
  return fields.get("sign") === "-" ? 0 - amount : amount;
}

/** The cash as currency units. What was put in and taken out is not told apart. */
export function describeCash(cashMinor: number | null) {
  const cashBalance = cashMinor === null ? null : fromMinor(cashMinor);
  return { cashBalance, cashIn: null, cashOut: null };
}

/** Registers a deposit or withdrawal. @throws FiscalError @throws DocumentInDoubt */
export async function moveCash(
  { device, command, progress }: CommandContext,
  type: CashCommand,
): Promise<CommandSuccess> {
  const amountMinor = checkedMinor(readPayload(type, command.payload).amount);
  if (amountMinor > device.profile.limits.amountMinor) {
    throw new FiscalError("E402", "amount: larger than this device takes");
  }
  device.require(ACTION[type]);
  const before = await readCashMinor(device);
  const after = before === null ? null : before + SIGN[type] * amountMinor;
  // Where nothing tells afterwards, what can fail beforehand fails beforehand.
  const pause = before === null ? pauseFault(await device.readSensors()) : undefined;
  if (pause) throw pause;
  await makeEntry(
    {
      baseline: { sumMinor: before },
      make: async () => {
        const { fault } = await device.send(ACTION[type], { amount: amountMinor });
        requireConfirmation(device);
        if (!fault) return;
        const now = await readCashMinor(device);
        requireMade(fault, after === null || now === null ? undefined : now === after);
      },
    },
    progress,
  );
  return { data: describeCash(after) };
}

/** Finds out whether a deposit or withdrawal was registered. @throws FiscalError */
export async function recoverCash(
  { device, command, evidence }: ResolveContext,
  type: CashCommand,
): Promise<Resolution> {
  const now = await readCashMinor(device);
  const step = SIGN[type] * checkedMinor(readPayload(type, command.payload).amount);
  return resolveEntry({
    before: evidence.baseline.sumMinor,
    now,
    isMade: (before) => now === before + step,
    describe: () => describeCash(now),
    unchanged: "The cash in the drawer has not changed",
    untold: "The cash in the drawer does not tell",
  });
}

/**
 * An error of the device, such as no paper, may come with an entry that was made.
 * @param isMade what the device's count says; undefined where nothing tells
 * @throws FiscalError the refusal of an entry that was not made
 * @throws DocumentInDoubt when it may have been made
 */
export function requireMade(fault: FiscalError, isMade: boolean | undefined): void {
  if (isMade) return;
  throw isMade === undefined && isPauseFault(fault) ? new DocumentInDoubt(fault) : fault;
}

/**
 * What is never answered is never known to be done.
 * @throws DocumentInDoubt on devices without answers
 */
export function requireConfirmation(device: CustomDevice): void {
  if (device.confirms) return;
  throw new DocumentInDoubt(new FiscalError("E501", "This device confirms nothing"));
}
