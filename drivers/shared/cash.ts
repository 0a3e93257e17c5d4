/** Deposits and withdrawals: the amount of the payload, and the cash of devices that tell one sum. */

import { checkedMinor } from "#core/command/amount.ts";
import type { CashResult } from "#core/command/cash-movement.ts";
import type { DriverCommand, Evidence, Resolution } from "#core/driver.ts";
import { fromMinor } from "#core/money.ts";
import { unlessUntold } from "./device-fault.ts";
import { type LedgerReads, resolveEntry } from "./ledger.ts";
import { readPayload } from "./payload.ts";

export type CashCommand = "cash_in" | "cash_out";

/** The amount, in minor units. @throws FiscalError E400 */
export function cashMinor(type: CashCommand, payload: unknown): number {
  return checkedMinor(readPayload(type, payload).amount);
}

/** What the command adds to the drawer, in minor units. @throws FiscalError E400 */
export function drawerStepMinor(type: CashCommand, payload: unknown): number {
  return type === "cash_in" ? cashMinor(type, payload) : 0 - cashMinor(type, payload);
}

/**
 * The cash of a device that tells what is in the drawer, but not what was put in and taken out.
 * @param drawerMinor null when it does not tell that either
 */
export function describeDrawerSum(drawerMinor: number | null) {
  const cashBalance = drawerMinor === null ? null : fromMinor(drawerMinor);
  return { cashBalance, cashIn: null, cashOut: null };
}

/** A deposit or withdrawal in doubt. */
export interface DoubtfulMovement {
  readonly command: DriverCommand;
  readonly evidence: Evidence;
  readonly reads: LedgerReads;
  /** Reads the drawer for the result. */
  describe(): Promise<CashResult>;
}

/**
 * What became of a deposit or withdrawal. One that the device has confirmed is made, whether it tells
 * of its drawer now or not.
 * @throws FiscalError a line fault: ask again
 */
export async function resolveMovement(
  type: CashCommand,
  { command, evidence, reads, describe }: DoubtfulMovement,
): Promise<Resolution<CashResult>> {
  return resolveEntry({
    entry: { kind: "movement", amountMinor: cashMinor(type, command.payload) },
    evidence,
    reads,
    describe: async () => (await unlessUntold(describe())) ?? describeDrawerSum(null),
  });
}
