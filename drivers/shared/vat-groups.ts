/** VAT groups as the API names them, on devices that number them. */

import { vatGroupIndex, vatGroupName } from "#core/vat.ts";
import { noZeroRate } from "./document-faults.ts";

/** Rates with which no group is refused, to check a document before the device is asked for its own. */
export const ANY_RATES: readonly string[] = ["0.00"];

/**
 * The device's number for a group, from 1. `exempt` is the first one whose rate is zero.
 * @param rates of the groups as programmed, in percent text and in order
 * @throws FiscalError E403 when no group has a rate of zero
 */
export function groupNumber(group: string, rates: readonly string[]): number {
  const named = vatGroupIndex(group);
  if (named !== undefined) return named;
  const index = rates.findIndex((rate) => Number(rate) === 0);
  if (index < 0) throw noZeroRate();
  return index + 1;
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
