/** The device's VAT table. */

import { FiscalError } from "#core/errors.ts";
import { formatMinor, parseScaled } from "#core/money.ts";
import { vatGroupName } from "#core/vat.ts";
import type { IslDevice } from "./device.ts";
import type { IslDialect } from "./dialect.ts";
import { templateNames } from "./template.ts";

/** One group of the table. */
export interface VatRow {
  /** `VAT1` and on. */
  readonly group: string;
  /** The rate in hundredths of a percent. */
  readonly basisPoints: number;
  readonly enabled: boolean;
}

/**
 * The rates of the groups in order, as the device writes them; empty when it does not tell. Read
 * once and kept until something may have changed it.
 * @throws FiscalError a line fault
 */
export async function readVatRates(device: IslDevice): Promise<readonly string[]> {
  if (device.vatRates) return device.vatRates;
  const answer = await device.tryAsk("getVat");
  const rates: string[] = [];
  for (let group = 1; answer; group += 1) {
    const rate = answer.optional(`vat${group}`);
    if (rate === undefined) break;
    rates.push(rate);
  }
  device.vatRates = rates;
  return rates;
}

/** How many rates the dialect's devices can be given. */
export function programmableRates(dialect: IslDialect): number {
  const template = dialect.actions.setVat?.request ?? "";
  return templateNames(template).filter((name) => /^vat\d+$/.test(name)).length;
}

/** The table with what is switched off. @throws FiscalError */
export async function readVatTable(device: IslDevice): Promise<VatRow[]> {
  const rates = await readVatRates(device);
  // One character for each group, 0 for those switched off.
  const enabled = (await device.tryAsk("getVatSetup"))?.optional("enabled");
  return rates.map((text, index) => {
    const basisPoints = parseScaled(text, 2);
    if (basisPoints === undefined) {
      throw new FiscalError("E902", `The rate of VAT group ${index + 1} is not a number`);
    }
    const isOff = enabled?.[index] === "0" || basisPoints === offBasisPoints(device.dialect);
    return {
      group: vatGroupName(index + 1),
      basisPoints: isOff && enabled === undefined ? 0 : basisPoints,
      enabled: !isOff,
    };
  });
}

/**
 * Programs the table.
 * @returns how often it can still be changed; null when the device does not tell
 * @throws FiscalError E303 when the day must be closed first
 */
export async function writeVatTable(
  device: IslDevice,
  table: readonly VatRow[],
): Promise<number | null> {
  const { vatOffRate } = device.dialect;
  const values: Record<string, string> = {
    enabled: table.map((row) => (row.enabled ? "1" : "0")).join(""),
  };
  for (const [index, row] of table.entries()) {
    const isOff = !row.enabled && vatOffRate !== undefined;
    values[`vat${index + 1}`] = isOff ? vatOffRate : formatMinor(row.basisPoints);
  }
  if (device.can("getVatSetup")) {
    // Written back as they are: only rates are ours to change.
    const setup = await device.ask("getVatSetup");
    for (const name of ["multiplier", "decimals", "currency"]) values[name] = setup.text(name);
  }
  device.vatRates = undefined;
  const answer = await device.ask("setVat", values);
  const left = answer.optional("changesLeft");
  return left !== undefined && /^\d{1,9}$/.test(left) ? Number(left) : null;
}

function offBasisPoints(dialect: IslDialect): number | undefined {
  return dialect.vatOffRate === undefined ? undefined : parseScaled(dialect.vatOffRate, 2);
}
