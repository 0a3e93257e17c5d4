/** What routes answer with, and what their `detail` says of it; errors are alike for all routes. */

import type { TSchema } from "@sinclair/typebox";
import type { DocumentDecoration } from "elysia";
import { API_ERROR_STATUS } from "#core/errors.ts";
import { KEY_IGNORED } from "./idempotency-headers.ts";
import { stateOf } from "./request-state.ts";

type Responses = NonNullable<DocumentDecoration["responses"]>;

/** How an answer differs from one of JSON with status 200. */
export interface SuccessOptions {
  readonly status?: 201 | 202;
  /** Where the answer may also be lines that go on (`ndjson.ts`): each line. */
  readonly line?: TSchema;
}

/** For `detail.responses`: the body of success. */
export function success(body: TSchema, { status, line }: SuccessOptions = {}): Responses {
  const content = {
    "application/json": { schema: body },
    ...(line && { "application/x-ndjson": { schema: line } }),
  };
  return { [status ?? 200]: { description: "Success", content } };
}

/** For `detail.responses`: the body of a probe that found something wrong. */
export function unhealthy(body: TSchema): Responses {
  const content = { "application/json": { schema: body } };
  return { 503: { description: "Not now", content } };
}

/** For `detail.responses`: from here on the connection is a WebSocket. */
export function switching(description: string): Responses {
  return { 101: { description } };
}

/** For `detail.responses`: a text, in one of several types. */
export function file(types: Readonly<Record<string, TSchema>>): Responses {
  const content = Object.fromEntries(
    Object.entries(types).map(([type, schema]) => [type, { schema }]),
  );
  return { 200: { description: "A file", content } };
}

/** The same, to be saved under the name that `attachment` gives it. */
export function savedFile(types: Readonly<Record<string, TSchema>>): Responses {
  const headers = { "Content-Disposition": { $ref: "#/components/headers/Content-Disposition" } };
  return { 200: { ...file(types)[200], description: "A file to save", headers } };
}

/**
 * For `detail.responses`: refusals that mean something of their own on the route, each with what it
 * means there. The document adds the codes of its status.
 */
export function refusals(meanings: Readonly<Record<number, string>>): Responses {
  return Object.fromEntries(
    Object.entries(meanings).map(([status, description]) => [
      status,
      {
        description: `${codesOf(Number(status))}: ${description}`,
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    ]),
  );
}

const CODES = Map.groupBy(Object.entries(API_ERROR_STATUS), ([, status]): number => status);

/** `BAD_REQUEST` or `VALIDATION_ERROR`, for 400. */
function codesOf(status: number): string {
  const codes = CODES.get(status) ?? [];
  return codes.map(([code]) => `\`${code}\``).join(" or ");
}

/** For `detail.responses`: a 204. */
export const DONE: Responses = { 204: { description: "Done" } };

/**
 * Tells whoever sends an `Idempotency-Key` to a route on which it means nothing, because a repeat
 * would print again. Whatever the route answers then, a refusal included, carries the header.
 */
export function tellIgnoredKey(request: Request): void {
  if (request.headers.has("idempotency-key")) stateOf(request).added.set(KEY_IGNORED, "true");
}

/** A 204 without a body; with Elysia's own `status(204)` goes a text. */
export function noContent(): Response {
  return new Response(null, { status: 204 });
}
