/** Requests made from the schemas of an operation. */

import fc, { type Arbitrary } from "fast-check";
import type { CallOptions } from "../../../http/testing/api-client.ts";
import { type Narrow, valuesOf } from "../../../http/testing/schema-values.ts";
import type { Operation, Parameter } from "./operations.ts";

/** What a request says, by the names of the document. */
export interface Said {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly header: Readonly<Record<string, unknown>>;
  /** Undefined where none is sent. */
  readonly body: unknown;
  /** What it wants to be answered; empty where there is nothing to choose. */
  readonly accept: string;
}

/** A value that the shop has: which one is known when the request is sent. */
export class Known {
  /** @param place as for rules, `path.deviceId` */
  constructor(readonly place: string) {}

  [fc.toStringMethod](): string {
    return `known(${this.place})`;
  }
}

const STRANGER = fc.string().map((text) => ({ "x-note": text }));

/** Requests of an operation. Places are `path.deviceId`, `query.limit`, `body.items.*.price`. */
export function requestsOf(
  operation: Operation,
  document: unknown,
  narrow: Narrow,
): Arbitrary<Said> {
  const { parameters, body, types } = operation;
  const given = (one: Parameter): Arbitrary<readonly [string, unknown][]> => {
    const sendable: Narrow = (made, of) =>
      narrow(
        made.filter((value) => canBeSent(one, value)),
        of,
      );
    const values = valuesOf(one.schema, { document, narrow: sendable }, `${one.in}.${one.name}`);
    const pair = values.map((value): readonly [string, unknown][] => [[one.name, value]]);
    return one.isRequired ? pair : fc.oneof(pair, fc.constant([]));
  };
  const all = (where: Parameter["in"]) =>
    fc
      .tuple(...parameters.filter((one) => one.in === where).map(given))
      .map((parts) => Object.fromEntries(parts.flat()));
  const bodies =
    body === undefined
      ? fc.constant(undefined)
      : valuesOf(body.schema, { document, narrow }, "body");
  // What has to stand in a body that the schema lets go is a rule's to say.
  const none =
    body === undefined || body.isRequired
      ? undefined
      : narrow(fc.constant(undefined), { schema: Object(body.schema), place: "body" });
  return fc.record({
    path: all("path"),
    // A parameter that nobody knows is ignored.
    query: fc
      .tuple(all("query"), fc.oneof({ weight: 7, arbitrary: fc.constant({}) }, STRANGER))
      .map(([known, stranger]) => ({ ...known, ...stranger })),
    header: all("header"),
    body: none ? fc.oneof({ weight: 5, arbitrary: bodies }, none) : bodies,
    accept: types.length < 2 ? fc.constant("") : fc.constantFrom(...types),
  });
}

/** True for a value that its place in a request can hold: paths and headers do not hold every text. */
export function canBeSent(parameter: Parameter, value: unknown): boolean {
  const text = String(value);
  if (parameter.in === "path") return text !== "" && text !== "." && text !== "..";
  return parameter.in === "query" || /^([!-~]([ -~]*[!-~])?)?$/.test(text);
}

/** The request as it is sent. */
export interface Sent {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly options: CallOptions;
}

/** @param said without values that are still to be known */
export function sentOf({ method, path }: Operation, said: Said): Sent {
  const place = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(String(said.path[name])),
  );
  const query = new URLSearchParams(
    Object.entries(said.query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  const headers = Object.fromEntries(
    Object.entries(said.header).map(([name, value]) => [name, String(value)]),
  );
  return {
    method,
    target: query === "" ? place : `${place}?${query}`,
    options: {
      headers: { ...headers, ...(said.accept === "" ? {} : { accept: said.accept }) },
      ...(said.body === undefined ? {} : { body: said.body }),
    },
  };
}

/** The request with what the shop has in place of what was to be known. */
export async function resolved(
  said: Said,
  known: (place: string) => Promise<unknown>,
): Promise<Said> {
  const resolve = async (value: unknown): Promise<unknown> => {
    if (value instanceof Known) return await known(value.place);
    if (typeof value !== "object" || value === null) return value;
    const entries: [string, unknown][] = [];
    // One after another, so that a case makes the same calls in the same order each time.
    for (const [name, inner] of Object.entries(value)) entries.push([name, await resolve(inner)]);
    return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
  };
  return {
    path: Object(await resolve(said.path)),
    query: Object(await resolve(said.query)),
    header: Object(await resolve(said.header)),
    body: await resolve(said.body),
    accept: said.accept,
  };
}
