/** The operator in whose name a document is printed: to the device, a password. */

import { DEFAULT_OPERATOR, requireOperator, requirePassword } from "../shared/operator.ts";
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
  requireOperator(operatorId, FACTORY.operators);
  if (given.operatorPassword === undefined) return operatorId;
  return passwordNumber("operatorPassword", given.operatorPassword);
}

/**
 * A password as the number that the protocol sends.
 * @param field of the payload, for the message; the password is not repeated
 * @throws FiscalError E400 when the device takes no such password
 */
export function passwordNumber(field: string, password: string): number {
  requirePassword(field, password, { min: 1, max: FACTORY.passwordDigits });
  return Number(password);
}
