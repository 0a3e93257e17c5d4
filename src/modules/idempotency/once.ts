/**
 * Running a request once for each idempotency key. The look-up of the key, the operation and the
 * kept answer are one transaction: a crash leaves all of them or none, and of parallel requests
 * with one key the later ones find the first one's answer.
 */

import { ApiError, type ErrorEnvelope, validationError } from "#core/errors.ts";
import { IDEMPOTENCY_KEY_PATTERN, IDEMPOTENCY_WINDOW_MS } from "#core/limits.ts";
import type { IdempotencyRecord, IdempotencyStore } from "#db/stores/idempotency.ts";
import type { Writer } from "#db/writer.ts";
import type { Clock } from "../../platform/clock.ts";

/** The answer of an operation, and what to do once it is on disk. */
export interface Performed {
  readonly status: number;
  readonly body: unknown;
  readonly after?: () => void;
}

/** Work that may be kept under a key. */
export interface OnceRequest {
  readonly orgId: string;
  /** The `Idempotency-Key` header as it came. */
  readonly key: string | null;
  /** The body as it came, to tell a replay that asks for something else. */
  readonly bodyText: string;
  /** Reads and checks, outside of the transaction. @returns the operation @throws ApiError */
  prepare(): () => Performed;
}

/** Performs a request, or answers with what its key answered before. */
export type RunOnce = (request: OnceRequest) => Promise<Response>;

const KEY = new RegExp(IDEMPOTENCY_KEY_PATTERN);
const INTERNAL = new ApiError("INTERNAL_ERROR", "An unexpected error occurred");

export interface OnceOptions {
  readonly store: IdempotencyStore;
  readonly writer: Writer;
  readonly clock: Pick<Clock, "now">;
  /** Told of an unexpected failure that is kept as the answer of its key. */
  readonly onDefect: (error: unknown) => void;
}

/** Makes the runner. */
export function createRunOnce({ store, writer, clock, onDefect }: OnceOptions): RunOnce {
  const keep = (request: OnceRequest, key: string, performed: Performed, now: number): void =>
    store.put({
      orgId: request.orgId,
      key,
      httpStatus: performed.status,
      body: JSON.stringify(performed.body),
      requestHash: hashOf(request.bodyText),
      createdAt: now,
      expiresAt: now + IDEMPOTENCY_WINDOW_MS,
    });

  const runKeyed = async (request: OnceRequest, key: string): Promise<Response> => {
    const now = clock.now();
    const operation = orRefusal(request.prepare);
    const perform = (run: () => Performed) =>
      writer.run(() => {
        const kept = store.get(request.orgId, key);
        if (kept && kept.expiresAt > now) return { kept };
        const performed = run();
        keep(request, key, performed, now);
        return { performed };
      });
    const done = await perform(operation).catch((error: unknown) => {
      if (!isDefect(error)) throw error;
      onDefect(error);
      return perform(() => ({ status: INTERNAL.status, body: INTERNAL.toEnvelope() }));
    });
    if (done.kept) return replay(done.kept, request);
    done.performed.after?.();
    return Response.json(done.performed.body, { status: done.performed.status });
  };

  return async (request) => {
    if (request.key) {
      if (KEY.test(request.key)) return runKeyed(request, request.key);
      const message = "Expected 1 to 128 characters of A-Z, a-z, 0-9, _ and -";
      throw validationError([{ path: "Idempotency-Key", message }]);
    }
    const performed = await writer.run(request.prepare());
    performed.after?.();
    return Response.json(performed.body, { status: performed.status });
  };
}

/** The operation; a refusal is an answer like any other, because it is kept too. */
function orRefusal(prepare: OnceRequest["prepare"]): () => Performed {
  try {
    return prepare();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const body: ErrorEnvelope = error.toEnvelope();
    return () => ({ status: error.status, body });
  }
}

/** True for what is no fault of the request or the disk: it ran, and its 500 is kept. */
function isDefect(error: unknown): boolean {
  if (error instanceof ApiError) return false;
  return !(error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_"));
}

function replay(kept: IdempotencyRecord, request: OnceRequest): Response {
  const headers = new Headers({
    "Content-Type": "application/json;charset=utf-8",
    "Idempotent-Replayed": "true",
  });
  if (kept.requestHash !== hashOf(request.bodyText)) {
    headers.set("Idempotency-Body-Mismatch", "true");
  }
  return new Response(kept.body, { status: kept.httpStatus, headers });
}

function hashOf(bodyText: string): string {
  return new Bun.CryptoHasher("sha256").update(bodyText).digest("hex");
}
