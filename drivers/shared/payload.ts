/** The JSON payload of a command as its type says. */

import type { Static } from "@sinclair/typebox";
import { type CATALOGUE, type CommandType, payloadIssues } from "#core/command/catalogue.ts";
import { FiscalError } from "#core/errors.ts";

type PayloadOf<T extends CommandType> = Static<(typeof CATALOGUE)[T]["payload"]>;

/**
 * Reads a payload. The queue has checked it before; a controller elsewhere may be of another
 * version, so it is checked again.
 * @throws FiscalError E400 with the first fault
 */
export function readPayload<T extends CommandType>(type: T, payload: unknown): PayloadOf<T> {
  const [issue] = payloadIssues(type, payload);
  if (issue) throw new FiscalError("E400", `${issue.path}: ${issue.message}`);
  return payload as PayloadOf<T>;
}
