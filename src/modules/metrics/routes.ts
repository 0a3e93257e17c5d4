/** `/metrics`, for Prometheus: not for whoever is in the network, as it tells how a shop does. */

import { createHash, timingSafeEqual } from "node:crypto";
import { Elysia } from "elysia";
import { requireScope, sourceOf } from "../../http/access.ts";
import { type Distribution, EXPOSITION_TYPE, exposition, type Metric } from "./exposition.ts";

export interface MetricsRouteOptions {
  /** Opens the route to a Prometheus elsewhere; empty for none. */
  readonly key: string;
  /** The figures now. @param orgId of whose devices; of all unless given */
  gather(orgId: string | undefined): readonly (Metric | Distribution)[];
}

/** The route: for the machine itself, for the key of its own, and for credentials of scope `all`. */
export function metricsRoutes({ key, gather }: MetricsRouteOptions) {
  return new Elysia()
    .derive(({ request }) => {
      if (sourceOf(request).isAtTheBox || isKey(key, request)) return { orgId: undefined };
      return { orgId: requireScope(request, "all").orgId };
    })
    .get(
      "/metrics",
      ({ orgId }) =>
        new Response(exposition(gather(orgId)), { headers: { "Content-Type": EXPOSITION_TYPE } }),
      { detail: { hide: true } },
    );
}

function isKey(key: string, { headers }: Request): boolean {
  const given = /^Bearer (.+)$/i.exec(headers.get("authorization") ?? "")?.[1];
  if (key === "" || given === undefined) return false;
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(key), digest(given));
}
