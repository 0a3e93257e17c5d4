/** Has a printer say what is in its drawer, where what it said last may not be so any more. */

import { useEffect } from "react";
import { answer, GatewayError } from "../../../client/index.ts";
import { boxNow } from "../../api/box-clock.ts";
import { api } from "../../api/client.ts";
import { useBoxNow, useReach } from "../../api/hooks.ts";
import { queries, type Readable } from "../../api/queries.ts";
import type { Today } from "./today.ts";

type Line = Today["devices"][number];

/** A printer has other work than to be asked this: so long one answer does, on whichever page. */
const ASKED_EVERY_MS = 300_000;
const LOOKED_EVERY_MS = 60_000;
const TODAY: Readable = "/api/v1/today";

/** By printer, when this page has asked last; never again of one that cannot tell. */
const asked = new Map<string, number>();

/**
 * Reckoning would miss what other hands have sold at the printer, so that it is asked: while somebody
 * looks, it stands idle, and has sold since it told.
 */
export function useDrawer(line: Line): void {
  const reach = useReach();
  const now = useBoxNow(LOOKED_EVERY_MS);
  const { id } = line.device;
  const isDue = reach.kind === "live" && isIdle(line) && isOutdated(line, Math.max(now, boxNow()));
  useEffect(() => {
    const isAsked = now - (asked.get(id) ?? Number.NEGATIVE_INFINITY) < ASKED_EVERY_MS;
    if (isDue && !isAsked && document.visibilityState === "visible") void ask(id);
  }, [isDue, id, now]);
}

function isIdle({ device, doing, waiting, alerts }: Line): boolean {
  const isHeld = alerts.some(({ type }) => type === "outcome_unknown");
  return device.effectiveStatus === "online" && doing === null && waiting === 0 && !isHeld;
}

function isOutdated({ cash, lastReceiptAt }: Line, now: number): boolean {
  if (cash === null) return true;
  const toldAt = Date.parse(cash.at);
  const isSoldSince = lastReceiptAt !== null && Date.parse(lastReceiptAt) > toldAt;
  return isSoldSince && now - toldAt >= ASKED_EVERY_MS;
}

/** What cannot be told now is left: the last word stands with its time. */
async function ask(deviceId: string): Promise<void> {
  asked.set(deviceId, boxNow());
  try {
    const path = { deviceId };
    await answer(api.GET("/api/v1/devices/{deviceId}/cash-balance", { params: { path } }));
    await queries.invalidateQueries({ queryKey: [TODAY] });
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    if (isBeyondIt(error)) asked.set(deviceId, Number.POSITIVE_INFINITY);
  }
}

/** True where the printer has no such question. */
function isBeyondIt({ details }: GatewayError): boolean {
  return (
    typeof details === "object" &&
    details !== null &&
    "errorCode" in details &&
    details.errorCode === "E201"
  );
}
