// SPDX-License-Identifier: Apache-2.0
/** Why there is no answer to work with: what the gateway refused, or what came between. */

import type { components } from "./api-types.ts";

/** The API's codes, and the client's own. */
export type ErrorCode =
  | components["schemas"]["Error"]["error"]["code"]
  /** Nothing came back: whether the gateway did anything is not known. */
  | "UNREACHABLE"
  /** The certificate is not one that this program trusts for that address: this was not sent. */
  | "UNTRUSTED"
  /** Plain HTTP is sent on to HTTPS, where the client does not follow: this did nothing. */
  | "REDIRECTED"
  /**
   * What came back is no JSON, or is not in the gateway's words: of another program at its address, a
   * proxy's page, or a file that was asked for without `parseAs: "text"`.
   */
  | "UNREADABLE"
  /** The `Idempotency-Key` was used for something else before, and this was not queued. */
  | "KEY_REUSED"
  /** The order was queued, and the gateway refuses to tell what became of it. */
  | "NOT_TOLD"
  /** The key is empty, missing or not one that the gateway takes: nothing was sent. */
  | "KEY_INVALID";

interface Facts {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: unknown;
  readonly response?: Response;
  readonly cause?: unknown;
  readonly commandId?: string;
  readonly mayBeQueued?: boolean;
}

/** Thrown by everything here that asks the gateway. Branch on `code`; the message is for people. */
export class GatewayError extends Error {
  override readonly name = "GatewayError";
  readonly code: ErrorCode;
  /** With `VALIDATION_ERROR` a list of `{ path, message }`. */
  readonly details: unknown;
  /** The status of the answer; undefined without one. */
  readonly status: number | undefined;
  /** Under this the gateway's log tells more. */
  readonly requestId: string | undefined;
  /** How long the gateway wants to be left alone. */
  readonly retryAfterSeconds: number | undefined;
  /** Of an order that was queued, where it is not known what became of it. */
  readonly commandId: string | undefined;
  /**
   * True where the order may have been queued by this call, or has been: the sale may be printed, and
   * the same order asks again. Of an earlier call with the same key it says nothing.
   */
  readonly mayBeQueued: boolean;
  readonly #facts: Facts;

  constructor(facts: Facts) {
    const { code, message, details, response, cause, commandId, mayBeQueued = false } = facts;
    super(message, cause === undefined ? undefined : { cause });
    this.#facts = facts;
    this.code = code;
    this.details = details;
    this.status = response?.status;
    this.requestId = response?.headers.get("X-Request-Id") ?? undefined;
    const seconds = Number(response?.headers.get("Retry-After"));
    this.retryAfterSeconds = seconds > 0 ? seconds : undefined;
    this.commandId = commandId;
    this.mayBeQueued = mayBeQueued;
  }

