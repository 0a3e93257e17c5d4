/** What is wrong with the structure of an OpenAPI document, for tests. */

const METHODS: readonly string[] = ["get", "put", "post", "patch", "delete"];
const ERROR_REFERENCE = "#/components/responses/Error";
const STATUS = /^([1-5]\d\d|default)$/;
/** The whole document is smaller by far; a cycle is not. */
const DEPTH_MAX = 64;

type Json = Readonly<Record<string, unknown>>;

/**
 * Checks that every reference leads somewhere, that every operation has a name of its own, answers
 * and parameters that fit its path, and that all errors share one shape.
 * @returns one sentence for each fault
 */
export function openApiFaults(document: unknown): string[] {
  const root = record(document);
  const faults = referenceFaults(root, root, "#");
  const names = new Map<string, string>();
  for (const [path, item] of Object.entries(record(root.paths))) {
    for (const [method, value] of Object.entries(record(item))) {
      const where = `${method.toUpperCase()} ${path}`;
      const operation = record(value);
      if (!METHODS.includes(method)) faults.push(`${where}: is no method`);
      const name = String(operation.operationId ?? "");
      const first = names.get(name);
      if (name === "") faults.push(`${where}: has no operationId`);
      else if (first !== undefined) faults.push(`${where}: has the operationId of ${first}`);
      names.set(name, where);
      if (typeof operation.summary !== "string") faults.push(`${where}: has no summary`);
      for (const fault of [
        ...answerFaults(record(operation.responses)),
        ...parameterFaults(path, operation.parameters),
        ...securityFaults(root, operation.security),
        ...bodyFaults(method, operation.requestBody),
      ]) {
        faults.push(`${where}: ${fault}`);
      }
    }
  }
  return faults;
}

function answerFaults(responses: Json): string[] {
  const statuses = Object.keys(responses);
  const faults = statuses
    .filter((status) => !STATUS.test(status))
    .map((status) => `${status} is no status`);
  // A request that changes over to another protocol has succeeded as well.
  if (!statuses.some((status) => status === "101" || status.startsWith("2"))) {
    faults.push("has no answer of success");
  }
  if (record(responses.default).$ref !== ERROR_REFERENCE) {
    faults.push("does not answer errors with the envelope");
  }
  for (const [status, value] of Object.entries(responses)) {
    const { $ref, description } = record(value);
    if ($ref === undefined && typeof description !== "string") {
      faults.push(`the answer ${status} has no description`);
    }
  }
  return faults;
}

function parameterFaults(path: string, parameters: unknown): string[] {
  const declared = list(parameters).map(record);
  const faults: string[] = [];
  const names = declared.map((parameter) => `${parameter.in}:${parameter.name}`);
  if (new Set(names).size !== names.length) faults.push("has a parameter twice");
  const inPath = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => `path:${name}`);
  const required = declared
    .filter((parameter) => parameter.required === true && parameter.in === "path")
    .map((parameter) => `path:${parameter.name}`);
  if (inPath.toSorted().join() !== required.toSorted().join()) {
    faults.push("does not declare the parameters of its path");
  }
  const withoutSchema = declared.filter((parameter) => parameter.schema === undefined);
  if (withoutSchema.length > 0) faults.push("has a parameter without a schema");
  return faults;
}

function securityFaults(root: Json, security: unknown): string[] {
  const schemes = record(record(root.components).securitySchemes);
  if (!Array.isArray(security)) return ["does not say who may call"];
  return list(security)
    .flatMap((choice) => Object.keys(record(choice)))
    .filter((name) => !Object.hasOwn(schemes, name))
    .map((name) => `names the unknown security scheme ${name}`);
}

function bodyFaults(method: string, body: unknown): string[] {
  if (body === undefined) return [];
  if (method === "get") return ["takes a body"];
  const json = record(record(record(body).content)["application/json"]);
  return json.schema === undefined ? ["has a body without a schema"] : [];
}

function referenceFaults(root: Json, value: unknown, at: string): string[] {
  if (typeof value !== "object" || value === null) return [];
  if (at.split("/").length > DEPTH_MAX) return [`${at}: is too deep`];
  const faults: string[] = [];
  const { $ref } = record(value);
  if (typeof $ref === "string" && follow(root, $ref) === undefined) {
    faults.push(`${at}: ${$ref} leads nowhere`);
  }
  for (const [name, inner] of Object.entries(value)) {
    faults.push(...referenceFaults(root, inner, `${at}/${name}`));
  }
  return faults;
}

/** What a reference within the document points at. */
export function follow(root: unknown, reference: string): unknown {
  if (!reference.startsWith("#/")) return undefined;
  return reference
    .slice(2)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce(partOf, root);
}

/** Without a copy of what stands around it: some of it is the whole document. */
function partOf(value: unknown, name: string): unknown {
  const isThere = typeof value === "object" && value !== null && Object.hasOwn(value, name);
  return isThere ? Reflect.get(value, name) : undefined;
}

function record(value: unknown): Json {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
