// SPDX-License-Identifier: Apache-2.0
/** Being logged in: an access token that is renewed when it is needed, once for all who need it. */

import type { Client as Api } from "openapi-fetch";
import type { paths } from "./api-types.ts";
import { answer, GatewayError, whole } from "./gateway-error.ts";
import { ANSWER_SECONDS, type Timing } from "./repeat.ts";

/** A user of the gateway. */
export interface Login {
  readonly email: string;
  readonly password: string;
}

/** Sends a request. */
export type Send = (request: Request) => Promise<Response>;

interface Tokens {
  readonly accessToken: string;
  readonly refreshToken?: string;
}

/** What it takes to send as somebody. */
interface Sending {
  /** Calls without a credential. */
  readonly api: Api<paths>;
  readonly send: Send;
  readonly timing: Pick<Timing, "limit">;
}

/**
 * Sends requests as a user who logs in with the first one. An access token lasts for minutes: when
 * the gateway refuses it, it is renewed and the request is sent once more.
 */
export function sendAs(login: Login, { api, send, timing }: Sending): Send {
  let tokens: Promise<Tokens> | undefined;

  /** All wait for the same login, so that it ends by itself and with none of their requests. */
  const limit = (): AbortSignal => timing.limit(ANSWER_SECONDS * 1_000);
  const logIn = async (): Promise<Tokens> => {
    const body = { ...login };
    return tokensOf(await answer(api.POST("/api/v1/auth/login", { body, signal: limit() })));
  };
  const renew = async ({ refreshToken = "" }: Tokens): Promise<Tokens> => {
    const body = { refreshToken };
    try {
      return tokensOf(await answer(api.POST("/api/v1/auth/refresh", { body, signal: limit() })));
    } catch (error) {
      if (error instanceof GatewayError && error.status === 401) return logIn();
      throw error;
    }
  };
  /** Whoever comes meanwhile waits for the same; a failure is forgotten. */
  const keep = (making: Promise<Tokens>): Promise<Tokens> => {
    tokens = making;
    making.catch(() => {
      if (tokens === making) tokens = undefined;
    });
    return making;
  };

  return async (request) => {
    const used = tokens ?? keep(logIn());
    const known = await unlessAborted(used, request.signal);
    // A body can be sent once, and this one may have to go twice. (A copy is a Request everywhere
    // but in the types of Bun, which have it as that of a library.)
    const copy = request.clone() as Request;
    const response = await send(withToken(copy, known));
    if (response.status !== 401) return response;
    const fresh = tokens === used || tokens === undefined ? keep(renew(known)) : tokens;
    return send(withToken(request, await unlessAborted(fresh, request.signal)));
  };
}

function tokensOf(body: Tokens | undefined): Tokens {
  return whole(body, ["accessToken"]);
}

/** Waits, and leaves what is waited for to the others. @throws the signal's reason */
function unlessAborted<T>(making: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    const stay = () => signal.removeEventListener("abort", leave);
    signal.addEventListener("abort", leave, { once: true });
    if (signal.aborted) leave();
    making.finally(stay).then(resolve, reject);
  });
}

function withToken(request: Request, { accessToken }: Tokens): Request {
  request.headers.set("Authorization", `Bearer ${accessToken}`);
  return request;
}
