/** The fiscal operator in whose name a document is printed. */

import { DEFAULT_OPERATOR, requireOperator, requirePassword } from "../shared/operator.ts";
import { LIMITS } from "./dialect.ts";

/** Digits of a password. */
export const PASSWORD_DIGITS = { min: 1, max: LIMITS.operatorPassword };
/** As delivered. */
export const DEFAULT_PASSWORD = "0000";

/**
 * Operator and password as the opening frames want them.
 * @throws FiscalError E400 when the device has no such operator, or takes no such password
 */
export function operatorFields(
  given: {
    readonly operatorId?: number | undefined;
    readonly operatorPassword?: string | undefined;
  } = {},
): string {
  const operatorId = given.operatorId ?? DEFAULT_OPERATOR;
  requireOperator(operatorId, LIMITS.operators);
  const password = given.operatorPassword ?? DEFAULT_PASSWORD;
  requirePassword("operatorPassword", password, PASSWORD_DIGITS);
  return `${operatorId};${password}`;
}
