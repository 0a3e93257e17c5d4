/** Fields by which receipts are opened, alike in short frames and long ones. */

import type { DeviceCommand } from "./device-command.ts";
import type { FieldCount, Fields } from "./fields.ts";

/** Numbers of points of sale. */
export const TILL: FieldCount = { least: 1, most: 99_999 };
/** Numbers of documents. */
export const DOCUMENT: FieldCount = { least: 1, most: 9_999_999 };

/** The first two: an operator's number and password. @throws Refused for what is none */
export function operatorOf(
  command: DeviceCommand,
  fields: Fields,
): { operator: number; password: string } {
  const operator = fields.integer(0, { least: 1, most: command.books.operators.length });
  const password = fields.text(1);
  if (!/^\d{1,8}$/.test(password)) fields.fail(1);
  return { operator, password };
}
