/**
 * What ends or moves what waits for a device. Where a gateway runs it does that: it alone knows what it
 * has asked printers since its start, what stands at their addresses and what is under way there.
 */

import type { Command } from "commander";
import { boxPrincipal } from "#core/access.ts";
import type { Box } from "./box.ts";
import { deviceServiceOf } from "./device-service.ts";
import { ANSWER_LIMIT_MS } from "./gateway-answer.ts";
import { askGateway, gatewayPresence } from "./running-gateway.ts";
import { loadSettings } from "./settings-options.ts";

const ROUTES = {
  acceptState: { method: "POST", below: "/accept-state" },
  acceptPrinter: { method: "POST", below: "/accept-printer" },
  remove: { method: "DELETE", below: "" },
} as const;

/** Which deed, at which device of which shop. */
export interface DeviceDeed {
  readonly deed: keyof typeof ROUTES;
  readonly orgId: string;
  readonly deviceId: string;
}

/**
 * Does it, by the same rule with a gateway and without one.
 * @throws ApiError or CliFailure with code 2 when it is refused, and CliFailure with code 3 while the
 * gateway starts or stops
 */
export async function doAtDevice(
  { line, box }: { readonly line: Command; readonly box: Box },
  { deed, orgId, deviceId }: DeviceDeed,
): Promise<void> {
  if (gatewayPresence(loadSettings(line).config["state.dir"]).kind === "absent") {
    await deviceServiceOf(box)[deed](boxPrincipal(orgId), deviceId);
    return;
  }
  const { method, below } = ROUTES[deed];
  const answer = await askGateway(line, box, {
    ...{ orgId, scope: "devices:write", method, path: `/devices/${deviceId}${below}` },
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
  });
  await answer.body?.cancel();
}
