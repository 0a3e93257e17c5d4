/** The fiscal operator in whose name a document is printed. */

import { DEFAULT_OPERATOR, requireOperator, requirePassword } from "../shared/operator.ts";
import type { IslDialect } from "./dialect.ts";

/**
 * Operator and password for a frame; the password the device came with when none is given.
 * @throws FiscalError E400 when the device has no such operator, or takes no such password
 */
export function operatorValues(
  given: {
    readonly operatorId: number | undefined;
    readonly operatorPassword: string | undefined;
  },
  dialect: IslDialect,
  model: string | null,
): { operator: string; password: string } {
  const operatorId = given.operatorId ?? DEFAULT_OPERATOR;
  requireOperator(operatorId, dialect.operators.max);
  const password = given.operatorPassword ?? defaultPassword(operatorId, dialect, model);
  requirePassword("operatorPassword", password, dialect.operators.passwordLength);
  return { operator: String(operatorId), password };
}

/** What the maker set for an operator. */
export function defaultPassword(
  operatorId: number,
  dialect: IslDialect,
  model: string | null,
): string {
  const { zeroPasswordModels, zeroPassword = "0000" } = dialect.operators;
  return zeroPasswordModels.test(model ?? "") ? zeroPassword : String(operatorId);
}
