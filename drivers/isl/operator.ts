/** The fiscal operator in whose name a document is printed. */

import { FiscalError } from "#core/errors.ts";
import type { IslDialect } from "./dialect.ts";

const DEFAULT_OPERATOR = 1;

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
  requireOperator(operatorId, dialect);
  const password = given.operatorPassword ?? defaultPassword(operatorId, dialect, model);
  requirePassword("operatorPassword", password, dialect);
  return { operator: String(operatorId), password };
}

/** @throws FiscalError E400 when the device has no such operator */
export function requireOperator(operatorId: number, dialect: IslDialect): void {
  if (operatorId > dialect.operators.max) {
    throw new FiscalError("E400", `operatorId: this device has 1 to ${dialect.operators.max}`);
  }
}

/** @throws FiscalError E400 when the device takes no such password; it is not repeated */
export function requirePassword(field: string, password: string, dialect: IslDialect): void {
  const { min, max } = dialect.operators.passwordLength;
  if (!/^\d*$/.test(password) || password.length < min || password.length > max) {
    throw new FiscalError("E400", `${field}: this device takes ${min} to ${max} digits`);
  }
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
