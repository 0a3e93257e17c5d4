/** The headers of answers in the OpenAPI document, each declared once. */

import { BODY_MISMATCH, KEY_IGNORED, REPLAYED } from "../idempotency-headers.ts";

const count = { type: "integer", minimum: 0 };
const yes = { type: "string", enum: ["true"] };

/** For `components.headers`. */
export const HEADERS = {
  "X-Request-Id": {
    description: "The one that the request brought, or a new one",
    required: true,
    schema: { type: "string" },
  },
  "RateLimit-Limit": {
    description: "Requests that a window allows",
    required: true,
    schema: count,
  },
  "RateLimit-Remaining": {
    description: "Requests that are left in the window",
    required: true,
    schema: count,
  },
  "RateLimit-Reset": {
    description: "Seconds until the window ends",
    required: true,
    schema: { type: "integer", minimum: 1 },
  },
  "Retry-After": {
    description: "Seconds to wait",
    required: true,
    schema: { type: "integer", minimum: 1 },
  },
  "WWW-Authenticate": {
    description: "How to say who calls",
    required: true,
    schema: { type: "string" },
  },
  [REPLAYED]: { description: "The answer was given before to this Idempotency-Key", schema: yes },
  [BODY_MISMATCH]: { description: "Beside it: the request asks for something else", schema: yes },
  [KEY_IGNORED]: {
    description: "The Idempotency-Key means nothing here: a repeat prints again",
    schema: yes,
  },
  "Content-Disposition": {
    description: "`attachment`, with the name to save the file under",
    required: true,
    schema: { type: "string" },
  },
  "Set-Cookie": {
    description: "With `X-Session: cookie`: the refresh token, or that it is to be forgotten",
    schema: { type: "string" },
  },
};

type Header = keyof typeof HEADERS;

const EVERYWHERE: readonly Header[] = [
  ...(["X-Request-Id", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"] as const),
];
/** What an Idempotency-Key does on a route: `once` runs it once, `ignored` is told that it does not. */
export type KeyRole = "once" | "ignored";

/** What of a request may have a say in the headers of its answer. */
export interface HeaderCauses {
  readonly key?: KeyRole | undefined;
  /** `X-Session`. */
  readonly hasSession?: boolean;
}

/** Before the key is looked at. */
const UNKEYED: readonly string[] = ["401", "403", "429"];
/** What the gateway could not do is no answer that a key keeps. */
const UNKEPT: readonly string[] = ["500", "503"];

/** What of the key the answer of a status may tell. */
function keyHeaders(status: string, key: KeyRole | undefined): readonly Header[] {
  if (key === undefined || UNKEYED.includes(status)) return [];
  if (key === "ignored") return [KEY_IGNORED];
  if (UNKEPT.includes(status)) return [];
  // An empty key is none.
  return [REPLAYED, BODY_MISMATCH, ...(status.startsWith("2") ? ([KEY_IGNORED] as const) : [])];
}

/** For `headers` of an answer. */
export function headersOf(status: string, { key, hasSession }: HeaderCauses) {
  const names: readonly Header[] = [
    ...EVERYWHERE,
    ...(status === "401" ? (["WWW-Authenticate"] as const) : []),
    ...(status === "429" ? (["Retry-After"] as const) : []),
    ...keyHeaders(status, key),
    ...(hasSession && status.startsWith("2") ? (["Set-Cookie"] as const) : []),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
