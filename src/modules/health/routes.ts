/** The health probes, at the root and below `/api/v1`. */

import { Type } from "@sinclair/typebox";
import { isInside, type OwnsBox, publicRoutes } from "../../http/access.ts";
import { success, unhealthy } from "../../http/answers.ts";
import { API_PREFIX } from "../../http/request-path.ts";
import { HealthAnswer, type HealthCheck, toldCheck } from "./schema.ts";

/** The parts that `/health` tells of. */
export type HealthChecks = Readonly<
  Record<"database" | "disk" | "timers" | "controllers" | "clock" | "printers", HealthCheck>
> & {
  /** Only where it is on. */
  readonly https?: HealthCheck;
  /** Absent where none are made by themselves. */
  readonly backup?: HealthCheck;
  /** Absent where the database is not to be copied elsewhere all the time. */
  readonly replica?: HealthCheck;
  /** Only where an update of the machine was broken off. */
  readonly update?: HealthCheck;
};

export interface HealthOptions {
  readonly version: string;
  /** False until migrations and recovery are done, while writes fail, and while shutting down. */
  readonly ready: () => boolean;
  readonly checks: () => HealthChecks;
  /** Seconds since the process started. */
  readonly uptimeSeconds: () => number;
  readonly ownsBox: OwnsBox;
}

const StatusAnswer = Type.Object({ status: Type.String() });

/** `/livez` and `/healthz` say that the process runs, `/ready` that it takes work. */
export function healthRoutes(options: HealthOptions) {
  return [
    probeRoutes(options, { prefix: API_PREFIX, hide: false }),
    probeRoutes(options, { prefix: "", hide: true }),
  ];
}

/** @param place where they are, and whether the OpenAPI document leaves them out there */
function probeRoutes(
  options: HealthOptions,
  place: { readonly prefix: typeof API_PREFIX | ""; readonly hide: boolean },
) {
  const { prefix, hide } = place;
  const alive = () => ({ status: "ok" });
  return publicRoutes("Health", prefix)
    .get("/livez", alive, {
      detail: { hide, summary: "Whether the process runs", responses: success(StatusAnswer) },
    })
    .get("/healthz", alive, {
      detail: { hide, summary: "The same as /livez", responses: success(StatusAnswer) },
    })
    .get(
      "/ready",
      ({ status }) => (options.ready() ? alive() : status(503, { status: "unavailable" })),
      {
        detail: {
          hide,
          summary: "Whether the gateway takes work; 503 when not",
          responses: { ...success(StatusAnswer), ...unhealthy(StatusAnswer) },
        },
      },
    )
    .get(
      "/health",
      ({ request, status: answer }) => {
        const health = healthOf(options, isInside(request, options.ownsBox));
        return health.status === "failed" ? answer(503, health) : health;
      },
      {
        detail: {
          hide,
          summary: "What works and what does not; 503 when something failed",
          responses: { ...success(HealthAnswer), ...unhealthy(HealthAnswer) },
        },
      },
    );
}

/**
 * What `/health` answers now.
 * @param isInside false for whoever has no login of the box's shop, and is not told of reasons and
 * folders
 */
export function healthOf(
  { version, uptimeSeconds, ...options }: Omit<HealthOptions, "ready" | "ownsBox">,
  isInside: boolean,
) {
  const found = options.checks();
  const status = worstOf(Object.values(found).filter((check) => check !== undefined));
  const told = (check: HealthCheck) => toldCheck(check, isInside);
  const { database, disk, timers, controllers, clock, printers } = found;
  const { https, backup, replica, update } = found;
  const checks = {
    ...{ database: told(database), disk: told(disk), timers: told(timers) },
    ...{ controllers: told(controllers), clock: told(clock), printers: told(printers) },
    ...(https === undefined ? {} : { https: told(https) }),
    ...(backup === undefined ? {} : { backup: told(backup) }),
    ...(replica === undefined ? {} : { replica: told(replica) }),
    ...(update === undefined ? {} : { update: told(update) }),
  };
  return { status, version, uptimeSeconds: Math.floor(uptimeSeconds()), checks };
}

function worstOf(checks: readonly HealthCheck[]): HealthCheck["status"] {
  if (checks.some((check) => check.status === "failed")) return "failed";
  return checks.some((check) => check.status === "degraded") ? "degraded" : "ok";
}
