/** The device's VAT table. */

import { FiscalError } from "#core/errors.ts";
import { formatMinor, parseScaled } from "#core/money.ts";
import { vatGroupName } from "#core/vat.ts";
import type { VatRates } from "../shared/vat-groups.ts";
import type { Answer } from "./answer.ts";
import type { IslDevice } from "./device.ts";
import type { IslDialect } from "./dialect.ts";
import { type TemplateValues, templateNames } from "./template.ts";

/** One group of the table. */
export interface VatRow {
  /** `VAT1` and on. */
  readonly group: string;
  /** The rate in hundredths of a percent. */
  readonly basisPoints: number;
  readonly enabled: boolean;
}

/** A group as the device writes it. */
interface ToldGroup {
  readonly rate: string;
  readonly isOff: boolean;
}

/**
 * Reads the rates of the groups; none where the device has no such table.
 * @throws FiscalError a refusal by the device's state, or a line fault
 */
export async function readVatRates(device: IslDevice): Promise<VatRates> {
  const answer = await device.askUnlessLacking("getVat");
  const groups = answer ? await readGroups(device, answer) : [];
  const rates = groups.map(({ rate, isOff }) => (isOff ? undefined : rate));
  device.kept.keepVatTable(rates);
  return rates;
}

/**
 * The groups in order. A device that lacks the question for the switches has them all on.
 * @param answer to the question for the rates
 * @throws FiscalError
 */
async function readGroups(device: IslDevice, answer: Answer): Promise<readonly ToldGroup[]> {
  const setup = await device.askUnlessLacking("getVatSetup");
  const enabled = readSwitches(setup?.optional("enabled"));
  const off = device.dialect.vatOffRate;
  const groups: ToldGroup[] = [];
  for (let index = 0; ; index += 1) {
    const rate = answer.optional(`vat${index + 1}`);
    if (rate === undefined) break;
    const isOffRate = off !== undefined && Number(rate) === Number(off);
    groups.push({ rate, isOff: isOffRate || enabled[index] === "0" });
  }
  return groups;
}

/** One character for each group, 0 for those switched off; what is anything else tells nothing. */
function readSwitches(text: string | undefined): string {
  return text !== undefined && /^[01]+$/.test(text) ? text : "";
}

/** How many rates the dialect's devices can be given. */
export function programmableRates(dialect: IslDialect): number {
  const template = dialect.actions.setVat?.request ?? "";
  return templateNames(template).filter((name) => /^vat\d+$/.test(name)).length;
}

/** The table with what is switched off. @throws FiscalError */
export async function readVatTable(device: IslDevice): Promise<VatRow[]> {
  // Where a rate of its own switches a group off, that is none.
  const { vatOffRate } = device.dialect;
  const groups = await readGroups(device, await device.ask("getVat"));
  return groups.map(({ rate, isOff }, index) => {
    const basisPoints = parseScaled(rate, 2);
    if (basisPoints === undefined) {
      throw new FiscalError("E902", `The rate of VAT group ${index + 1} is not a number`);
    }
    return {
      group: vatGroupName(index + 1),
      basisPoints: isOff && vatOffRate !== undefined ? 0 : basisPoints,
      enabled: !isOff,
    };
  });
}

/** What is written behind the rates of a short frame, as the device tells it: only rates are ours. */
const KEPT_SETUP = ["multiplier", "decimals", "currency"];

/**
 * The table as the device takes it, all of it at once.
 * @throws FiscalError E400 for a rate that means off, E403 where the device tells fewer groups than
 *   it takes, a refusal by its state, or a line fault
 */
export async function prepareVatTable(
  device: IslDevice,
  table: readonly VatRow[],
): Promise<TemplateValues> {
  const { vatOffRate } = device.dialect;
  const most = programmableRates(device.dialect);
  if (table.length < most) {
    const told = `tells VAT groups 1 to ${table.length} and takes ${most} at once`;
    throw new FiscalError("E403", `This device ${told}: none can be set`);
  }
  const values: Record<string, string> = {
    enabled: table.map((row) => (row.enabled ? "1" : "0")).join(""),
  };
  for (const [index, { basisPoints, enabled }] of table.entries()) {
    const rate = formatMinor(basisPoints);
    if (enabled && rate === vatOffRate) {
      throw new FiscalError("E400", `rates: to this device ${rate} means that a group is off`);
    }
    values[`vat${index + 1}`] = enabled ? rate : (vatOffRate ?? rate);
  }
  if (device.can("getVatSetup")) {
    const setup = await device.ask("getVatSetup");
    for (const name of KEPT_SETUP) values[name] = setup.raw(name);
    if (setup.optional("decimals") === undefined) {
      throw new FiscalError(
        "E305",
        "The device does not tell its decimals, which go with the rates",
      );
    }
  }
  return values;
}

/**
 * Programs the table.
 * @param values as prepared
 * @returns how often it can still be changed; null when the device does not tell
 * @throws FiscalError E303 when the day must be closed first
 */
export async function writeVatTable(
  device: IslDevice,
  values: TemplateValues,
): Promise<number | null> {
  device.kept.keepVatTable(undefined);
  const answer = await device.ask("setVat", values);
  const left = answer.optional("changesLeft");
  return left !== undefined && /^\d{1,9}$/.test(left) ? Number(left) : null;
}
