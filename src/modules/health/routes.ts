/** The health probes, at the root and below `/api/v1`. */

import { Elysia } from "elysia";
import { API_PREFIX } from "../../http/request-path.ts";

/** What a part of the appliance says of itself. */
export interface HealthCheck {
  readonly status: "ok" | "degraded" | "failed";
  /** For the person who looks; never secrets. */
  readonly detail?: string;
}

/** The parts that `/health` tells of. */
export type HealthChecks = Readonly<
  Record<"database" | "disk" | "timers" | "controllers", HealthCheck>
>;

export interface HealthOptions {
  readonly version: string;
  /** False until migrations and recovery are done, and while shutting down. */
  readonly ready: () => boolean;
  readonly checks: () => HealthChecks;
  /** Seconds since the process started. */
  readonly uptimeSeconds: () => number;
}

/** `/livez` and `/healthz` say that the process runs, `/ready` that it takes work. */
export function healthRoutes(options: HealthOptions) {
  const detail = { hide: true };
  const alive = () => Response.json({ status: "ok" });
  const ready = () =>
    options.ready()
      ? Response.json({ status: "ok" })
      : Response.json({ status: "unavailable" }, { status: 503 });
  const health = () => {
    const checks = options.checks();
    const status = worstOf(Object.values(checks));
    const { version } = options;
    const uptimeSeconds = Math.floor(options.uptimeSeconds());
    return Response.json(
      { status, version, uptimeSeconds, checks },
      { status: status === "failed" ? 503 : 200 },
    );
  };
  const app = new Elysia();
  for (const prefix of ["", API_PREFIX]) {
    app
      .get(`${prefix}/livez`, alive, { detail })
      .get(`${prefix}/healthz`, alive, { detail })
      .get(`${prefix}/ready`, ready, { detail })
      .get(`${prefix}/health`, health, { detail });
  }
  return app;
}

function worstOf(checks: readonly HealthCheck[]): HealthCheck["status"] {
  if (checks.some((check) => check.status === "failed")) return "failed";
  return checks.some((check) => check.status === "degraded") ? "degraded" : "ok";
}
