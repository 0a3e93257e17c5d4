/** `/metrics`, for Prometheus: not for whoever is in the network, as it tells how a shop does. */

import { createHash, timingSafeEqual } from "node:crypto";
import { Elysia } from "elysia";
import { ApiError } from "#core/errors.ts";
import { addressOf, isOfTheBox, requireScope } from "../../http/access.ts";
import type { Guess } from "../auth/guess-guard.ts";
import { type Distribution, EXPOSITION_TYPE, exposition, type Metric } from "./exposition.ts";

export interface MetricsRouteOptions {
  /** Opens the route to a Prometheus elsewhere; empty for none. */
  readonly key: string;
  /** Begins a guess at that key. @throws TooManyGuesses after several wrong ones */
  guess(address: string | null): Guess;
  /**
   * The figures now: of an organization's devices, with those of the machine where the box belongs to
   * it; of all unless one is given.
   */
  gather(orgId: string | undefined): readonly (Metric | Distribution)[];
}

/** The route: for the machine itself, for the key of its own, and for credentials of scope `all`. */
export function metricsRoutes(options: MetricsRouteOptions) {
  const { gather } = options;
  return new Elysia()
    .derive(async ({ request }) => ({ orgId: await whoseFigures(options, request) }))
    .get(
      "/metrics",
      ({ orgId }) =>
        new Response(exposition(gather(orgId)), { headers: { "Content-Type": EXPOSITION_TYPE } }),
      { detail: { hide: true } },
    );
}

/** An organization's, or those of all for the machine itself and the key. @throws ApiError */
async function whoseFigures(
  { key, guess }: MetricsRouteOptions,
  request: Request,
): Promise<string | undefined> {
  if (isOfTheBox(request)) return undefined;
  const isGuess = key !== "" && request.headers.has("authorization");
  if (!isGuess) return requireScope(request, "all").orgId;
  const guessed = guess(addressOf(request));
  try {
    return isKey(key, request) ? undefined : requireScope(request, "all").orgId;
  } catch (error) {
    // One that the API knows is no guess, though it may not open this.
    if (error instanceof ApiError && error.status === 401) await guessed.wrong();
    throw error;
  } finally {
    guessed.end();
  }
}

function isKey(key: string, { headers }: Request): boolean {
  const given = /^Bearer (.+)$/i.exec(headers.get("authorization") ?? "")?.[1];
  if (key === "" || given === undefined) return false;
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(key), digest(given));
}
