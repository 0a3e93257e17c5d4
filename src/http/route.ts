/**
 * How modules declare their routes: path, who may call, what is read, what is answered.
 *
 *   scopedRoute("devices:read", {
 *     method: "GET",
 *     path: "/devices/:deviceId",
 *     summary: "Get a device",
 *     handle: ({ principal, params }) => service.get(principal.orgId, params.deviceId),
 *   })
 *
 * `handle` is called once the caller is known to be allowed. It asks for `body()` and `query()`
 * itself, because the contract refuses in this order: 401, 403, 404, 400. Whatever must be refused
 * before the body is validated, it refuses before that call.
 */

import type { Static, TNever, TSchema } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { covers, type Principal, type Role, type Scope } from "#core/access.ts";
import { ApiError, validationError } from "#core/errors.ts";
import { schemaIssues } from "#core/schema-issues.ts";
import { type QueryShape, type QueryValues, readQuery } from "./query.ts";
import { parseBody } from "./request-body.ts";
import { queryOf } from "./request-path.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A principal that logged in. */
export type UserPrincipal = Extract<Principal, { kind: "user" }>;

/** Who may call a route. */
export type Access =
  | { readonly kind: "public" }
  /** An API key or a login that covers the scope. */
  | { readonly kind: "scope"; readonly scope: Scope }
  /** A login of at least this role; API keys are refused. */
  | { readonly kind: "user"; readonly minimumRole: Role };

/** The names after the colons of a path. */
export type ParamName<P extends string> = P extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Tail}`
    ? Name | ParamName<`/${Tail}`>
    : Rest
  : never;

export type Params<P extends string> = { readonly [K in ParamName<P>]: string };

/** What a handler gets. */
export interface RouteInput<P extends string, B extends TSchema, Q extends QueryShape, W> {
  readonly request: Request;
  /** For logs. */
  readonly requestId: string;
  /** Who calls; undefined on public routes. */
  readonly principal: W;
  readonly params: Params<P>;
  /** The body as it was sent; empty when the route declares none. */
  readonly bodyText: string;
  /** The validated body. @throws ApiError BAD_REQUEST or VALIDATION_ERROR */
  body(): Static<B>;
  /** The validated query. @throws ApiError VALIDATION_ERROR */
  query(): QueryValues<Q>;
}

/** What the OpenAPI document says of a route beyond what is read from it before `handle`. */
export interface RouteDocument {
  /** Shown in place of `body`, where the handler itself checks more than that. */
  readonly body?: TSchema;
  /** Request headers by name. */
  readonly headers?: Readonly<Record<string, TSchema>>;
  /** Where the answer may also be lines that go on (`ndjson.ts`): each line. */
  readonly line?: TSchema;
}

/** What a module says about a route. */
export interface RouteSpec<P extends string, B extends TSchema, Q extends QueryShape, W> {
  readonly method: Method;
  /** Below `/api/v1`, with `:name` for parameters. */
  readonly path: P;
  readonly summary: string;
  readonly description?: string;
  /** Of success; 200 unless said otherwise. 204 has no body. */
  readonly status?: 200 | 201 | 202 | 204;
  readonly body?: B;
  readonly query?: Q;
  /** The body of success, for the OpenAPI document. */
  readonly response?: TSchema;
  /** What else the OpenAPI document says of the route. */
  readonly document?: RouteDocument;
  /** @returns the JSON value to answer with, or a whole answer of its own */
  handle(input: RouteInput<P, B, Q, W>): unknown;
}

/** A request on its way to a handler. */
export interface RouteCall {
  readonly request: Request;
  readonly requestId: string;
  readonly params: Readonly<Record<string, string>>;
  readonly bodyText: string;
}

/** A declared route, whatever it reads. */
export interface Route {
  readonly method: Method;
  readonly path: string;
  readonly access: Access;
  readonly summary: string;
  readonly description: string | undefined;
  readonly status: number;
  readonly body: TSchema | undefined;
  readonly query: QueryShape;
  readonly response: TSchema | undefined;
  readonly document: RouteDocument;
  /** Calls the handler. The principal must have passed `authorize`. */
  call(call: RouteCall, principal: Principal | undefined): unknown;
}

/** The routes of one module; the tag names them in the OpenAPI document. */
export interface RouteGroup {
  readonly tag: string;
  /** Schemas that the group's own refer to as `#/components/schemas/<name>`. */
  readonly schemas?: Readonly<Record<string, TSchema>>;
  readonly routes: readonly Route[];
}

