/** The operator in whose name a document is printed: to the device, a password. */

import { FiscalError } from "#core/errors.ts";
import { DEFAULT_OPERATOR } from "./device.ts";
import { FACTORY } from "./dialects/factory.ts";

/** Fields of the operators' table. */
export const PASSWORD_FIELD = 1;
export const NAME_FIELD = 2;
export const PASSWORD_BYTES = 4;

/**
 * The password that stands for an operator; the one the maker set when none is given.
 * @throws FiscalError E400 when the device has no such operator, or takes no such password
 */
export function passwordOf(given: {
  readonly operatorId: number | undefined;
  readonly operatorPassword: string | undefined;
}): number {
  const operatorId = given.operatorId ?? DEFAULT_OPERATOR;
  requireOperator(operatorId);
  if (given.operatorPassword === undefined) return operatorId;
  return requirePassword("operatorPassword", given.operatorPassword);
}

/** @throws FiscalError E400 when the device has no such operator */
export function requireOperator(operatorId: number): void {
  if (operatorId > FACTORY.operators) {
    throw new FiscalError("E400", `operatorId: this device has 1 to ${FACTORY.operators}`);
  }
}

/** @throws FiscalError E400 when the device takes no such password; it is not repeated */
export function requirePassword(field: string, password: string): number {
  if (!/^\d{1,8}$/.test(password)) {
    throw new FiscalError(
      "E400",
      `${field}: this device takes 1 to ${FACTORY.passwordDigits} digits`,
    );
  }
  return Number(password);
}
