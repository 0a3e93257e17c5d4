/**
 * Who may call a route: each of these is an Elysia instance to put routes on, which are below
 * `/api/v1`.
 *
 *   scopedRoutes("devices:read", "Devices").get(
 *     "/devices/:deviceId",
 *     ({ principal, params }) => service.get(principal.orgId, params.deviceId),
 *     { detail: { summary: "Get a device", responses: success(DeviceRecord) } },
 *   )
 *
 * The contract refuses in the order 401, 403, 404, 400. The first two come from here. What else must
 * come before the query and the body are read is a route's `transform` (with braces: Elysia puts
 * what it returns on the context).
 */

import { type DocumentDecoration, Elysia } from "elysia";
import {
  type Access,
  actorOf,
  BOX_ACTOR,
  covers,
  type Principal,
  type Role,
  ranksAbove,
  type Scope,
} from "#core/access.ts";
import { ApiError } from "#core/errors.ts";
import { API_PREFIX, queryOf } from "./request-path.ts";
import { stateOf } from "./request-state.ts";

/** A principal that logged in. */
export type UserPrincipal = Extract<Principal, { kind: "user" }>;

/** The access of a caller whose answer or socket goes on. */
export interface OngoingAccess {
  /** To be asked before anything is told: false, and `ended` called, once the credential is over. */
  isOpen(): boolean;
  /** The answer or socket is over. Harmless when called twice. */
  leave(): void;
}

/**
 * Watches a credential that opened an answer or a socket which goes on.
 * @param principal as the route was given it
 * @param ended called once, at most a second after the credential expired, was taken back or lost
 * its session, with the error that a request would now be refused with; never after `leave`
 */
export type WatchAccess = (principal: Principal, ended: (why: unknown) => void) => OngoingAccess;

/** What the OpenAPI document says of all routes of an instance. */
export interface AccessDetail extends DocumentDecoration {
  /** The document's `security` and its sentence about access are made from this. */
  readonly "x-access": Access;
}

/**
 * Routes for everybody. The tag names them in the OpenAPI document.
 * @param prefix empty for those that are not below `/api/v1`
 */
export function publicRoutes(tag: string, prefix: typeof API_PREFIX | "" = API_PREFIX) {
  return new Elysia({ ...apiRoutes(tag, { kind: "everybody" }), prefix });
}

/**
 * The same, but not for pages from elsewhere in a browser of the shop, under whatever name they lead it
 * here: what they may not read they could still use up. 403 for them.
 */
export function ownPageRoutes(tag: string) {
  return publicRoutes(tag).derive(({ request }) => {
    if (request.headers.has("origin")) stateOf(request).sources.requireOwnNames(request);
    return {};
  });
}

/** What 403 says on them. */
export const FOREIGN_PAGE = "It came from a page that is not of this gateway";

/** Routes for API keys and logins that cover the scope. */
export function scopedRoutes(scope: Scope, tag: string) {
  return new Elysia(apiRoutes(tag, { kind: "scope", scope })).derive(({ request }) => ({
    principal: requireScope(request, scope),
  }));
}

/** Who calls, where they are known and cover the scope. @throws ApiError UNAUTHORIZED, FORBIDDEN */
export function requireScope(request: Request, scope: Scope): Principal {
  return admitted(request, (principal) => {
    if (covers(principal, scope)) return principal;
    throw new ApiError("FORBIDDEN", `This route needs the scope ${scope}`);
  });
}

/**
 * Routes for API keys and logins that cover any of the scopes.
 * @param redeem whose ticket it is, where the parameter `ticket` may stand in place of a credential
 */
export function listenerRoutes(
  scopes: readonly Scope[],
  tag: string,
  redeem?: (ticket: string) => Principal | undefined,
) {
  const access: Access = { kind: "anyScope", scopes, ticket: redeem !== undefined };
  const listening = (principal: Principal): Principal => {
    if (scopes.some((scope) => covers(principal, scope))) return principal;
    throw new ApiError("FORBIDDEN", `This route needs one of the scopes ${scopes.join(", ")}`);
  };
  return new Elysia(apiRoutes(tag, access)).derive(({ request }) => {
    const ticket = redeem && new URLSearchParams(queryOf(request.url)).get("ticket");
    if (!ticket) return { principal: admitted(request, listening) };
    const state = stateOf(request);
    state.isTicketRefused = true;
    const principal = redeem?.(ticket);
    if (principal === undefined) throw unauthorized("The ticket is used, too old or not known");
    state.isTicketRefused = false;
    return { principal: listening(principal) };
  });
}

