/**
 * The ACME protocol (RFC 8555), as far as a certificate for names of one's own needs it. Signatures
 * and keys are jose's. Loaded when there is a certificate to obtain: once in some sixty days.
 */

import { createHash } from "node:crypto";
import {
  calculateJwkThumbprint,
  exportJWK,
  FlattenedSign,
  importPKCS8,
  type JWK,
  type JWSHeaderParameters,
} from "jose";
import { errorText } from "../../platform/thrown.ts";

const ALGORITHM = "ES256";
/** One request, its answer included. */
const REQUEST_MS = 30_000;
/** Longer than any chain of certificates. */
const ANSWER_CHARACTERS_MAX = 1_048_576;
/** A nonce may be too old; several in a row are the authority's fault. */
const NONCE_TRIES = 8;
/** Between two looks at what the authority is doing, unless it says when to look again. */
const LOOK_MS = 2_000;
const LOOK_LONGEST_MS = 30_000;
/** How long an authority may take to check, or to sign. */
const LOOKS_MAX = 90;

/** How a name is proven to be ours. */
export type ChallengeType = "http-01" | "dns-01";

/** What the authority wants to find. */
export interface Challenge {
  /** The host name that is to be proven. */
  readonly name: string;
  readonly token: string;
  /** What is to be answered for the token over HTTP. */
  readonly answer: string;
  /** Value of the TXT record `_acme-challenge.<name>`. */
  readonly record: string;
}

/** Shows the authority what it wants to find. */
export interface Solver {
  readonly type: ChallengeType;
  /** Resolves when it can be found. @throws Error with the reason when that cannot be done */
  present(challenge: Challenge): Promise<void>;
  /** Takes it away again. Never throws. */
  remove(challenge: Challenge): Promise<void>;
}

/** A refusal by the authority, in its own words. */
export class AcmeRefusal extends Error {
  override readonly name = "AcmeRefusal";
  /** `rateLimited`, `unauthorized`; empty where the authority does not say. */
  readonly type: string;
  /** It wants to be left alone for so long; 0 where it does not say. */
  readonly retryAfterMs: number;

  constructor(message: string, type: string, retryAfterMs: number) {
    super(message);
    this.type = type;
    this.retryAfterMs = retryAfterMs;
  }
}

export interface AcmeOptions {
  /** URL of the authority's directory. */
  readonly directory: string;
  /** PEM of the authorities that the directory's own certificate may be from; the public ones unless given. */
  readonly ca?: string;
  /** PKCS #8 of the account's key, as PEM. */
  readonly accountKey: string;
  /** An address that the authority may write to; empty for none. */
  readonly contact: string;
  /** A pause; rejects when the gateway stops. */
  readonly pause: (ms: number) => Promise<void>;
  readonly signal: AbortSignal;
}

/** A certificate to be asked for. */
export interface AcmeOrder {
  readonly names: readonly string[];
  /** DER of the certificate request for these names. */
  readonly request: Uint8Array;
  readonly solver: Solver;
}

interface Answer {
  readonly headers: Headers;
  readonly text: string;
  readonly json: Record<string, unknown>;
}

/**
 * Obtains a certificate.
 * @returns PEM of the certificate and of those between it and the authority
 * @throws AcmeRefusal, or Error with the reason
 */
export async function obtainCertificate(options: AcmeOptions, order: AcmeOrder): Promise<string> {
  const account = await openAccount(options);
  const {
    post,
    directory,
    options: { pause },
  } = account;
  const identifiers = order.names.map((value) => ({ type: "dns", value }));
  const made = await post(urlOf(directory, "newOrder"), { identifiers });
  const orderUrl = made.headers.get("location") ?? "";
  for (const authorization of textsOf(made.json, "authorizations")) {
    await prove(account, authorization, order.solver);
  }
  const csr = Buffer.from(order.request).toString("base64url");
  await post(urlOf(made.json, "finalize"), { csr });
  const done = await settled(() => post(orderUrl, undefined), pause, [
    "pending",
    "ready",
    "processing",
  ]);
  if (done.json.status !== "valid") throw refusalOf("the authority signs nothing", done.json.error);
  return (await post(urlOf(done.json, "certificate"), undefined)).text;
}

interface Account {
  readonly options: AcmeOptions;
  readonly directory: Record<string, unknown>;
  readonly thumbprint: string;
  /** A signed request; without a payload it asks for what is there. */
  readonly post: (url: string, payload: object | undefined) => Promise<Answer>;
}

