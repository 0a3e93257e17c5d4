/** Partial updates: an update that changes nothing is refused. */

import { validationError } from "#core/errors.ts";

/**
 * The body, when it holds at least one of the fields.
 * @throws ApiError VALIDATION_ERROR
 */
export function requireAny<T extends object>(body: T, fields: readonly (keyof T & string)[]): T {
  if (fields.some((field) => body[field] !== undefined)) return body;
  const message = `Expected at least one of: ${fields.join(", ")}`;
  throw validationError([{ path: "", message }]);
}
