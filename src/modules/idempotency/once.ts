/**
 * Running a request once for each idempotency key. The look-up of the key, the operation and the
 * kept answer are one transaction: a crash leaves all of them or none, and of parallel requests
 * with one key the later ones find the first one's answer.
 */

import { covers, type Principal, type Scope } from "#core/access.ts";
import { isFinal } from "#core/command/command.ts";
import { ApiError, validationError } from "#core/errors.ts";
import { IDEMPOTENCY_KEY_PATTERN, IDEMPOTENCY_WINDOW_MS } from "#core/limits.ts";
import type { CommandStore } from "#db/stores/commands.ts";
import type { IdempotencyRecord, IdempotencyStore } from "#db/stores/idempotency.ts";
import type { ReversalStore } from "#db/stores/reversals.ts";
import type { Transaction, Writer } from "#db/writer.ts";
import { shownError } from "../../http/error-response.ts";
import { BODY_MISMATCH, KEY_IGNORED, REPLAYED } from "../../http/idempotency-headers.ts";
import type { LateBody } from "../../http/request-body.ts";
import type { Clock } from "../../platform/clock.ts";
import type { CountedTime } from "../../platform/counted-time.ts";

/** The answer of an operation. */
export interface Performed {
  readonly status: number;
  readonly body: unknown;
  /** The command that was queued: until it is final the answer stays. */
  readonly commandId?: string;
}

/** The work of a request. */
export interface Operation {
  /** Does it, inside the transaction that also keeps the answer. */
  readonly run: (tx: Transaction) => Performed;
  /** Writes an operation that calls `run`, and may begin what belongs to it. */
  readonly write: <T>(operation: (tx: Transaction) => T) => Promise<T>;
}

/** Work that may be kept under a key. */
interface OnceRequest {
  readonly principal: Principal;
  /** The `Idempotency-Key` header as it came. */
  readonly key: string | null;
  /** The body as it came, to tell a replay that asks for something else. */
  readonly bodyText: string;
  readonly stornoOf: string | undefined;
  /** The request's: aborted when its connection has ended. */
  readonly signal: AbortSignal;
  /** Reads and checks, outside of the transaction. @returns the operation @throws ApiError */
  prepare(): Operation;
}

/** What a route's handler has of a request. */
export interface OnceContext<T> {
  readonly request: Request;
  readonly principal: Principal;
  readonly body: LateBody<T>;
  /** Its `Idempotency-Key` is not read. */
  readonly ignoresKey?: true;
  /**
   * The sale whose storno is asked for by its own route. Its keys are its own: the contract has keys of
   * other routes mean nothing there, and a till may name sale and storno alike.
   */
  readonly stornoOf?: string;
}

/**
 * Performs a request, or answers with what its key answered before.
 * @param prepare checks what is asked for, outside of the transaction; given null for a key that is
 * empty, missing or not read
 * @throws ApiError what it is refused with; CONFLICT when the caller may not read what the key has
 */
export type RunOnce = <T>(
  context: OnceContext<T>,
  prepare: (asked: T, key: string | null) => Operation,
) => Promise<Response>;

const KEY = new RegExp(IDEMPOTENCY_KEY_PATTERN);

/** What Response.json says, for text that is JSON already. */
const JSON_TYPE = "application/json;charset=utf-8";

export interface OnceOptions {
  readonly store: IdempotencyStore;
  readonly commands: Pick<CommandStore, "get">;
  readonly reversals: Pick<ReversalStore, "of">;
  readonly writer: Writer;
  readonly clock: Pick<Clock, "now">;
  /** By this the answers expire. */
  readonly time: Pick<CountedTime, "now">;
}

/** Makes the runner. It rejects with what the request is refused with, kept or not. */
export function createRunOnce(options: OnceOptions): RunOnce {
  const run = createRunner(options);
  return async ({ request, principal, body, ignoresKey, stornoOf }, prepare) => {
    const bodyText = await body.text();
    const key = ignoresKey ? null : request.headers.get("idempotency-key");
    return run({
      ...{ principal, key, bodyText, stornoOf, signal: request.signal },
      prepare: () => prepare(body.parse(bodyText), key || null),
    });
  };
}

function createRunner(options: OnceOptions) {
  const { store, writer, clock, time } = options;
  const runNow: Operation["write"] = (operation) => writer.run(operation);
  const answers = keptAnswers(options);
  const runKeyed = async (request: OnceRequest, key: string): Promise<Response> => {
    const now = time.now();
    const { orgId } = request.principal;
    const keptAnswer = () => answers.find(request, key, now);
    /** Runs and keeps, unless the key has an answer. */
    const perform = ({ run, write }: Operation): Promise<Done> =>
      write((tx): Done => {
        requireHeard(request.signal);
        const kept = keptAnswer();
        if (kept) return { kept };
        const performed = run(tx);
        store.put({
          orgId,
          key: nameOf(key, request),
          httpStatus: performed.status,
          body: JSON.stringify(performed.body),
          requestHash: hashOf(request),
          commandId: performed.commandId ?? null,
          createdAt: clock.now(),
          expiresAt: now + IDEMPOTENCY_WINDOW_MS,
        });
        return { performed };
      });
    let done: Done;
    try {
      const operation = request.prepare();
      // Nothing of a request that was answered before begins again.
      const kept = keptAnswer();
      done = kept ? { kept } : await perform(operation);
    } catch (error) {
      // What the gateway itself could not do keeps nothing: the request may yet succeed.
      if (request.signal.aborted || shownError(error).status >= 500) throw error;
      // What the operation changed is undone; that it was refused is an answer like any other.
      done = await perform({ run: () => refusal(error), write: runNow });
      if (!done.kept) throw error;
    }
    return done.kept
      ? replay(done.kept, request, answers.readersOf(done.kept))
      : answer(done.performed);
  };

  return async (request: OnceRequest): Promise<Response> => {
    if (request.key === null || request.key === "") {
      const { run, write } = request.prepare();
      const ran = answer(
        await write((tx) => {
          requireHeard(request.signal);
          return run(tx);
        }),
      );
      if (request.key === "") ran.headers.set(KEY_IGNORED, "true");
      return ran;
    }
    if (KEY.test(request.key)) return runKeyed(request, request.key);
    const message = "Expected 1 to 128 characters of A-Z, a-z, 0-9, _ and -";
    throw validationError([{ path: "Idempotency-Key", message }]);
  };
}

