/** The device's VAT table. */

import { FiscalError } from "#core/errors.ts";
import { isStateRefusal, unlessUnknown } from "../shared/device-fault.ts";
import { noZeroRate } from "../shared/document-faults.ts";
import { type CustomDevice, integerOf } from "./device.ts";

/** One group as the device has it. */
export interface VatRow {
  /** As the API names it. */
  readonly group: string;
  /** The device's code. */
  readonly code: string;
  /** Hundredths of a percent. */
  readonly rateBasisPoints: number;
  readonly isExempt: boolean;
  /** False for a group in which nothing can be sold yet. */
  readonly isProgrammed: boolean;
  readonly name: string;
}

/**
 * Reads one group.
 * @returns the refusal of a device that has none with this code, or does not tell it
 * @throws FiscalError a refusal by the device's state, or a line fault
 */
async function readRow(
  device: CustomDevice,
  group: string,
  code: string,
): Promise<VatRow | FiscalError> {
  const { fields, fault } = await device.send("vatRate", { vat: code });
  if (fault && isStateRefusal(fault)) throw fault;
  if (fault) return fault;
  return {
    group,
    code,
    rateBasisPoints: integerOf(fields, "rate"),
    isExempt: (fields.get("exempt") ?? "0") !== "0",
    isProgrammed: (fields.get("programmed") ?? "1") !== "0",
    name: (fields.get("text") ?? "").trim(),
  };
}

/**
 * Reads the groups of the profile that the device has, in order.
 * @throws FiscalError a refusal where it tells of none
 */
export async function readVatTable(device: CustomDevice): Promise<VatRow[]> {
  device.require("vatRate");
  if (!device.confirms) return [];
  const rows: VatRow[] = [];
  let refusal: FiscalError | undefined;
  for (const [group, code] of Object.entries(device.profile.vat.groups)) {
    const row = await readRow(device, group, code);
    if (row instanceof FiscalError) refusal = row;
    else rows.push(row);
  }
  if (rows.length === 0 && refusal) throw refusal;
  return rows;
}

/**
 * Code of the group for exempt articles: the one of before when its row still is one, which takes
 * one question, otherwise the first of the table.
 * @throws FiscalError E403, a refusal of the whole table, or a line fault
 */
export async function findExemptGroup(device: CustomDevice): Promise<string> {
  const kept = device.kept.vatTable;
  const row = kept === undefined ? undefined : await readRow(device, "exempt", kept);
  const isTold = row !== undefined && !(row instanceof FiscalError);
  if (isTold && row.isProgrammed && (row.isExempt || row.rateBasisPoints === 0)) return row.code;
  const table = (await unlessUnknown(readVatTable(device))) ?? [];
  const rows = table.filter(({ isProgrammed }) => isProgrammed);
  const found =
    rows.find(({ isExempt }) => isExempt) ??
    rows.find(({ rateBasisPoints }) => rateBasisPoints === 0);
  if (!found) throw noZeroRate();
  device.kept.keepVatTable(found.code);
  return found.code;
}
