/** The routes beside the API: probes, figures, and the authority to be trusted. */

import type { RequestCounts } from "../http/request-counts.ts";
import type { RouteGroup } from "../http/server.ts";
import type { GuessGuard } from "../modules/auth/guess-guard.ts";
import type { Diagnostics } from "../modules/diagnostics/schema.ts";
import { type HealthOptions, healthOf, healthRoutes } from "../modules/health/routes.ts";
import { exposition } from "../modules/metrics/exposition.ts";
import { metricsRoutes } from "../modules/metrics/routes.ts";
import { trustRoutes } from "../modules/trust/routes.ts";
import type { BackupPlaces } from "./backup-places.ts";
import { gatherDiagnostics, knownSecrets, withoutSecrets } from "./diagnostics.ts";
import { checkHealth, type HealthParts } from "./health.ts";
import { authorityOf, type Https } from "./https.ts";
import { gatherMetrics, type MetricParts } from "./metrics.ts";
import type { Foundation } from "./parts.ts";

/** Their parts: what of the gateway can be watched. */
export interface WatchedParts
  extends Omit<HealthOptions, "checks" | "ownsBox">,
    HealthParts,
    Omit<MetricParts, "checks"> {
  readonly https: Https | undefined;
  readonly requests: RequestCounts;
}

/** All of them. */
export function besideRoutes(
  foundation: Foundation,
  parts: WatchedParts & { readonly guard: GuessGuard },
): readonly RouteGroup[] {
  const checks = () => checkHealth(foundation, parts);
  const ownsBox = (orgId: string): boolean => foundation.stores.organizations.isFirst(orgId);
  return [
    healthRoutes({ ...parts, checks, ownsBox }),
    metricsRoutes({
      key: foundation.config["metrics.key"],
      guess: (address) => parts.guard.begin({ address, what: "key of the figures", isApart: true }),
      gather: (orgId) => gatherMetrics(foundation, { ...parts, checks }, orgId),
    }),
    trustRoutes({
      authority: () => authorityOf(parts.https),
      acmeAnswer: (token) => parts.https?.acmeAnswer(token),
    }),
  ];
}

/** What `GET /diagnostics` answers. */
export async function diagnosis(
  foundation: Foundation,
  parts: WatchedParts & { readonly backupPlaces: Pick<BackupPlaces, "passphrase"> },
  orgId: string,
): Promise<Diagnostics> {
  const { config, stores, clock } = foundation;
  const checks = () => checkHealth(foundation, parts);
  const found = gatherDiagnostics(
    {
      ...{ config, stores, now: clock.now(), version: parts.version, live: parts.live },
      health: healthOf({ ...parts, checks }, true),
      metrics: exposition(gatherMetrics(foundation, { ...parts, checks }, orgId)),
    },
    [orgId],
  );
  const { line } = await parts.backupPlaces.passphrase();
  return withoutSecrets(found, knownSecrets(config, stores, line));
}
