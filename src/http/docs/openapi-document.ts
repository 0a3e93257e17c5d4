/**
 * The OpenAPI document, made from what the routes declare: `detail`, `query` and `body`.
 *
 * @elysiajs/openapi makes one from the same, but names form bodies beside each JSON body, calls
 * every body required, and has no place for the answers that all routes share.
 */

import { type TSchema, Type } from "@sinclair/typebox";
import { type Access, ROLE_HOLDS, SCOPE_COVERS } from "#core/access.ts";
import { API_ERROR_STATUS } from "#core/errors.ts";
import type { ListedRoute } from "../listed-route.ts";
import { hoistNamed } from "../named-schema.ts";
import { API_PREFIX } from "../request-path.ts";
import { type Components, RequestReader } from "../request-reader.ts";
import { HEADERS, headersOf, type KeyRole } from "./answer-headers.ts";
import { type SentMessage, webhooksOf } from "./sent-messages.ts";
import { SHARED_ANSWERS, sharedAnswersOf } from "./shared-answers.ts";

const KEY = "Idempotency-Key";
const SESSION = "X-Session";

const ERROR_SCHEMA = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["code", "message"],
      properties: {
        code: {
          type: "string",
          enum: Object.keys(API_ERROR_STATUS),
          description:
            "What each means, and what a till does: /docs/errors.html#conflict and so on",
        },
        message: { type: "string", description: "For logs and people; not to be parsed" },
        details: { description: "With VALIDATION_ERROR a list of { path, message }" },
      },
    },
  },
};

const RATE_LIMITED_SCHEMA = {
  type: "object",
  required: ["code", "message", "status"],
  properties: {
    code: { type: "string", enum: ["RATE_LIMIT_EXCEEDED"] },
    message: { type: "string" },
    status: { type: "integer", enum: [429] },
  },
};

const SECURITY_SCHEMES = {
  apiKey: { type: "apiKey", in: "header", name: "x-api-key", "x-scopes": SCOPE_COVERS },
  bearer: {
    type: "http",
    scheme: "bearer",
    description: "An access token from /auth/login, or an API key",
    "x-roles": ROLE_HOLDS,
  },
  ticket: {
    type: "apiKey",
    in: "query",
    name: "ticket",
    description: "Of POST /events/ticket, for whoever cannot send a header",
  },
};

/** What the document is made of. */
export interface Documented {
  readonly routes: readonly ListedRoute[];
  /** What the gateway sends by itself; nothing unless given. */
  readonly messages?: readonly SentMessage[];
  /** Of the program. */
  readonly version: string;
}

/** Makes it. */
export function openApiDocument({ routes, messages = [], version }: Documented) {
  const shown = routes.filter(({ hooks }) => hooks.detail?.hide !== true);
  const tags = new Set(shown.flatMap(({ hooks }) => hooks.detail?.tags ?? []));
  const { document, schemas } = hoistNamed({
    paths: pathsOf(shown),
    webhooks: webhooksOf(messages),
    components: Object.assign({}, ...shown.map(componentsOf)),
  });
  return {
    openapi: "3.1.2",
    info: {
      title: "Fiscal device gateway",
      version,
      description:
        "Queues fiscal commands for fiscal printers and always knows whether a receipt was printed." +
        "\n\nWhat is no HTTP/1.1 request never gets here: the server ends its connection with a 400, 413, " +
        "431 or 505 that has no body and no headers of this API, or without an answer. Take that " +
        "for no answer, and send the same again under the same Idempotency-Key.",
    },
    servers: [{ url: "/", description: "The gateway that shows this" }],
    tags: [...tags].map((name) => ({ name })),
    paths: document.paths,
    webhooks: document.webhooks,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      schemas: {
        ...document.components,
        ...schemas,
        Error: ERROR_SCHEMA,
        RateLimited: RATE_LIMITED_SCHEMA,
      },
      headers: HEADERS,
      responses: SHARED_ANSWERS,
    },
  };
}

function componentsOf({ hooks }: ListedRoute): Components {
  return hooks.body instanceof RequestReader ? hooks.body.components : {};
}

function pathsOf(routes: readonly ListedRoute[]) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:([^/]+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return paths;
}

function operationOf(route: ListedRoute) {
  const { body, detail = {} } = route.hooks;
  const access = detail["x-access"] && accessOf(detail["x-access"]);
  const parameters = parametersOf(route);
  return {
    operationId: operationIdOf(route),
    tags: detail.tags,
    summary: detail.summary,
    description: [detail.description, access?.sentence, bucketOf(detail)]
      .filter(Boolean)
      .join("\n\n"),
    security: access?.security,
    "x-access": detail["x-access"],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body instanceof RequestReader && {
      requestBody: { required: isRequired(body.document), content: bodyContent(body.document) },
    }),
    responses: {
      ...sharedAnswersOf(route, keyRoleOf(route)),
      ...ownAnswersOf(route),
    },
  };
}

