/** The OpenAPI document, made from what the routes declare. */

import type { openapi } from "@elysiajs/openapi";
import type { TSchema } from "@sinclair/typebox";
import { API_ERROR_STATUS } from "#core/errors.ts";
import { API_PREFIX } from "../request-path.ts";
import type { Access, Route, RouteGroup } from "../route.ts";

type Documentation = NonNullable<NonNullable<Parameters<typeof openapi>[0]>["documentation"]>;
type Paths = NonNullable<Documentation["paths"]>;

const API_KEY = "apiKey";
const BEARER = "bearer";

const ERROR_SCHEMA = {
  type: "object" as const,
  required: ["error"],
  properties: {
    error: {
      type: "object" as const,
      required: ["code", "message"],
      properties: {
        code: { type: "string" as const, enum: Object.keys(API_ERROR_STATUS) },
        message: { type: "string" as const, description: "For logs and people; not to be parsed" },
        details: { description: "With VALIDATION_ERROR a list of { path, message }" },
      },
    },
  },
};

const RATE_LIMITED_SCHEMA = {
  type: "object" as const,
  required: ["code", "message", "status"],
  properties: {
    code: { type: "string" as const, enum: ["RATE_LIMIT_EXCEEDED"] },
    message: { type: "string" as const },
    status: { type: "integer" as const, enum: [429] },
  },
};

/** Everything of the document but what the plugin adds by itself. */
export function openApiDocumentation(
  groups: readonly RouteGroup[],
  version: string,
): Documentation {
  return {
    info: {
      title: "Fiscal device gateway",
      version,
      description:
        "Queues fiscal commands for fiscal printers and always knows whether a receipt was printed.",
    },
    tags: [...new Set(groups.map((group) => group.tag))].map((name) => ({ name })),
    paths: pathsOf(groups),
    components: {
      securitySchemes: {
        [API_KEY]: { type: "apiKey", in: "header", name: "x-api-key" },
        [BEARER]: {
          type: "http",
          scheme: "bearer",
          description: "An access token from /auth/login, or an API key",
        },
      },
      schemas: {
        ...Object.assign({}, ...groups.map((group) => group.schemas)),
        Error: ERROR_SCHEMA,
        RateLimited: RATE_LIMITED_SCHEMA,
      },
      responses: {
        Error: {
          description: "Refused or failed; the code says why",
          content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
        },
        RateLimited: {
          description: "Too many requests in the window; Retry-After says how long to wait",
          content: { "application/json": { schema: { $ref: "#/components/schemas/RateLimited" } } },
        },
      },
    },
  };
}

function pathsOf(groups: readonly RouteGroup[]): Paths {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { tag, routes } of groups) {
    for (const route of routes) {
      const path = `${API_PREFIX}${route.path.replace(/:([^/]+)/g, "{$1}")}`;
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(tag, route) };
    }
  }
  return paths;
}

function operationOf(tag: string, route: Route): Record<string, unknown> {
  const parameters = parametersOf(route);
  return {
    operationId: operationIdOf(route),
    tags: [tag],
    summary: route.summary,
    description: [route.description, accessText(route.access)].filter(Boolean).join("\n\n"),
    security: securityOf(route.access),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: isRequired(route.body),
            content: { "application/json": { schema: route.document.body ?? route.body } },
          },
        }),
    responses: {
      [route.status]: successOf(route),
      "429": { $ref: "#/components/responses/RateLimited" },
      default: { $ref: "#/components/responses/Error" },
    },
  };
}

/** `GET /devices/:deviceId/commands` is `getDevicesByDeviceIdCommands`: generators need a name. */
function operationIdOf({ method, path }: Route): string {
  const words = path.replaceAll(":", "by/").match(/[A-Za-z0-9]+/g) ?? [];
  const capitalized = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return [method.toLowerCase(), ...capitalized].join("");
}

function parametersOf(route: Route): Record<string, unknown>[] {
  const inPath = [...route.path.matchAll(/:([^/]+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  const inQuery = Object.entries(route.query).map(([name, field]) => ({
    name,
    in: "query",
    required: false,
    schema: field.schema,
  }));
  const inHeader = Object.entries(route.document.headers ?? {}).map(([name, schema]) => ({
    name,
    in: "header",
    required: false,
    schema,
  }));
  return [...inPath, ...inQuery, ...inHeader];
}

/** A body whose every field is optional may be left out. */
function isRequired(body: TSchema): boolean {
  const { type, required, minProperties }: Record<string, unknown> = body;
  return type !== "object" || required !== undefined || minProperties !== undefined;
}

function successOf(route: Route): Record<string, unknown> {
  if (route.status === 204) return { description: "Done" };
  const { line } = route.document;
  const content = {
    ...(route.response && { "application/json": { schema: route.response } }),
    ...(line && { "application/x-ndjson": { schema: line } }),
  };
  return {
    description: "Success",
    ...(Object.keys(content).length === 0 ? {} : { content }),
  };
}

function securityOf(access: Access): Record<string, string[]>[] {
  switch (access.kind) {
    case "public":
      return [];
    case "scope":
      return [{ [API_KEY]: [] }, { [BEARER]: [] }];
    case "user":
      return [{ [BEARER]: [] }];
    default: {
      const unknown: never = access;
      throw new Error(`unknown access ${String(unknown)}`);
    }
  }
}

function accessText(access: Access): string {
  switch (access.kind) {
    case "public":
      return "Open to everybody.";
    case "scope":
      return `Needs scope \`${access.scope}\`.`;
    case "user":
      return `Needs a login with role \`${access.minimumRole}\` or above; API keys are refused.`;
    default: {
      const unknown: never = access;
      throw new Error(`unknown access ${String(unknown)}`);
    }
  }
}
