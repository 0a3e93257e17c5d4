/** What a shop would call unhealthy, though the gateway itself works. Counts, never names. */

import { FINDINGS } from "#core/health.ts";
import { alertsOf, type DeviceLive } from "../modules/devices/device-state.ts";
import type { HealthChecks } from "../modules/health/routes.ts";
import { checkOf, type HealthCheck } from "../modules/health/schema.ts";
import { CLOCK_FLOOR, type Clock } from "../platform/clock.ts";
import { upgradeBetween } from "../update/broken-upgrade.ts";
import type { Foundation } from "./parts.ts";

/** A command that has waited this long on a printer that answers is no queue any more. */
const STUCK_MS = 15 * 60_000;

/** The stores for looking at many devices at one instant: what is of all of them is read once. */
export function readOnce(stores: Foundation["stores"]): Foundation["stores"] {
  const holds = stores.outcomeHolds.listOpen();
  const restored = stores.restoredPrinters.list();
  return {
    ...stores,
    outcomeHolds: { ...stores.outcomeHolds, listOpen: () => holds },
    restoredPrinters: { ...stores.restoredPrinters, list: () => restored },
  };
}

/** Looked at anew at most this often: anybody may ask, as often as they like. */
const LOOK_MS = 2_000;

/** Keeps what a look has found for a moment. What it throws is not kept. */
export function lookedNowAndThen<T>(clock: Pick<Clock, "elapsed">, look: () => T): () => T {
  let kept: { readonly found: T; readonly until: number } | undefined;
  return () => {
    const now = clock.elapsed();
    if (kept === undefined || now >= kept.until) kept = { found: look(), until: now + LOOK_MS };
    return kept.found;
  };
}

/** What it looks at now and then. */
export function watchShop(
  foundation: Pick<Foundation, "config" | "stores" | "clock">,
  live: DeviceLive,
) {
  return { printers: watchPrinters(foundation, live), update: watchUpdate(foundation) };
}

/** Printers that need a person, and commands that do not move. */
function watchPrinters(
  foundation: Pick<Foundation, "stores" | "clock">,
  live: DeviceLive,
): () => HealthCheck {
  return lookedNowAndThen(foundation.clock, () => printersHealth(foundation, live));
}

/** Nothing while no update of this machine lies broken off. */
export function watchUpdate({
  config,
  clock,
}: Pick<Foundation, "config" | "clock">): () => Pick<HealthChecks, "update"> {
  return lookedNowAndThen(clock, () => {
    try {
      if (upgradeBetween(config["state.dir"]) === undefined) return {};
      return { update: checkOf("degraded", FINDINGS.updateBrokenOff()) };
    } catch {
      // Its files are root's, and may be closed to the service.
      return {};
    }
  });
}

function printersHealth(
  { stores: all, clock }: Pick<Foundation, "stores" | "clock">,
  live: DeviceLive,
): HealthCheck {
  const stores = readOnce(all);
  const devices = stores.devices.listAll();
  const needy = devices.filter((device) =>
    alertsOf({ stores, clock, live }, device).some(({ severity }) => severity === "error"),
  );
  const now = clock.now();
  const stuck = devices.filter(({ id }) => {
    const [oldest] = stores.commands.listUnfinished({ deviceId: id, limit: 1 });
    return oldest !== undefined && now - oldest.createdAt > STUCK_MS;
  });
  const total = devices.length;
  const check = checkOf(
    "degraded",
    ...(needy.length === 0 ? [] : [FINDINGS.printersNeedPerson(needy.length, total)]),
    ...(stuck.length === 0 ? [] : [FINDINGS.commandsStuck(stuck.length, total)]),
  );
  const { detail } = check;
  return detail === undefined ? check : { ...check, detail: `${detail}: see fiscald status` };
}

/** Whether the clock can be right. */
export function clockHealth({ clock }: Pick<Foundation, "clock">): HealthCheck {
  const now = clock.now();
  if (now >= CLOCK_FLOOR) return { status: "ok" };
  const day = new Date(now).toISOString().slice(0, 10);
  return checkOf("degraded", FINDINGS.clockNeverSet(day));
}
