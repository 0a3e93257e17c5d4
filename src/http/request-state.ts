/** What is known of a request besides the request itself. */

import type { Caller, RequireStanding } from "./credentials.ts";
import type { RequestSources } from "./request-source.ts";

/** Filled by the edge when a request comes in. */
export interface RequestState {
  /** The client's `X-Request-Id`, else a generated one. */
  readonly id: string;
  readonly caller: Caller;
  /** A ticket came in place of a credential, and opens nothing. */
  isTicketRefused: boolean;
  /** The client's network address, whole; undefined where there is no socket. */
  readonly address: () => string | undefined;
  /** To be called when the body is here: from then on the answer may take its time. */
  readonly bodyArrived: () => void;
  readonly sources: RequestSources;
  readonly requireStanding: RequireStanding;
  /**
   * To be called when the body is here, before anything is done: throws when whoever was let in by the
   * head may no longer do what the route does. Undefined where everybody may.
   */
  requireStill: (() => void) | undefined;
  /** Of the answer's headers those that a route adds, whatever it then answers. */
  readonly added: Headers;
  /** As the route was declared; undefined until there is one. */
  route: string | undefined;
  /** Sets the headers that every answer to it carries, and those that were added. */
  readonly complete: (headers: Headers) => void;
}

// Keyed by the request object: the entry goes when the request goes, so nothing has to be removed.
const states = new WeakMap<Request, RequestState>();

/** Begins the state of a request. */
export function beginRequest(request: Request, state: RequestState): void {
  states.set(request, state);
}

/** The state of a request that came through the edge. @throws Error for any other */
export function stateOf(request: Request): RequestState {
  const state = states.get(request);
  if (state === undefined) throw new Error("the request did not come through the edge");
  return state;
}
