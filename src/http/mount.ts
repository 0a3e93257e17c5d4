/** Puts declared routes on the Elysia app and runs them in the documented order. */

import { Elysia } from "elysia";
import type { Principal } from "#core/access.ts";
import { type Credential, credentialOf } from "./credentials.ts";
import type { ErrorResponder } from "./error-response.ts";
import { readBody } from "./request-body.ts";
import { API_PREFIX } from "./request-path.ts";
import { stateOf } from "./request-state.ts";
import { authorize, type Route, type RouteGroup } from "./route.ts";

/**
 * Finds out who sent a credential. A promise only where it has to be one.
 * @throws ApiError UNAUTHORIZED or TOKEN_EXPIRED
 */
export type Authenticate = (credential: Credential) => Principal | Promise<Principal>;

export interface RouteServices {
  readonly authenticate: Authenticate;
  readonly respondToError: ErrorResponder;
}

/** The groups as one plugin below `/api/v1`. */
export function mountRoutes(groups: readonly RouteGroup[], services: RouteServices) {
  const app = new Elysia({ prefix: API_PREFIX });
  for (const { routes } of groups) {
    for (const route of routes) {
      // Naming the two fields keeps Elysia from parsing query, headers and body on its own.
      app.route(route.method, route.path, ({ request, params }) =>
        runRoute(route, { request, params, services }),
      );
    }
  }
  return app;
}

interface Arrival {
  readonly request: Request;
  readonly params: Readonly<Record<string, string>> | undefined;
  readonly services: RouteServices;
}

/** Who, may they, what did they send, the handler, the answer. Never rejects. */
async function runRoute(route: Route, arrival: Arrival): Promise<Response> {
  const { request, services } = arrival;
  try {
    const state = stateOf(request);
    let principal: Principal | undefined;
    if (route.access.kind !== "public") {
      const found = services.authenticate(credentialOf(request.headers));
      principal = found instanceof Promise ? await found : found;
      state.orgId = principal.orgId;
      authorize(route.access, principal);
    }
    const bodyText = route.body === undefined ? "" : await readBody(request);
    const call = { request, requestId: state.id, params: arrival.params ?? {}, bodyText };
    const result = route.call(call, principal);
    return answer(route.status, result instanceof Promise ? await result : result);
  } catch (error) {
    return services.respondToError(error, request);
  }
}

/** Answers hold tokens and a shop's sales: nothing on the way may keep them. */
const NO_STORE = { "Cache-Control": "no-store" };

function answer(status: number, value: unknown): Response {
  if (value instanceof Response) return value;
  if (value === undefined) return new Response(null, { status });
  return Response.json(value, { status, headers: NO_STORE });
}
