/**
 * Bodies: read within their limit. Those that are JSON are never converted to fit their schema, and
 * those that a route has no use for are waited for all the same.
 */

import type { Static, TObject, TSchema } from "@sinclair/typebox";
import type { AnyElysia } from "elysia";
import { ApiError, validationError } from "#core/errors.ts";
import { isDeeperThan, textIssues } from "#core/json-text.ts";
import { BODY_BYTES_MAX, BODY_DEPTH_MAX, PAYLOAD_DEPTH_MAX } from "#core/limits.ts";
import { schemaCheckOf } from "#core/schema-check.ts";
import { readBody } from "../platform/bounded-body.ts";
import { type Components, RequestReader } from "./request-reader.ts";
import { stateOf } from "./request-state.ts";
import { changes, isWhole } from "./whole-request.ts";

/** `application/json`, with nothing but UTF-8 as its character set. */
const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

const NOTHING = new Uint8Array();
const decoder = new TextDecoder("utf-8", { fatal: true });

/** How the OpenAPI document shows a body, where more is checked of it than its schema says. */
export interface BodyDocument {
  readonly schema: TSchema;
  readonly components?: Components;
}

/** A body that the handler itself reads. */
export interface LateBody<T> {
  /** As it was sent; empty when there was none. @throws ApiError BAD_REQUEST */
  text(): Promise<string>;
  /** The value of that text. @throws ApiError BAD_REQUEST or VALIDATION_ERROR */
  parse(text: string): T;
}

/**
 * For `body` of a route: a JSON body that fits the schema. Properties that it does not name are
 * left alone.
 * @param depthMax levels that it may have
 */
export function json<S extends TSchema>(
  schema: S,
  document: BodyDocument = { schema },
  depthMax: number = BODY_DEPTH_MAX,
): RequestReader<Static<S>> {
  const parse = parserOf(schema, depthMax);
  const read = async (request: Request) => ({ value: parse(await readWhole(request)) });
  return new RequestReader(read, document.schema, document.components);
}

/**
 * A JSON body that changes some of a record's fields: it names at least one of them, because what it
 * does not know is ignored, and nothing would be left to change.
 * @param document how the OpenAPI document shows it
 */
export function changeJson<S extends TObject>(
  schema: S,
  document: TObject = schema,
): RequestReader<Static<S>> {
  const parse = parserOf(schema);
  const fields = Object.keys(schema.properties);
  const read = async (request: Request) => {
    const value = parse(await readWhole(request));
    if (fields.some((field) => Object.hasOwn(value, field))) return { value };
    const message = `Expected at least one of: ${fields.join(", ")}`;
    throw validationError([{ path: "", message }]);
  };
  return new RequestReader(read, { ...document, minProperties: 1 });
}

/**
 * The same, read on the handler's demand: what is refused of it can then be kept as an answer. That
 * nothing came behind it is for the handler to see, by the request's signal, when it writes: writes
 * gather until the turn is over, and a turn more for each sale would halve what one commit takes.
 */
export function lateJson<S extends TSchema>(
  schema: S,
  document: BodyDocument = { schema },
): RequestReader<LateBody<Static<S>>> {
  const parse = parserOf(schema);
  const read = (request: Request) => ({ value: { text: () => readText(request), parse } });
  return new RequestReader(read, document.schema, document.components);
}

/**
 * Has the routes of an instance that change something wait for a body which they do not read, as many
 * clients send one with whatever they post: what is carried out from the head alone may be answered
 * as never come.
 * @returns the instance
 */
export function awaitingBodies<A extends AnyElysia>(instance: A): A {
  for (const { method, hooks } of instance.routes) {
    if (changes(method)) hooks.body ??= UNREAD;
  }
  return instance;
}

/** Takes any body, of which nothing is in the document. */
const UNREAD = {
  "~standard": {
    version: 1,
    vendor: "fiscald",
    validate: (request: Request) => (request.body === null ? FORGOTTEN : forget(request)),
  },
} as const;
const FORGOTTEN = { value: undefined };