  /** The same, with what else is known of the order. */
  with(
    more: Pick<Facts, "commandId" | "mayBeQueued"> & { readonly message?: string },
  ): GatewayError {
    return new GatewayError({ ...this.#facts, ...more });
  }

  /** True where the same request may succeed later: nothing in it has to be changed. */
  get isTemporary(): boolean {
    if (LASTING.has(this.code)) return false;
    return this.status === undefined || this.status === 429 || this.status >= 500;
  }
}

/** Codes without an answer that the same request meets again. */
const LASTING: ReadonlySet<ErrorCode> = new Set([
  "UNTRUSTED",
  "REDIRECTED",
  "KEY_INVALID",
  "NOT_TOLD",
]);

/** What a call of the typed API gives. */
interface Reply {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}

/** The body of success; undefined where there is none. */
type Body<R extends Reply> = [Exclude<R["data"], undefined>] extends [never]
  ? undefined
  : Exclude<R["data"], undefined>;

/**
 * The body that a call of `client.api` was answered with:
 * `const { devices } = await answer(client.api.GET("/api/v1/devices"))`.
 * @throws GatewayError when it was refused or not answered
 */
export async function answer<R extends Reply>(call: Promise<R>): Promise<Body<R>> {
  return bodyOf(await answered(call));
}

/** What came back, whatever it says. @throws GatewayError UNREACHABLE, UNREADABLE and the like */
export async function answered<R extends Reply>(call: Promise<R>): Promise<R> {
  const reply = await cameBack(call);
  const { status } = reply.response;
  // "" or undefined: nothing was in it.
  if (!BODILESS.has(status) || reply.error) return reply;
  const message = `${BEGINNINGS.UNREACHABLE}: status ${status} without a body`;
  throw new GatewayError({ code: "UNREACHABLE", message });
}

/**
 * With these the server below the API ends a connection by itself. Of what it was sent something may
 * be queued already, so that they tell no more than silence does.
 */
const BODILESS: ReadonlySet<number> = new Set([400, 413, 431, 505]);

async function cameBack<R extends Reply>(call: Promise<R>): Promise<R> {
  try {
    return await call;
  } catch (cause) {
    if (cause instanceof GatewayError || nameOf(cause) === "AbortError") throw cause;
    const code =
      nameOf(cause) === "SyntaxError" ? "UNREADABLE" : (lastingFaultOf(cause) ?? "UNREACHABLE");
    throw new GatewayError({ code, message: `${BEGINNINGS[code]}: ${reasonOf(cause)}`, cause });
  }
}

/**
 * An answer of the gateway that is a file, as the journal, is not read as JSON. Pages may be anybody's.
 * @throws GatewayError UNREADABLE, which the same call would meet again
 */
export function requireJson(response: Response, parseAs: string): undefined {
  const type = response.headers.get("Content-Type")?.split(";")[0] ?? "";
  const isFile = response.ok && type !== "" && !/json|^text\/html$/.test(type);
  if (parseAs !== "json" || !isFile || !response.headers.has("X-Request-Id")) return;
  const message = `The answer is ${type} and no JSON: ask with parseAs: "text"`;
  throw new GatewayError({ code: "UNREADABLE", message, response });
}

const BEGINNINGS = {
  UNREACHABLE: "No answer of the gateway",
  UNREADABLE: "No answer of the gateway",
  UNTRUSTED:
    "The certificate is not one that this program trusts for that address (the gateway's authority is at its /ca)",
  REDIRECTED: "The gateway wants HTTPS: give its https:// address, with the port",
} as const;

/** Codes of OpenSSL and BoringSSL for certificates, as Node and Bun give them. */
const CERTIFICATE_CODE =
  /^(CERT_|ERR_TLS_CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_)/;
const REDIRECT_MESSAGE = /unexpected ?redirect/i;

/** What the same request will meet again; undefined where it may not. Browsers tell neither. */
function lastingFaultOf(thrown: unknown): "UNTRUSTED" | "REDIRECTED" | undefined {
  if (!(thrown instanceof Error)) return undefined;
  if ("code" in thrown && CERTIFICATE_CODE.test(String(thrown.code))) return "UNTRUSTED";
  return REDIRECT_MESSAGE.test(thrown.message) ? "REDIRECTED" : lastingFaultOf(thrown.cause);
}

/** The body of success. @throws GatewayError as the refusal says */
export function bodyOf<R extends Reply>({ data, error, response }: R): Body<R> {
  // What the route is declared to answer is what data is typed as.
  if (response.ok) return data as Body<R>;
  const { code, message, details } = refusalIn(error);
  if (code !== undefined) throw new GatewayError({ code, message, details, response });
  const unreadable = `Status ${response.status} without the gateway's words`;
  throw new GatewayError({ code: "UNREADABLE", message: unreadable, details: error, response });
}

/**
 * A part of an answer that has these texts. What something in between answers with a 2xx, in words of
 * its own or none, tells no more than silence: it has no status here.
 * @throws GatewayError UNREADABLE
 */
export function whole<T extends object>(
  part: T | undefined,
  texts: readonly (keyof T & string)[],
): T {
  if (part && texts.every((name) => typeof part[name] === "string")) return part;
  const message = `${BEGINNINGS.UNREADABLE}: what came back has not ${texts.join(", ")}`;
  throw new GatewayError({ code: "UNREADABLE", message });
}

/** A refusal stands under `error`; that of the rate limiter is flat. */
function refusalIn(body: unknown): { code?: ErrorCode; message: string; details?: unknown } {
  if (typeof body !== "object" || body === null) return { message: "" };
  if ("error" in body) return refusalIn(body.error);
  if (!("code" in body) || typeof body.code !== "string") return { message: "" };
  const message = "message" in body ? String(body.message) : body.code;
  const details = "details" in body ? body.details : undefined;
  // A newer gateway may know more codes; they are handed on as they are.
  return { code: body.code as ErrorCode, message, details };
}

function nameOf(thrown: unknown): string {
  return thrown instanceof Error || thrown instanceof DOMException ? thrown.name : "";
}

/** Node says "fetch failed" and keeps the reason behind it. */
function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  return thrown.cause instanceof Error ? reasonOf(thrown.cause) : thrown.message || thrown.name;
}