/** Opens the account of the key, or finds it. */
async function openAccount(options: AcmeOptions): Promise<Account> {
  const key = await importPKCS8(options.accountKey, ALGORITHM, { extractable: true });
  const { kty, crv, x, y } = await exportJWK(key);
  const jwk = { kty, crv, x, y } as JWK;
  const directory = (await ask(options, options.directory, {})).json;
  let nonce = "";
  const send = async (url: string, payload: object | undefined, by: JWSHeaderParameters) => {
    for (let tries = 1; ; tries += 1) {
      nonce ||= await newNonce(options, urlOf(directory, "newNonce"));
      const signed = await new FlattenedSign(
        new TextEncoder().encode(payload === undefined ? "" : JSON.stringify(payload)),
      )
        .setProtectedHeader({ alg: ALGORITHM, nonce, url, ...by })
        .sign(key);
      const method = "POST";
      const headers = { "Content-Type": "application/jose+json" };
      const used = nonce;
      nonce = "";
      try {
        const answer = await ask(options, url, { method, headers, body: JSON.stringify(signed) });
        nonce = answer.headers.get("replay-nonce") ?? "";
        return answer;
      } catch (error) {
        const isStale = error instanceof AcmeRefusal && error.type === "badNonce" && used !== "";
        if (!isStale || tries >= NONCE_TRIES) throw error;
      }
    }
  };
  const contact = options.contact === "" ? {} : { contact: [`mailto:${options.contact}`] };
  const terms = { termsOfServiceAgreed: true, ...contact };
  const account = await send(urlOf(directory, "newAccount"), terms, { jwk });
  const kid = account.headers.get("location") ?? "";
  return {
    options,
    directory,
    thumbprint: await calculateJwkThumbprint(jwk),
    post: (url, payload) => send(url, payload, { kid }),
  };
}

/** Shows the authority that a name is ours. */
async function prove(account: Account, url: string, solver: Solver): Promise<void> {
  const {
    post,
    thumbprint,
    options: { pause },
  } = account;
  const { json } = await post(url, undefined);
  if (json.status === "valid") return;
  const name = String((json.identifier as { value?: unknown } | undefined)?.value);
  const offered = Array.isArray(json.challenges)
    ? (json.challenges as Record<string, unknown>[])
    : [];
  const wanted = offered.find(({ type }) => type === solver.type);
  if (wanted === undefined) {
    throw new Error(`the authority does not offer ${solver.type} for ${name}`);
  }
  const token = String(wanted.token);
  const answer = `${token}.${thumbprint}`;
  const record = createHash("sha256").update(answer).digest("base64url");
  const challenge = { name, token, answer, record };
  try {
    await solver.present(challenge);
    await post(urlOf(wanted, "url"), {});
    const checked = await settled(() => post(url, undefined), pause, ["pending"]);
    if (checked.json.status === "valid") return;
    const challenges = (checked.json.challenges ?? []) as Record<string, unknown>[];
    const failed = challenges.find(({ error }) => error !== undefined);
    throw refusalOf(`the authority does not find ${name} here by ${solver.type}`, failed?.error);
  } finally {
    await solver.remove(challenge);
  }
}

/** Asks until something is not under way any more. */
async function settled(
  asked: () => Promise<Answer>,
  pause: AcmeOptions["pause"],
  underWay: readonly unknown[],
): Promise<Answer> {
  for (let looks = 1; ; looks += 1) {
    const answer = await asked();
    if (!underWay.includes(answer.json.status)) return answer;
    if (looks >= LOOKS_MAX) throw new Error("the authority does not come to an end");
    await pause(Math.min(LOOK_LONGEST_MS, retryAfterMs(answer.headers) || LOOK_MS));
  }
}

async function newNonce(options: AcmeOptions, url: string): Promise<string> {
  const { headers } = await ask(options, url, { method: "HEAD" });
  return headers.get("replay-nonce") ?? "";
}

/** One request. @throws AcmeRefusal for a refusal, Error where there is no answer */
async function ask(
  { ca, signal }: AcmeOptions,
  url: string,
  init: BunFetchRequestInit,
): Promise<Answer> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]);
  const headers = { "User-Agent": "fiscald", ...(init.headers as object) };
  const tls = ca === undefined ? {} : { tls: { ca } };
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, { ...init, ...tls, headers, redirect: "error", signal: within });
    text = await boundedText(response);
  } catch (error) {
    const reason = errorText(error);
    throw new Error(`the authority at ${new URL(url).host} cannot be reached: ${reason}`, {
      cause: error,
    });
  }
  const json = response.headers.get("content-type")?.includes("json") ? parsed(text) : {};
  if (response.ok) return { headers: response.headers, text, json };
  throw refusalOf(`the authority answers ${response.status}`, json, response.headers);
}

async function boundedText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > ANSWER_CHARACTERS_MAX) throw new Error("its answer does not end");
  }
  return text + decoder.decode();
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** @param problem as RFC 7807 has it, or anything else */
function refusalOf(what: string, problem: unknown, headers?: Headers): AcmeRefusal {
  const { type, detail } = (problem ?? {}) as { type?: unknown; detail?: unknown };
  const said = typeof detail === "string" ? `: ${detail.slice(0, 500)}` : "";
  const kind = typeof type === "string" ? (type.split(":").at(-1) ?? "") : "";
  return new AcmeRefusal(`${what}${said}`, kind, headers ? retryAfterMs(headers) : 0);
}

/** Seconds, or a date; 0 where there is none. */
function retryAfterMs(headers: Headers): number {
  const value = headers.get("retry-after") ?? "";
  if (/^\d{1,8}$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  const now = Date.parse(headers.get("date") ?? "");
  return Number.isNaN(at) || Number.isNaN(now) ? 0 : Math.max(0, at - now);
}

function urlOf(found: Record<string, unknown>, name: string): string {
  const url = found[name];
  if (typeof url === "string" && URL.canParse(url)) return url;
  throw new Error(`the authority does not say its ${name}: is acme.directory right?`);
}

function textsOf(found: Record<string, unknown>, name: string): string[] {
  const list = found[name];
  return Array.isArray(list) ? list.filter((one) => typeof one === "string") : [];
}
