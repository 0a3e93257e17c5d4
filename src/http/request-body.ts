/** JSON bodies: read within their limit, and never converted to fit their schema. */

import type { Static, TObject, TSchema } from "@sinclair/typebox";
import { ApiError, validationError } from "#core/errors.ts";
import { isDeeperThan, textIssues } from "#core/json-text.ts";
import { BODY_BYTES_MAX, BODY_DEPTH_MAX, PAYLOAD_DEPTH_MAX } from "#core/limits.ts";
import { schemaCheckOf } from "#core/schema-check.ts";
import { readBody } from "../platform/bounded-body.ts";
import { type Components, RequestReader } from "./request-reader.ts";
import { stateOf } from "./request-state.ts";
import { isWhole } from "./whole-request.ts";

/** `application/json`, with nothing but UTF-8 as its character set. */
const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

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
  if (request.body !== null && !(await isWhole(request))) throw nobodyHears();
  return text;
}

/**
 * The body's text; empty when there is none.
 * @throws ApiError BAD_REQUEST when it is too large, not UTF-8 or not declared as JSON; UNAUTHORIZED
 * when it came so late that whoever sent it may no longer do what it asks for
 */
async function readText(request: Request): Promise<string> {
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > BODY_BYTES_MAX) throw tooLarge();
  if (request.body === null) return "";
  const bytes = await readBytes(request, declared !== null);
  const state = stateOf(request);
  state.bodyArrived();
  state.requireStill?.();
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
