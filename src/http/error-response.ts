/** The one boundary where errors become answers. */

import { ApiError } from "#core/errors.ts";
import type { Log } from "../platform/log.ts";
import { stateOf } from "./request-state.ts";

const INTERNAL = new ApiError("INTERNAL_ERROR", "An unexpected error occurred");
const STORAGE = new ApiError(
  "SERVICE_UNAVAILABLE",
  "The appliance cannot write to its disk: free space or replace it, then try again",
);

/** Result codes of SQLite that say the disk, not the request, is at fault. */
const STORAGE_CODES = /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|BUSY)/;

/** Turns whatever was thrown into the documented answer. */
export type ErrorResponder = (error: unknown, request: Request) => Response;

/** Makes the responder. What a client is not told is logged with the request's id. */
export function createErrorResponder(log: Log): ErrorResponder {
  return (error, request) => {
    if (error instanceof ApiError) return envelope(error);
    const requestId = stateOf(request).id;
    if (isStorageFault(error)) {
      log.error("storage failed", { requestId, error });
      return envelope(STORAGE);
    }
    log.error("request failed", { requestId, error });
    return envelope(INTERNAL);
  };
}

/** The answer to a refused request. */
export function envelope(error: ApiError): Response {
  return Response.json(error.toEnvelope(), { status: error.status });
}

function isStorageFault(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return typeof error.code === "string" && STORAGE_CODES.test(error.code);
}