/** Routes for logins of at least the role; API keys are refused. */
export function userRoutes(role: Role, tag: string) {
  return new Elysia(apiRoutes(tag, { kind: "login", role })).derive(({ request }) => ({
    principal: admitted(request, ranked(role)),
  }));
}

/** Routes for logins of owners, and for the person at the box, who owns what is in it. */
export function ownerRoutes(tag: string) {
  const access: Access = { kind: "login", role: "owner" };
  const owning = ranked("owner");
  return new Elysia(apiRoutes(tag, access)).derive(({ request }) => ({
    principal: admitted(request, (one): Principal => (isBox(one) ? one : owning(one))),
  }));
}

/** Whether the box belongs to an organization: the first that was registered at it. */
export type OwnsBox = (orgId: string) => boolean;

/** The same, of what is every organization's: only the one that the box belongs to may call them. */
export function boxRoutes(role: Role, tag: string, ownsBox: OwnsBox) {
  const access: Access = { kind: "login", role, ofBox: true };
  const ofRank = ranked(role);
  const ofBox = (one: Principal): UserPrincipal => {
    const principal = ofRank(one);
    if (ownsBox(principal.orgId)) return principal;
    throw new ApiError(
      "FORBIDDEN",
      "This is for the organization that the box belongs to: the first that was registered at it",
    );
  };
  return new Elysia(apiRoutes(tag, access)).derive(({ request }) => ({
    principal: admitted(request, ofBox),
  }));
}

/** Tells who may call a route. @throws ApiError FORBIDDEN for anybody else */
type Rule<P extends Principal> = (principal: Principal) => P;

function ranked(role: Role): Rule<UserPrincipal> {
  return (principal) => {
    if (principal.kind === "key") {
      throw new ApiError("FORBIDDEN", "This route takes a login, not an API key");
    }
    if (!ranksAbove(role, principal.role)) return principal;
    throw new ApiError("FORBIDDEN", `This route needs the role ${role}`);
  };
}

/**
 * Who calls, by the head of the request alone. A body may come half a minute later, when they have been
 * removed or lowered: so whoever reads it asks all of this again.
 * @throws ApiError UNAUTHORIZED, TOKEN_EXPIRED or FORBIDDEN
 */
function admitted<P extends Principal>(request: Request, rule: Rule<P>): P {
  const state = stateOf(request);
  const principal = rule(authenticated(request));
  state.requireStill = () => {
    state.requireStanding(principal);
    rule(principal);
  };
  return principal;
}

function apiRoutes(tag: string, access: Access) {
  const detail: AccessDetail = { tags: [tag], "x-access": access };
  return { prefix: API_PREFIX, detail };
}

/** Where a request comes from: see `RequestSources`. */
export function sourceOf(request: Request): {
  readonly isAtTheBox: boolean;
  readonly requireOwnNames: () => void;
  readonly isSecure: boolean;
  readonly address: string | null;
} {
  const { sources } = stateOf(request);
  return {
    isAtTheBox: sources.isAtTheBox(request),
    requireOwnNames: () => sources.requireOwnNames(request),
    isSecure: sources.isSecure(request),
    address: addressOf(request),
  };
}

/**
 * True for whoever has a login in the organization that the box belongs to, and for the machine
 * itself: both may know where things lie on it.
 */
export function isInside(request: Request, ownsBox: OwnsBox): boolean {
  const { caller } = stateOf(request);
  if (caller.kind === "known" && caller.principal.kind === "user") {
    return ownsBox(caller.principal.orgId);
  }
  return isOfTheBox(request);
}

/**
 * True for the machine itself, and for whoever has a token of the person at it: behind a proxy that is
 * all by which the machine is known.
 */
export function isOfTheBox(request: Request): boolean {
  const { caller, sources } = stateOf(request);
  if (caller.kind === "known" && isBox(caller.principal)) return true;
  return sources.isAtTheBox(request);
}

/** The network address a request came from; null where that is not known. */
export function addressOf(request: Request): string | null {
  return stateOf(request).address() ?? null;
}

/** The refusal of a request without a valid credential. */
export function unauthorized(message = "Send an API key or log in"): ApiError {
  return new ApiError("UNAUTHORIZED", message);
}

function isBox(principal: Principal): boolean {
  return actorOf(principal) === BOX_ACTOR;
}

function authenticated(request: Request): Principal {
  const { caller, address } = stateOf(request);
  switch (caller.kind) {
    case "known":
      return { ...caller.principal, address: address() };
    case "nobody":
      throw unauthorized();
    case "refused":
      throw caller.error;
    default: {
      const unknown: never = caller;
      throw new Error(`unknown caller ${String(unknown)}`);
    }
  }
}
