/** The fiscal operator in whose name a document is printed. */

import { FiscalError } from "#core/errors.ts";
import { LIMITS } from "./dialect.ts";

const DEFAULT_OPERATOR = 1;
/** As delivered. */
const DEFAULT_PASSWORD = "0000";

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
  requireOperator(operatorId);
  const password = given.operatorPassword ?? DEFAULT_PASSWORD;
  requirePassword("operatorPassword", password);
  return `${operatorId};${password}`;
}

/** @throws FiscalError E400 when the device has no such operator */
export function requireOperator(operatorId: number): void {
  if (operatorId > LIMITS.operators) {
    throw new FiscalError("E400", `operatorId: this device has 1 to ${LIMITS.operators}`);
  }
}

/** @throws FiscalError E400 when the device takes no such password; it is not repeated */
export function requirePassword(field: string, password: string): void {
  if (!/^\d{1,6}$/.test(password)) {
    throw new FiscalError(
      "E400",
      `${field}: this device takes 1 to ${LIMITS.operatorPassword} digits`,
    );
  }
}
