/** VAT groups as the API names them, on devices that number them. */

import { checkedMinor } from "#core/command/amount.ts";
import { FiscalError } from "#core/errors.ts";
import type { FiscalDocument } from "#core/receipt.ts";
import { vatGroupIndex, vatGroupName } from "#core/vat.ts";
import { unlessRefused } from "./device-fault.ts";
import { noZeroRate } from "./document-faults.ts";

/**
 * The rates of the groups as programmed, in percent text and in order; undefined for one that is
 * switched off. Empty when the device does not tell.
 */
export type VatRates = readonly (string | undefined)[];

/** Rates with which no group is refused, to check a document before the device is asked for its own. */
export const ANY_RATES: VatRates = ["0.00"];

/**
 * The device's number for a group, from 1. `exempt` is the first one whose rate is zero.
 * @throws FiscalError E403 when no group has a rate of zero
 */
export function groupNumber(group: string, rates: VatRates): number {
  const named = vatGroupIndex(group);
  if (named !== undefined) return named;
  const index = rates.findIndex((rate) => Number(rate) === 0);
  if (index < 0) throw noZeroRate();
  return index + 1;
}

/** True for a document whose groups depend on what the device's table holds at the moment. */
export function sellsExempt({ items }: FiscalDocument): boolean {
  return items.some(({ vatGroup }) => vatGroup === "exempt");
}

/** The VAT table of a device, and how it is asked for. */
export interface TableOfRates {
  /** As it is kept; undefined when it must be read. */
  readonly kept: VatRates | undefined;
  /** @throws FiscalError a refusal by the state in which the device stands, or a line fault */
  read(): Promise<VatRates>;
  /** Puts away what stands open on the device. @throws FiscalError as before a document */
  clearTheWay(): Promise<unknown>;
}

/**
 * Plans a document by the rates of the device's groups: as they are kept, or where the plan depends
 * on them as they are now. What is wrong with a document whatever they are is told before the
 * device is asked. Where the device refuses to tell them, groups by number go without, and the
 * next document has it asked again.
 * @throws FiscalError E403 when the table has no group for it, what `plan` throws, the device's
 *   refusal where something is exempt, or a line fault
 */
export async function planByRates<Plan>(
  document: FiscalDocument,
  table: TableOfRates,
  plan: (rates: VatRates) => Plan,
): Promise<Plan> {
  if (table.kept && !sellsExempt(document)) {
    try {
      return plan(table.kept);
    } catch (error) {
      // A group that was switched off may have been switched on since.
      if (!(error instanceof FiscalError) || error.code !== "E403") throw error;
    }
  }
  const planned = plan(ANY_RATES);
  if (sellsExempt(document)) return plan(await readWhenClear(table, (rates) => rates.length > 0));
  const rates = await unlessRefused(table.read());
  return rates ? plan(rates) : planned;
}

/**
 * Reads a table on which a document depends. A device may refuse that for what stands open on it,
 * and that would be put away before the document all the same.
 * @param isTold false for what may be more once the way is clear
 * @throws FiscalError a refusal, what keeps the way from being cleared, or a line fault
 */
export async function readWhenClear<Table>(
  table: { read(): Promise<Table>; clearTheWay(): Promise<unknown> },
  isTold: (told: Table) => boolean = () => true,
): Promise<Table> {
  const told = await unlessRefused(table.read());
  if (told !== undefined && isTold(told)) return told;
  await table.clearTheWay();
  return table.read();
}

/** What tables take that have no room for a third digit before the point. */
const RATE_BASIS_POINTS_MAX = 9_999;

/**
 * A rate for a table that takes less than one hundred percent, in hundredths of a percent.
 * @param index of the entry of `set_vat_rates`
 * @throws FiscalError E400
 */
export function checkedRate(index: number, rate: number): number {
  // A percentage has two decimals, as an amount has.
  const basisPoints = checkedMinor(rate);
  if (basisPoints <= RATE_BASIS_POINTS_MAX) return basisPoints;
  throw new FiscalError("E400", `rates.${index}.rate: this device takes up to 99.99`);
}

/**
 * The result of `get_vat_capabilities` for devices whose groups have numbers and no names.
 * @param ratesProgrammable false where no command of ours changes them
 */
export function describeVatGroups(maxRates: number, ratesProgrammable: boolean) {
  return {
    maxRates,
    groups: Array.from({ length: maxRates }, (_, index) => vatGroupName(index + 1)),
    namesProgrammable: false,
    ratesProgrammable,
    changesLeft: null,
  };
}