function accessOf(access: Access) {
  switch (access.kind) {
    case "everybody":
      return { security: [], sentence: "Open to everybody." };
    case "scope":
      return {
        security: [{ apiKey: [] }, { bearer: [] }],
        sentence: `Needs scope \`${access.scope}\`.`,
      };
    case "anyScope":
      return {
        security: [{ apiKey: [] }, { bearer: [] }, ...(access.ticket ? [{ ticket: [] }] : [])],
        sentence: `Needs any of the scopes ${access.scopes.map((scope) => `\`${scope}\``).join(", ")}.`,
      };
    case "login":
      return {
        security: [{ bearer: [] }],
        sentence:
          `Needs a login with role \`${access.role}\` or above` +
          `${access.ofBox ? " in the organization that the box belongs to, the first one" : ""}; ` +
          "API keys are refused.",
      };
    default: {
      const unknown: never = access;
      throw new Error(`unknown access ${String(unknown)}`);
    }
  }
}

/** What the route declares, with the headers that come with it. */
function ownAnswersOf(route: ListedRoute) {
  const { detail = {} } = route.hooks;
  const key = keyRoleOf(route);
  const hasSession = takesHeader(route, SESSION);
  const declared = Object.entries(detail.responses ?? { 200: { description: "Success" } });
  return Object.fromEntries(
    declared.map(([status, answer]) => {
      const own = "headers" in answer ? answer.headers : {};
      return [
        status,
        { ...answer, headers: { ...headersOf(status, { key, hasSession }), ...own } },
      ];
    }),
  );
}

/** Where a key runs nothing once, but a repeat would print again, whoever sends one is told. */
function keyRoleOf(route: ListedRoute): KeyRole | undefined {
  if (takesHeader(route, KEY)) return "once";
  const isTold = route.method !== "GET" && route.hooks.detail?.["x-queues-command"] === true;
  return isTold ? "ignored" : undefined;
}

function takesHeader({ hooks: { detail = {} } }: ListedRoute, header: string): boolean {
  return detail.parameters?.some((one) => "name" in one && one.name === header) ?? false;
}

function bucketOf(detail: NonNullable<ListedRoute["hooks"]["detail"]>): string {
  return detail["x-queues-command"] === true ? "Counts in the rate limit for commands too." : "";
}

/** `GET /devices/:deviceId/commands` is `getDevicesByDeviceIdCommands`: generators need a name. */
function operationIdOf({ method, path }: ListedRoute): string {
  const words =
    path
      .slice(API_PREFIX.length)
      .replaceAll(":", "by/")
      .match(/[A-Za-z0-9]+/g) ?? [];
  const capitalized = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return [method.toLowerCase(), ...capitalized].join("");
}

/** What the `detail` says of a parameter of the path takes the place of any text. */
function parametersOf({ path, hooks: { query, detail = {} } }: ListedRoute) {
  const told = detail.parameters ?? [];
  const inPath = [...path.matchAll(/:([^/]+)/g)]
    .map(([, name = ""]) => name)
    .filter((name) => !told.some((one) => "name" in one && one.name === name))
    .map((name) => ({ name, in: "path", required: true, schema: { type: "string" } }));
  const document: TSchema = query instanceof RequestReader ? query.document : Type.Object({});
  const { properties, required = [] } = document;
  const inQuery = Object.entries<TSchema>(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    // What `flag` of `query.ts` reads may stand there by its name alone.
    ...(schema.type === "boolean" && { allowEmptyValue: true }),
    // What `choices` reads has commas in it: a parameter that is given twice is refused.
    ...(schema.type === "array" && { style: "form", explode: false }),
    schema,
  }));
  return [...inPath, ...inQuery, ...told];
}

/** A body whose every field is optional may be left out. */
function isRequired(body: TSchema): boolean {
  const { type, required, minProperties }: Record<string, unknown> = body;
  return type !== "object" || required !== undefined || minProperties !== undefined;
}

/**
 * The first of the schema's examples is what the page fills in, to be sent: what it would make of
 * the schema by itself is refused as soon as a rule stands beside the schema.
 */
function bodyContent({ examples, ...schema }: TSchema) {
  const [example]: readonly unknown[] = examples ?? [];
  return { "application/json": { schema, ...(example === undefined ? {} : { example }) } };
}
