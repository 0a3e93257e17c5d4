/** Samples of JSON, held against what the API's document says of them. */

import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { createApiBench } from "../../src/modules/testing/api-bench.ts";

type Json = Readonly<Record<string, unknown>>;

/** The API's document, for samples that may be cut short. */
export class ApiDocument {
  readonly #document: Json;
  readonly #ajv = addFormats(new Ajv2020({ strict: false, allErrors: true }));

  private constructor(document: Json) {
    this.#document = document;
    this.#ajv.addSchema(Object(loosened(document)), "api");
  }

  static async open(): Promise<ApiDocument> {
    const bench = createApiBench();
    try {
      const { text } = await bench.client.get("/api/v1/openapi.json");
      return new ApiDocument(JSON.parse(text));
    } finally {
      bench.close();
    }
  }

  /** Of the body of a request, as `POST /commands`. */
  bodyFaults(route: string, value: unknown): string[] {
    const pointer = `${this.#route(route)}/requestBody/content/application~1json/schema`;
    return this.#faults(pointer, value);
  }

  /** Of what a route answers when it succeeds, or of a part: `GET /devices /properties/devices`. */
  answerFaults(route: string, value: unknown): string[] {
    const [method = "", path = "", part = ""] = route.split(" ");
    const place = this.#route(`${method} ${path}`);
    const statuses = Object.keys(recordAt(this.#document, `${place}/responses`));
    const status = statuses.find((one) => one.startsWith("2"));
    return this.#faults(
      `${place}/responses/${status}/content/application~1json/schema${part}`,
      value,
    );
  }

  /** Of a shape that the document has by name, or of a part: `Command/properties/result`. */
  schemaFaults(place: string, value: unknown): string[] {
    return this.#faults(`/components/schemas/${place}`, value);
  }

  #route(route: string): string {
    const [method = "", path = ""] = route.split(" ");
    const place = `/paths/${`/api/v1${path}`.replaceAll("/", "~1")}/${method.toLowerCase()}`;
    recordAt(this.#document, place);
    return place;
  }

  #faults(pointer: string, value: unknown): string[] {
    recordAt(this.#document, pointer);
    const check: ValidateFunction | undefined = this.#ajv.getSchema(`api#${encodeURI(pointer)}`);
    if (check === undefined) return [`the document has nothing at ${pointer}`];
    if (check(value) === true) return [];
    return (check.errors ?? []).map(({ instancePath, message = "", params }) =>
      `${instancePath} ${message} ${JSON.stringify(params)}`.trim(),
    );
  }
}

/** @throws Error where the document has no such place */
function recordAt(document: Json, pointer: string): Json {
  let found: unknown = document;
  for (const part of pointer.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    found = typeof found === "object" && found !== null ? Reflect.get(found, name) : undefined;
  }
  if (typeof found !== "object" || found === null) throw new Error(`no ${pointer} in the API`);
  return found as Json;
}

/**
 * Nothing is required, as a sample may be shortened; what it has, the schema has to know. Parts of an
 * `allOf` do not know each other's.
 */
function loosened(value: unknown, isPart = false): unknown {
  if (Array.isArray(value)) return value.map((one) => loosened(one, isPart));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value)
    .filter(([key, part]) => !(key === "required" && Array.isArray(part)))
    .map(([key, part]) => [key, loosened(part, key === "allOf")] as const);
  const isClosed = "properties" in value && !("additionalProperties" in value) && !isPart;
  return Object.fromEntries([...entries, ...(isClosed ? [["additionalProperties", false]] : [])]);
}

/** A sample's values: one, one a line, or a part of an object without its braces. */
export function samplesOf(content: string): unknown[] {
  const text = content.trim();
  if (text.startsWith('"')) return [JSON.parse(`{${text}}`)];
  try {
    return [JSON.parse(text)];
  } catch {
    return text.split("\n").map((line) => JSON.parse(line));
  }
}
