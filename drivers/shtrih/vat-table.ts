/** The device's tax table: rates in hundredths of a percent, one row for each group. */

import { FiscalError } from "#core/errors.ts";
import type { ShtrihDevice } from "./device.ts";
import { toUint, uint } from "./fields.ts";
import { TABLE } from "./requests.ts";

const RATE_FIELD = 1;
const RATE_BYTES = 2;
/** The table takes less than one hundred percent. */
export const RATE_BASIS_POINTS_MAX = 9_999;

/** The rate of a group. @throws FiscalError */
export async function readRate(device: ShtrihDevice, group: number): Promise<number> {
  return toUint(await device.readField(TABLE.taxes, group, RATE_FIELD));
}

/** Sets the rate of a group. @throws FiscalError E305 while the fiscal day is open */
export async function writeRate(device: ShtrihDevice, group: number, basisPoints: number) {
  await device.writeField([TABLE.taxes, group, RATE_FIELD], uint(basisPoints, RATE_BYTES));
}

/** How many groups the table has. @throws FiscalError E201 when there is no such table */
export async function countGroups(device: ShtrihDevice): Promise<number> {
  const rows = await device.rowsOf(TABLE.taxes);
  if (rows > 0) return rows;
  throw new FiscalError("E201", "This model has no tax table");
}
