/** Cash in and out of the drawer, and the sums of the day that tell of it. */

import type { CashResult } from "#core/command/cash-movement.ts";
import type { CommandSuccess, DriverCommand, Resolution } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import { formatMinor } from "#core/money.ts";
import {
  type CashCommand,
  describeDrawerSum,
  drawerStepMinor,
  resolveMovement,
} from "../shared/cash.ts";
import { type EntryKind, type LedgerReads, makeEntry } from "../shared/ledger.ts";
import { readPayload } from "../shared/payload.ts";
import type { CommandContext, ResolveContext } from "./command.ts";
import type { ZfpDevice } from "./device.ts";
import { LIMITS } from "./dialect.ts";
import { operatorFields } from "./operator.ts";
import { fitText } from "./text.ts";
import { readZNumber } from "./z-number.ts";

/**
 * The registers of what was received, and of what was paid out, apart from receipts: the day's sum
 * of each tender, cash first. UNCONFIRMED: the layout is that of the maker's library, as edabg/fpgate
 * has it.
 */
const REGISTERS = { cash_in: "2", cash_out: "3" } as const;

/** Cash in the drawer, in minor units. @throws FiscalError */
export async function readCashMinor(device: ZfpDevice): Promise<number> {
  return (await device.ask("registers", "0")).minor(1);
}

/** Registers a deposit or withdrawal. @throws FiscalError @throws DocumentInDoubt */
export async function moveCash(
  { device, command, progress }: CommandContext,
  type: CashCommand,
): Promise<CommandSuccess<CashResult>> {
  const step = drawerStepMinor(type, command.payload);
  const amount = formatMinor(step);
  if (amount.length > LIMITS.number) {
    throw new FiscalError("E402", `amount: this device takes ${LIMITS.number} characters`);
  }
  const drawerMinor = await readCashMinor(device);
  const make = async () => {
    await device.ask("moveCash", `${operatorFields()};0;${amount}${textOf(command)}`);
  };
  const entry: EntryKind = { kind: "movement", amountMinor: Math.abs(step) };
  await makeEntry({ entry, reads: readsOf(device, type), make }, progress);
  return { data: describeDrawerSum(drawerMinor + step) };
}

/** What it is for, as the last field; none where nothing is said. */
function textOf({ payload }: DriverCommand): string {
  const { description = "" } = readPayload("cash_in", payload);
  const text = fitText(description, LIMITS.line).replaceAll(";", ",").trim();
  return text === "" ? "" : `;${text}`;
}

/** Finds out whether a deposit or withdrawal was registered. @throws FiscalError */
export function recoverCash(
  { device, command, evidence }: ResolveContext,
  type: CashCommand,
): Promise<Resolution<CashResult>> {
  const describe = async () => describeDrawerSum(await readCashMinor(device));
  const reads = readsOf(device, type);
  return resolveMovement(type, { command, evidence, reads, describe });
}

/**
 * The drawer itself tells nothing: what goes out again by other hands looks as if it never came in.
 * The sums of the day only grow. The first one is that of cash.
 */
function readsOf(device: ZfpDevice, type: CashCommand): LedgerReads {
  return {
    zNumber: () => readZNumber(device),
    moved: async () => ({
      sumMinor: (await device.tryAsk("registers", REGISTERS[type]))?.minor(1) ?? null,
    }),
  };
}