async function forget(request: Request) {
  await readAll(request);
  await requireWhole(request);
  return FORGOTTEN;
}

/** Parses and checks. */
function parserOf<S extends TSchema>(
  schema: S,
  depthMax: number = BODY_DEPTH_MAX,
): (text: string) => Static<S> {
  const check = schemaCheckOf(schema);
  return (text) => {
    const value = parseText(text, depthMax);
    const faults = textIssues(text, value);
    if (faults.length > 0) throw validationError(faults);
    if (check.accepts(value)) return value;
    throw validationError(check.issues(value));
  };
}

/** The text of a body behind which nothing came that is no request. @throws ApiError BAD_REQUEST */
async function readWhole(request: Request): Promise<string> {
  const text = await readText(request);
  if (request.body !== null) await requireWhole(request);
  return text;
}

/** @throws ApiError BAD_REQUEST when something came behind it that is no request */
async function requireWhole(request: Request): Promise<void> {
  if (!(await isWhole(request))) throw nobodyHears();
}

/**
 * The body's text; empty when there is none.
 * @throws ApiError as `readAll`; BAD_REQUEST when it is not UTF-8 or not declared as JSON
 */
async function readText(request: Request): Promise<string> {
  const bytes = await readAll(request);
  if (bytes.length === 0) return "";
  if (!JSON_TYPE.test(request.headers.get("content-type") ?? "")) {
    throw new ApiError("BAD_REQUEST", "Send the body as Content-Type: application/json in UTF-8");
  }
  const encoding = request.headers.get("content-encoding") ?? "identity";
  if (encoding.toLowerCase() !== "identity") {
    throw new ApiError("BAD_REQUEST", "Send the body as it is: Content-Encoding is not supported");
  }
  try {
    return decoder.decode(bytes);
  } catch {
    throw new ApiError("BAD_REQUEST", "The body is not valid UTF-8");
  }
}

/**
 * All of the body; empty when there is none.
 * @throws ApiError BAD_REQUEST when it is too large or did not arrive; UNAUTHORIZED when it came so late
 * that whoever sent it may no longer do what it asks for
 */
async function readAll(request: Request): Promise<Uint8Array> {
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > BODY_BYTES_MAX) throw tooLarge();
  if (request.body === null) return NOTHING;
  const bytes = await readBytes(request, declared !== null);
  const state = stateOf(request);
  state.bodyArrived();
  state.requireStill?.();
  return bytes;
}

/**
 * The value of a body's text. No body at all is an empty object, so that a route whose fields are
 * all optional takes it and every other one names what is missing.
 * @throws ApiError BAD_REQUEST when the text is not JSON, or nested too deep to be worked with
 */
function parseText(text: string, depthMax: number): unknown {
  if (text === "") return {};
  if (isDeeperThan(text, depthMax)) throw tooDeep();
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError("BAD_REQUEST", "The body is not valid JSON");
  }
}

/** @param isDeclared whether the head says how long the body is */
async function readBytes(request: Request, isDeclared: boolean): Promise<Uint8Array> {
  try {
    return isDeclared || request.body === null
      ? await request.bytes()
      : await readBounded(request.body);
  } catch (error) {
    if (request.signal.aborted) throw nobodyHears();
    throw error;
  }
}

/** A body of undeclared length is read only as far as it may go. */
async function readBounded(body: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const read = await readBody(body, BODY_BYTES_MAX);
  if (read === undefined) throw tooLarge();
  return read;
}

/** The client left, took too long and was cut off, or sent what is no request behind the body. */
function nobodyHears(): ApiError {
  return new ApiError("BAD_REQUEST", "The body did not arrive, or more than the body did");
}

function tooDeep(): ApiError {
  const levels = `${BODY_DEPTH_MAX} levels, a payload in it ${PAYLOAD_DEPTH_MAX}`;
  return new ApiError("BAD_REQUEST", `The body is nested too deep: it may have ${levels}`);
}

function tooLarge(): ApiError {
  return new ApiError("BAD_REQUEST", `The body is larger than ${BODY_BYTES_MAX} bytes`);
}
