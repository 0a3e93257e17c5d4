/** Requests of which one thing is wrong. */

import { BODY_BYTES_MAX, BODY_DEPTH_MAX } from "#core/limits.ts";
import { breakOf } from "../../../http/testing/schema-breaks.ts";
import type { Schema } from "../../../http/testing/schema-values.ts";
import type { Operation, Parameter } from "./operations.ts";
import { canBeSent, type Said, type Sent, sentOf } from "./requests.ts";

/** A request that is to be refused. */
export interface Broken {
  readonly sent: Sent;
  /** What a VALIDATION_ERROR names, or something around or within it; undefined for a BAD_REQUEST. */
  readonly names: string | undefined;
}

/** What to break, and how: numbers that choose among what there is. */
export interface Choice {
  readonly what: number;
  readonly how: number;
}

/** True when a value fits the schema that stands at that place of the document. */
export type Fits = (pointer: string, value: unknown) => boolean;

type Breaking = (said: Said, how: number) => Broken | undefined;

/** Texts that few parameters take. */
const STRANGE_TEXTS = ["", " ", "nonsense", "-1", "1.5", "1e2", "0x10", "9".repeat(20), "TRUE"];
const STRANGE_TIMES = ["2026-02-30T00:00:00Z", "2026-01-31T12:00:00", "2026-02-30", "tomorrow"];

/** Stands for a credential: a wrong one is 401 before anything else is looked at. */
const CREDENTIAL = "ticket";

/** Whoever opens a connection may leave a parameter empty, which then counts as absent. */
const TAKES_EMPTY = /\/(connect|events|events\/stream)$/;

/** True when there are requests that do not fit the operation's schemas. */
export function canBeBroken({ body, parameters }: Operation): boolean {
  // Whatever stands in a path is one path or another.
  const isBound = ({ in: place, name, schema }: Parameter) =>
    name !== CREDENTIAL && (place === "query" || Object(schema).pattern !== undefined);
  return body !== undefined || parameters.some(isBound);
}

/** The request without what counts once: a key keeps its first answer, a ticket opens one connection. */
export function repeatable(said: Said): Said {
  const { [CREDENTIAL]: _, ...query } = said.query;
  return { ...said, query, header: {} };
}

/**
 * Breaks one thing of a request that is right.
 * @returns undefined where nothing of the operation can be broken
 */
export function broken(
  operation: Operation,
  { document, fits }: { readonly document: unknown; readonly fits: Fits },
  { said, what, how }: Choice & { readonly said: Said },
): Broken | undefined {
  const { body, parameters } = operation;
  const ways = parameters
    .filter(({ name }) => name !== CREDENTIAL)
    .map(
      (one): Breaking =>
        (right, how) =>
          brokenParameter(operation, one, { said: right, how, fits }),
    );
  if (body !== undefined) {
    const { pointer, schema } = body;
    const bySchema: Breaking = (right, how) => {
      const whole = { schema, value: right.body, document };
      const found = breakOf(whole, (value) => fits(pointer, value), how);
      return (
        found && { sent: sentOf(operation, { ...right, body: found.value }), names: found.place }
      );
    };
    const byBytes: Breaking = (right, how) => brokenBytes(operation, right, how);
    ways.push(bySchema, bySchema, bySchema, bySchema, byBytes);
  }
  // What cannot be broken, as an id in the path, leaves its turn to the next.
  for (let turn = 0; turn < ways.length; turn++) {
    const found = ways[(what + turn) % ways.length]?.(said, how);
    if (found !== undefined) return found;
  }
  return undefined;
}

function brokenParameter(
  operation: Operation,
  parameter: Parameter,
  { said, how, fits }: { readonly said: Said; readonly how: number; readonly fits: Fits },
): Broken | undefined {
  const { name, pointer, isRequired } = parameter;
  const schema: Schema = Object(parameter.schema);
  const { [name]: right, ...others } = said[parameter.in];
  const names = name;
  const withText = (text: string): Broken => ({
    sent: sentOf(operation, { ...said, [parameter.in]: { ...others, [name]: text } }),
    names,
  });
  const takesEmpty = parameter.in === "header" || (TAKES_EMPTY.test(operation.name) && !isRequired);
  const texts = [...STRANGE_TEXTS, ...STRANGE_TIMES, ...beyond(schema)]
    .filter((text) => canBeSent(parameter, text) && !(text === "" && takesEmpty))
    .filter((text) => !fits(pointer, meantBy(schema, text)))
    .map((text) => () => withText(text));
  const ways = [...texts];
  if (parameter.in === "query") {
    ways.push(() => ({ sent: repeated(withText(String(right ?? "1")).sent, name), names }));
    ways.push(() => withText("a\0b"));
    if (isRequired)
      ways.push(() => ({ sent: sentOf(operation, { ...said, query: others }), names }));
  }
  return ways[how % ways.length]?.();
}

/** Just beyond what the schema bounds. */
function beyond({ minimum, maximum, maxLength }: Schema): string[] {
  return [
    ...(typeof minimum === "number" ? [String(minimum - 1)] : []),
    ...(typeof maximum === "number" ? [String(maximum + 1)] : []),
    ...(typeof maxLength === "number" ? ["y".repeat(maxLength + 1)] : []),
  ];
}

/** The value that a text of a URL or a header stands for. */
function meantBy({ type }: Schema, text: string): unknown {
  if (type === "integer") return /^-?\d+$/.test(text) ? Number(text) : text;
  if (type === "boolean") return ["", "true", "false"].includes(text) ? text !== "false" : text;
  return text;
}

function repeated(sent: Sent, name: string): Sent {
  return { ...sent, target: `${sent.target}&${name}=1` };
}

const NO_UTF_8 = Uint8Array.of(0x22, 0xff, 0x22);

/** A body that is right, sent as what no body may be. */
function brokenBytes(operation: Operation, said: Said, how: number): Broken | undefined {
  const text = JSON.stringify(said.body ?? {});
  const sent = sentOf(operation, said);
  const { body: _, headers, ...options } = sent.options;
  const withBody = (rawBody: string | Uint8Array<ArrayBuffer>, type?: string): Broken => ({
    sent: {
      ...sent,
      options: {
        ...options,
        rawBody,
        headers: { ...headers, ...(type && { "content-type": type }) },
      },
    },
    names: undefined,
  });
  const deep = `${"[".repeat(BODY_DEPTH_MAX)}${"]".repeat(BODY_DEPTH_MAX)}`;
  const within = (member: string) =>
    `${text.slice(0, -1)}${text === "{}" ? "" : ","}"x-note":${member}}`;
  const ways = [
    () => withBody(text.slice(0, -1)),
    () => withBody(`${text}x`),
    () => withBody(text, "text/plain"),
    () => withBody(text, "application/json; charset=latin1"),
    () => withBody(NO_UTF_8),
    () => withBody(within(deep)),
    () => withBody(`${text}${" ".repeat(BODY_BYTES_MAX)}`),
    () => ({ ...withBody(within('"\\u0000"')), names: "x-note" }),
    () => ({ ...withBody(within('"\\ud800"')), names: "x-note" }),
    ...(operation.body?.isRequired ? [() => ({ ...withBody(""), names: "" })] : []),
  ];
  return ways[how % ways.length]?.();
}

/** True when a refusal names the thing that was broken, or something around it or within it. */
export function isNamed(names: string, paths: readonly string[]): boolean {
  const isWithin = (inner: string, outer: string) =>
    outer === "" || inner === outer || inner.startsWith(`${outer}.`);
  return paths.some((path) => isWithin(path, names) || isWithin(names, path));
}
