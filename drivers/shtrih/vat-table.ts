/** The device's tax table: rates in hundredths of a percent, one row for each group. */

import { FiscalError } from "#core/errors.ts";
import type { ReceiptItem } from "#core/receipt.ts";
import { vatGroupIndex } from "#core/vat.ts";
import { unlessRefused } from "../shared/device-fault.ts";
import type { ShtrihDevice } from "./device.ts";
import { FACTORY } from "./dialects/factory.ts";
import { toUint, uint } from "./fields.ts";
import { TABLE } from "./requests.ts";

const RATE_FIELD = 1;
const RATE_BYTES = 2;

/** The rate of a group. @throws FiscalError */
export async function readRate(device: ShtrihDevice, group: number): Promise<number> {
  return toUint(await device.readField(TABLE.taxes, group, RATE_FIELD));
}

/** Sets the rate of a group. @throws FiscalError E303 while the fiscal day is open */
export async function writeRate(device: ShtrihDevice, group: number, basisPoints: number) {
  await device.writeField([TABLE.taxes, group, RATE_FIELD], uint(basisPoints, RATE_BYTES));
}

/** How many groups the table has. @throws FiscalError E201 when there is no such table */
export async function countGroups(device: ShtrihDevice): Promise<number> {
  const rows = await device.rowsOf(TABLE.taxes);
  if (rows > 0) return rows;
  throw new FiscalError("E201", "This model has no tax table");
}

/**
 * How many groups the items of a document may have. The device is asked only where one is named that
 * not every model has; one that does not tell has those that every model has.
 * @throws FiscalError a line fault
 */
export async function groupsFor(
  device: ShtrihDevice,
  items: readonly Pick<ReceiptItem, "vatGroup">[],
): Promise<number> {
  const { taxGroups, taxGroupsMax } = FACTORY;
  if (items.every(({ vatGroup }) => (vatGroupIndex(vatGroup) ?? 0) <= taxGroups)) return taxGroups;
  const rows = (await unlessRefused(device.rowsOf(TABLE.taxes))) ?? 0;
  return Math.min(Math.max(rows, taxGroups), taxGroupsMax);
}
