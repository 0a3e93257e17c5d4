/** Which fiscal operators a device has, and which passwords it takes. */

import { FiscalError } from "#core/errors.ts";

/** In whose name a document is printed when it names nobody. */
export const DEFAULT_OPERATOR = 1;

/** @throws FiscalError E400 when the device, which has `most` of them, has no such operator */
export function requireOperator(operatorId: number, most: number): void {
  if (operatorId > most) throw new FiscalError("E400", `operatorId: this device has 1 to ${most}`);
}

/**
 * @param field of the payload, for the message; the password is not repeated
 * @param digits how many the device takes
 * @throws FiscalError E400 when the device takes no such password
 */
export function requirePassword(
  field: string,
  password: string,
  digits: { readonly min: number; readonly max: number },
): void {
  const { min, max } = digits;
  if (/^\d*$/.test(password) && password.length >= min && password.length <= max) return;
  throw new FiscalError("E400", `${field}: this device takes ${min} to ${max} digits`);
}