/** As it is stored: no key holds a colon. */
function nameOf(key: string, { stornoOf }: Pick<OnceRequest, "stornoOf">): string {
  return stornoOf === undefined ? key : `storno:${stornoOf}:${key}`;
}

/** What keys were answered before. */
function keptAnswers({ store, commands, reversals }: OnceOptions) {
  /** By `POST /commands`, or by a version that kept all keys together: money goes back once. */
  const stornoElsewhere = (
    { principal, stornoOf }: OnceRequest,
    key: string,
  ): IdempotencyRecord | undefined => {
    const kept = stornoOf === undefined ? undefined : store.get(principal.orgId, key);
    const reversal = kept?.commandId && reversals.of(kept.commandId);
    return reversal && reversal.acceptedFor === stornoOf ? kept : undefined;
  };
  const isUnfinished = ({ orgId, commandId }: IdempotencyRecord): boolean => {
    const command = commandId === null ? undefined : commands.get(orgId, commandId);
    return command !== undefined && !isFinal(command.status);
  };
  return {
    /** @param now counted time */
    find(request: OnceRequest, key: string, now: number): IdempotencyRecord | undefined {
      const own = store.get(request.principal.orgId, nameOf(key, request));
      const kept = own ?? stornoElsewhere(request, key);
      return kept && (kept.expiresAt > now || isUnfinished(kept)) ? kept : undefined;
    },

    /** Who may read it, by any of these scopes: a key spans routes of several. Empty: everybody. */
    readersOf({ orgId, commandId, httpStatus }: IdempotencyRecord): readonly Scope[] {
      if (commandId === null) return httpStatus < 300 ? ["receipts:read"] : [];
      // Whoever asks for it on the route of its sale is answered there.
      const isStorno = commands.get(orgId, commandId)?.type === "print_reversal_receipt";
      return ["commands", ...(isStorno ? (["receipts:admin"] as const) : [])];
    },
  };
}

/**
 * Transactions begin in a later turn than the one in which their request came, so that by now it is
 * known what came behind it; see `http/whole-request.ts`.
 * @throws ApiError BAD_REQUEST, which nobody reads
 */
function requireHeard({ aborted }: AbortSignal): void {
  if (aborted) throw new ApiError("BAD_REQUEST", "The connection ended: nothing was done");
}

/** What a transaction came to: the answer the key had, or the one it has now. */
type Done =
  | { readonly kept: IdempotencyRecord }
  | { readonly kept?: undefined; readonly performed: Performed };

function answer({ status, body }: Performed): Response {
  return Response.json(body, { status });
}

/** The answer that the error boundary gives, to be kept. */
function refusal(error: unknown): Performed {
  const shown = shownError(error);
  return { status: shown.status, body: shown.toEnvelope() };
}

function replay(
  kept: IdempotencyRecord,
  request: OnceRequest,
  readers: readonly Scope[],
): Response {
  const [scope] = readers;
  if (scope !== undefined && !readers.some((one) => covers(request.principal, one))) {
    const message =
      `This Idempotency-Key has an answer already, which needs the scope \`${scope}\`: ` +
      "send this request under another key. Nothing was done";
    throw new ApiError("CONFLICT", message);
  }
  const headers = new Headers({
    "Content-Type": JSON_TYPE,
    [REPLAYED]: "true",
  });
  if (!isSameRequest(kept, request)) headers.set(BODY_MISMATCH, "true");
  return new Response(kept.body, { status: kept.httpStatus, headers });
}

type Compared = Pick<OnceRequest, "bodyText" | "stornoOf">;

/** Versions up to 0.1.0 kept the body's alone; a repeat behind an update is no other request. */
function isSameRequest(kept: IdempotencyRecord, { bodyText, stornoOf }: Compared): boolean {
  return [{ bodyText, stornoOf }, { bodyText }].some((one) => kept.requestHash === hashOf(one));
}

/** The same for bodies whose values are the same, however they are written. */
function hashOf({ bodyText, stornoOf }: Partial<Compared> & Pick<Compared, "bodyText">): string {
  const text = canonicalText(bodyText);
  const asked = stornoOf === undefined ? text : `${stornoOf}\n${text}`;
  return new Bun.CryptoHasher("sha256").update(asked).digest("hex");
}

/** @param bodyText was read within its bounds, or is no JSON and then stands for itself */
function canonicalText(bodyText: string): string {
  try {
    return JSON.stringify(canonical(JSON.parse(bodyText)));
  } catch {
    return bodyText;
  }
}

/** The same value, its properties in the order of their names. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== "object" || value === null) return value;
  const sorted = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, inner]) => [name, canonical(inner)]));
}
