/** Holds the answers that tests get against the OpenAPI document of the app that gave them. */

import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { AnyElysia } from "elysia";
import { openApiDocument } from "../docs/openapi-document.ts";
import { follow } from "./openapi-faults.ts";

/** An answer and what it answers. */
export interface Exchange {
  readonly method: string;
  /** With the query, if there is one. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** @throws Error that says what of the answer the document does not tell */
export type CheckAnswer = (exchange: Exchange) => void;

/** What may answer where there is no route: it stands before the routes, or in their place. */
const WITHOUT_ROUTE: readonly number[] = [404, 405, 429, 503];
const NDJSON = "application/x-ndjson";
/** Names the document to the validator. */
const DOCUMENT = "fiscald:openapi";
/** Keywords of OpenAPI that say nothing of what fits. */
const OPENAPI_KEYWORDS = ["discriminator", "example"];

/** To make one takes longer than most tests, and nearly all benches have the same routes. */
const checks = new Map<string, CheckAnswer>();

/**
 * Makes the check, once for each list of routes: what is documented of a route does not depend on
 * the app that has it.
 */
export function documentedAnswers(app: AnyElysia): CheckAnswer {
  const routes = app.routes.map(({ method, path, hooks }) => {
    return { method, path, isHidden: hooks.detail?.hide === true };
  });
  const key = JSON.stringify(routes);
  const known = checks.get(key);
  if (known) return known;
  const document = JSON.parse(
    JSON.stringify(openApiDocument({ routes: app.routes, version: "0.0.0" })),
  );
  const made = checkOf(
    document,
    routes.filter(({ isHidden }) => isHidden),
  );
  checks.set(key, made);
  return made;
}

type Routes = readonly { readonly method: string; readonly path: string }[];

function checkOf(document: unknown, hidden: Routes): CheckAnswer {
  const paths = Object.entries(Object(follow(document, "#/paths")));
  // A name of its own goes before a parameter.
  const patterns = paths
    .toSorted(([one], [other]) => one.split("{").length - other.split("{").length)
    .map(([path, item]) => ({
      ...{ path, methods: new Set(Object.keys(Object(item))) },
      pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}/?$`),
    }));
  const unlisted = hidden.map(({ method, path }) => {
    return { method, pattern: new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`) };
  });
  const isHidden = (asked: string, path: string) =>
    unlisted.some(({ method, pattern }) => method === asked && pattern.test(path));
  const faultOf = schemaFaults(document);
  const documented = documentedIn(document);

  return ({ method: asked, path: target, status, headers, text }) => {
    // The document leaves out what every path has beside its methods.
    if (asked === "OPTIONS" || status === 405) return;
    const method = asked === "HEAD" ? "GET" : asked;
    const [path = ""] = target.split("?");
    const name = method.toLowerCase();
    const route = patterns.find(({ methods, pattern }) => methods.has(name) && pattern.test(path));
    const where = `${method} ${route?.path ?? path}: ${status}`;
    if (route === undefined) {
      if (isHidden(method, path) || WITHOUT_ROUTE.includes(status)) return;
      throw new Error(`${where}, of a route that the document does not have`);
    }
    const answer = documented(pointer(route.path, method, "responses", `${status}`));
    if (answer === undefined) throw new Error(`${where} is not in the document`);
    const fault = headerFault(answer.headers, headers);
    if (fault) throw new Error(`${where} ${fault}`);
    const type = headers.get("content-type")?.split(";")[0];
    if (asked === "HEAD" || (type === undefined && answer.types.length === 0)) return;
    if (type === undefined || !answer.types.includes(type)) {
      const types = answer.types.join() || "no body";
      throw new Error(`${where} has the type ${type}; documented: ${types}`);
    }
    for (const value of valuesOf(type, text)) {
      const fault = faultOf(`${answer.at}/content/${escaped(type)}/schema`, value);
      if (fault) throw new Error(`${where} does not fit its schema: ${fault}`);
    }
  };
}

/** What the document says of one answer. */
interface Documented {
  readonly at: string;
  readonly headers: readonly DocumentedHeader[];
  /** Of its body. */
  readonly types: readonly string[];
}

/** A header that the document knows, and whether this answer has it. */
interface DocumentedHeader {
  readonly name: string;
  readonly isDocumented: boolean;
  readonly isRequired: boolean;
}

/** Looks an answer up by its place, once for all that are the same; undefined where there is none. */
function documentedIn(document: unknown): (at: string) => Documented | undefined {
  const looked = new Map<string, Documented | undefined>();
  const known = Object.keys(Object(follow(document, "#/components/headers"))).map((name) => {
    const isRequired = follow(document, `#/components/headers/${name}/required`) === true;
    return { name, isRequired };
  });
  const look = (place: string): Documented | undefined => {
    const at = resolved(document, place);
    if (at === undefined) return undefined;
    const documented = follow(document, `${at}/headers`) ?? {};
    const headers = known.map((one) => {
      return { ...one, isDocumented: Object.hasOwn(documented, one.name) };
    });
    return { at, headers, types: Object.keys(follow(document, `${at}/content`) ?? {}) };
  };
  return (place) => {
    if (!looked.has(place)) looked.set(place, look(place));
    return looked.get(place);
  };
}

/** Headers that the document knows are on an answer if they have to be, and if it says so. */
function headerFault(known: Documented["headers"], headers: Headers): string | undefined {
  for (const { name, isDocumented, isRequired } of known) {
    if (headers.has(name) && !isDocumented) return `has the header ${name} beyond the document`;
    if (!headers.has(name) && isDocumented && isRequired) return `lacks the header ${name}`;
  }
  return undefined;
}

/** What of an answer has a schema: JSON, or each line of it that is not empty. */
function valuesOf(type: string, text: string): unknown[] {
  if (type === "application/json") return [JSON.parse(text)];
  if (type !== NDJSON) return [];
  return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
}

/** Makes what finds what of a value does not fit the schema at a place of the document. */
export function schemaFaults(
  document: unknown,
): (schema: string, value: unknown) => string | undefined {
  const ajv = new Ajv2020({ validateSchema: false, allErrors: true, strictRequired: false });
  addFormats.default(ajv);
  ajv.addVocabulary([...OPENAPI_KEYWORDS, ...Object.keys(Object(document))]);
  ajv.addSchema({ $id: DOCUMENT, ...Object(document) });
  const compiled = new Map<string, ValidateFunction>();
  return (schema, value) => {
    const validate = compiled.get(schema) ?? ajv.compile({ $ref: `${DOCUMENT}${schema}` });
    compiled.set(schema, validate);
    return validate(value) ? undefined : ajv.errorsText(validate.errors, { dataVar: "body" });
  };
}

const escaped = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1");

function pointer(path: string, method: string, ...names: string[]): string {
  return `#/paths/${[path, method.toLowerCase(), ...names].map(escaped).join("/")}`;
}

/** Where the answer stands: there, or in the one place that it refers to. */
function resolved(document: unknown, at: string): string | undefined {
  if (follow(document, at) === undefined) return undefined;
  const reference = follow(document, `${at}/$ref`);
  return typeof reference === "string" ? reference : at;
}