type Empty = Record<never, never>;

/** A route for everybody. */
export function publicRoute<
  const P extends string,
  B extends TSchema = TNever,
  Q extends QueryShape = Empty,
>(spec: RouteSpec<P, B, Q, undefined>): Route {
  return declare(spec, { kind: "public" }, () => undefined);
}

/** A route for API keys and logins that cover the scope. */
export function scopedRoute<
  const P extends string,
  B extends TSchema = TNever,
  Q extends QueryShape = Empty,
>(scope: Scope, spec: RouteSpec<P, B, Q, Principal>): Route {
  return declare(spec, { kind: "scope", scope }, (principal) => {
    if (principal === undefined) throw unauthorized();
    return principal;
  });
}

/** A route for logins only, of at least the role. */
export function userRoute<
  const P extends string,
  B extends TSchema = TNever,
  Q extends QueryShape = Empty,
>(minimumRole: Role, spec: RouteSpec<P, B, Q, UserPrincipal>): Route {
  return declare(spec, { kind: "user", minimumRole }, (principal) => {
    if (principal?.kind !== "user") throw unauthorized();
    return principal;
  });
}

const RANK = { operator: 0, admin: 1, owner: 2 } as const satisfies Record<Role, number>;

/**
 * Whether the caller may use a route.
 * @throws ApiError FORBIDDEN
 */
export function authorize(access: Access, principal: Principal): void {
  switch (access.kind) {
    case "public":
      return;
    case "scope":
      if (covers(principal, access.scope)) return;
      throw new ApiError("FORBIDDEN", `This route needs the scope ${access.scope}`);
    case "user":
      if (principal.kind === "key") {
        throw new ApiError("FORBIDDEN", "This route takes a login, not an API key");
      }
      if (RANK[principal.role] >= RANK[access.minimumRole]) return;
      throw new ApiError("FORBIDDEN", `This route needs the role ${access.minimumRole}`);
    default: {
      const unknown: never = access;
      throw new Error(`unknown access ${String(unknown)}`);
    }
  }
}

/** The refusal of a request without a credential. */
export function unauthorized(message = "Send an API key or log in"): ApiError {
  return new ApiError("UNAUTHORIZED", message);
}

function declare<P extends string, B extends TSchema, Q extends QueryShape, W>(
  spec: RouteSpec<P, B, Q, W>,
  access: Access,
  admit: (principal: Principal | undefined) => W,
): Route {
  const names = spec.path.split("/").filter((part) => part.startsWith(":"));
  const hasParams = (given: Readonly<Record<string, string>>): given is Params<P> =>
    names.every((name) => given[name.slice(1)] !== undefined);
  const validate = bodyReader(spec.body);
  return {
    method: spec.method,
    path: spec.path,
    access,
    summary: spec.summary,
    description: spec.description,
    status: spec.status ?? 200,
    body: spec.body,
    query: spec.query ?? {},
    response: spec.response,
    document: spec.document ?? {},
    call({ request, requestId, params, bodyText }, principal) {
      if (!hasParams(params)) throw new Error(`${spec.path} was called without its parameters`);
      return spec.handle({
        request,
        requestId,
        principal: admit(principal),
        params,
        bodyText,
        body: () => validate(bodyText),
        query() {
          if (spec.query === undefined) throw new Error(`${spec.path} declares no query`);
          return readQuery(spec.query, queryOf(request.url));
        },
      });
    },
  };
}

/** Parses and validates a body; the schema is compiled when it is first needed. */
function bodyReader<B extends TSchema>(schema: B | undefined): (bodyText: string) => Static<B> {
  let checker: TypeCheck<B> | undefined;
  return (bodyText) => {
    if (schema === undefined) throw new Error("the route declares no body");
    checker ??= TypeCompiler.Compile(schema);
    const value = parseBody(bodyText);
    if (checker.Check(value)) return value;
    throw validationError(schemaIssues(checker.Errors(value)));
  };
}
