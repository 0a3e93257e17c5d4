/** `fiscald alert list --past`: what printers needed a person for, from when until when. */

import type { AlertEnd } from "#core/device/alert-history.ts";
import type { AlertHistoryFilter, PastAlert } from "#db/stores/alert-history.ts";
import { alertPeriodRecord } from "../modules/devices/alert-history-schema.ts";
import type { Box } from "./box.ts";
import { folded } from "./fitted.ts";
import { localTime, span } from "./local-time.ts";
import { printJson, printLine } from "./output.ts";

/** The latest of them; the API goes further back. */
const SHOWN_MAX = 50;

const ENDS: Readonly<Record<AlertEnd, string>> = {
  cured: "mended",
  settled: "settled",
  out_of_reach: "the printer could not be asked any more",
  replaced: "a graver alert took its place",
  expired: "was shown for its time",
  device_removed: "the printer was removed",
};

/** Prints them, newest first. They are stored, so no gateway is asked. */
export function printPastAlerts(
  { stores }: Box,
  { id: orgId, timezone }: { readonly id: string; readonly timezone: string },
  { isJson, ...filter }: Omit<AlertHistoryFilter, "state"> & { readonly isJson: boolean },
): void {
  const found = stores.alertHistory.page(orgId, {
    filter: { ...filter, state: "past" },
    ...{ limit: SHOWN_MAX + 1, order: "desc" },
  });
  const rows = found.slice(0, SHOWN_MAX);
  if (isJson) {
    printJson(rows.map(alertPeriodRecord));
    return;
  }
  if (rows.length === 0) printLine("No alert of the last 90 days has ended.");
  for (const row of rows) {
    const about = `${row.deviceName}, ${row.type}, ${timesOf(row, timezone)}: ${endOf(stores, row)}`;
    for (const line of folded(row.severity.padEnd(9), about)) printLine(line);
  }
  if (found.length > rows.length) {
    printLine(`These are the latest ${SHOWN_MAX}: GET /api/v1/alerts?state=past has the others.`);
  }
}

function timesOf({ detectedAt, endedAt }: PastAlert, timezone: string): string {
  const until = endedAt ?? detectedAt;
  const [from, to] = [localTime(detectedAt, timezone), localTime(until, timezone)];
  // Of one day the date stands once.
  const shown = from.slice(0, 10) === to.slice(0, 10) ? to.slice(11) : to;
  return `${from} to ${shown} (${span(until - detectedAt)})`;
}

function endOf(stores: Box["stores"], { orgId, end, endedBy }: PastAlert): string {
  if (end === null) return "";
  if (endedBy === null) return ENDS[end];
  const [kind, id = ""] = endedBy.split(":");
  const name = kind === "key" ? labelOf(stores, orgId, id) : stores.users.get(orgId, id)?.name;
  return `${ENDS[end]} by ${name ?? endedBy}`;
}

/** How a key is called, or was when it was revoked. */
function labelOf({ apiKeys, audit }: Box["stores"], orgId: string, id: string) {
  const revoked = audit.last({ orgId, resource: id, action: "api_key.revoked" });
  const label = apiKeys.get(orgId, id)?.label ?? revoked?.details?.label;
  return typeof label === "string" ? `the key ${label}` : undefined;
}
