/** The operations of the OpenAPI document, as requests are made from them. */

import { follow } from "../../../http/testing/openapi-faults.ts";

/** Something that an operation takes, with where its schema stands in the document. */
interface Taken {
  readonly schema: unknown;
  /** As `#/paths/...`. */
  readonly pointer: string;
  readonly isRequired: boolean;
}

export interface Parameter extends Taken {
  readonly name: string;
  readonly in: "path" | "query" | "header";
}

export interface Operation {
  /** As `GET /api/v1/devices`. */
  readonly name: string;
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  readonly tags: readonly string[];
  /** Of the whole box: for the organization that it belongs to alone. */
  readonly isOfBox: boolean;
  readonly parameters: readonly Parameter[];
  /** JSON; undefined where the operation takes none. */
  readonly body: Taken | undefined;
  /** Types of what it answers, for `Accept`; empty where it answers nothing. */
  readonly types: readonly string[];
}

/** @throws Error for what this cannot make requests of */
export function operationsOf(document: unknown): Operation[] {
  return entries(follow(document, "#/paths")).flatMap(([path, methods]) =>
    entries(methods).map(([method, given]) => {
      const pointer = `#/paths/${escaped(path)}/${method}`;
      return {
        name: `${method.toUpperCase()} ${path}`,
        ...{ method: method.toUpperCase(), path },
        tags: list(field(given, "tags")).map(String),
        isOfBox: field(field(given, "x-access"), "ofBox") === true,
        parameters: list(field(given, "parameters")).map((parameter, index) =>
          parameterOf(parameter, `${pointer}/parameters/${index}`),
        ),
        body: bodyOf(field(given, "requestBody"), `${pointer}/requestBody`),
        types: [...new Set(entries(field(given, "responses")).flatMap(typesOf))],
      };
    }),
  );
}

function parameterOf(given: unknown, pointer: string): Parameter {
  const place = field(given, "in");
  if (place !== "path" && place !== "query" && place !== "header") {
    throw new Error(`${pointer} is in ${place}`);
  }
  return {
    name: String(field(given, "name")),
    in: place,
    schema: field(given, "schema"),
    pointer: `${pointer}/schema`,
    isRequired: field(given, "required") === true,
  };
}

function bodyOf(given: unknown, pointer: string): Taken | undefined {
  if (given === undefined) return undefined;
  const content = entries(field(given, "content"));
  const [[type, media] = []] = content;
  if (content.length !== 1 || type !== "application/json") {
    throw new Error(`${pointer} is of ${content.map(([one]) => one)}`);
  }
  return {
    schema: field(media, "schema"),
    pointer: `${pointer}/content/${escaped(type)}/schema`,
    isRequired: field(given, "required") === true,
  };
}

/** Of an answer of success. */
function typesOf([status, answer]: readonly [string, unknown]): string[] {
  return status.startsWith("2") ? entries(field(answer, "content")).map(([type]) => type) : [];
}

const escaped = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1");
const field = (value: unknown, name: string): unknown => Object(value)[name];
const entries = (value: unknown): readonly [string, unknown][] => Object.entries(Object(value));
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
