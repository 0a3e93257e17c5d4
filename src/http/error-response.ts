/** The one boundary where errors become answers. */

import { ApiError, TooManyGuesses } from "#core/errors.ts";
import type { Log } from "../platform/log.ts";
import { errorCode } from "../platform/thrown.ts";
import { rateLimited } from "./rate-limits.ts";
import { stateOf } from "./request-state.ts";

const INTERNAL = new ApiError("INTERNAL_ERROR", "An unexpected error occurred");
const STORAGE = new ApiError(
  "SERVICE_UNAVAILABLE",
  "The appliance cannot write to its disk or has lost its database: see /health, then try again",
);

/** Result codes of SQLite that say the disk, not the request, is at fault. */
const STORAGE_CODES = /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|BUSY|CORRUPT|NOTADB)/;

/** Turns whatever was thrown into the documented answer. */
export type ErrorResponder = (error: unknown, request: Request) => Response;

/** Makes the responder. What a client is not told is logged with the request's id. */
export function createErrorResponder(log: Log): ErrorResponder {
  return (error, request) => {
    const shown = shownError(error);
    if (shown !== error) {
      const message = shown === STORAGE ? "storage failed" : "request failed";
      log.error(message, { requestId: stateOf(request).id, error });
    }
    return envelope(shown);
  };
}

/** What a client is told of whatever was thrown. */
export function shownError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return isStorageFault(error) ? STORAGE : INTERNAL;
}

/** The answer to a refused request. */
export function envelope(error: ApiError): Response {
  if (error instanceof TooManyGuesses) return rateLimited(error.message, error.retryAfterSeconds);
  const { status } = error;
  const headers = status === 401 ? { "WWW-Authenticate": "Bearer" } : {};
  return Response.json(error.toEnvelope(), { status, headers });
}

/** True when the database could not write, or not even begin to: the request may yet succeed. */
export function isStorageFault(error: unknown): boolean {
  return STORAGE_CODES.test(errorCode(error) ?? "");
}
