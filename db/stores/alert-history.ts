/** Which alerts stood when, and how each ended. */

import {
  and,
  asc,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  type SQL,
  sql,
} from "drizzle-orm";
import type { AlertEnd, AlertState } from "#core/device/alert-history.ts";
import type { Alert, AlertSeverity } from "#core/device/alerts.ts";
import { ALERT_HISTORY_MAX } from "#core/limits.ts";
import type { Database } from "../connection.ts";
import { alertHistory } from "../schema/alert-history.ts";
import { prepareLater } from "./prepared-query.ts";
import { PURGE_ROWS_MAX } from "./purge.ts";
import { insertWhole } from "./whole-row.ts";

export type PastAlert = typeof alertHistory.$inferSelect;
export type NewPastAlert = Omit<PastAlert, "seq">;

/** Which are listed; all of the organization where nothing is given. */
export interface AlertHistoryFilter {
  readonly deviceId?: string | undefined;
  readonly severity?: AlertSeverity | undefined;
  readonly state?: AlertState | undefined;
}

/** A page in the order in which they were told. */
export interface AlertHistoryPage {
  readonly filter?: AlertHistoryFilter | undefined;
  readonly limit: number;
  readonly order: "asc" | "desc";
  /** The last one of the previous page. */
  readonly startAfter?: PastAlert | undefined;
}

/** How an alert ended. */
export interface AlertEnding {
  readonly end: AlertEnd;
  /** Null where nobody did it. */
  readonly endedBy: string | null;
  /** UTC milliseconds. */
  readonly endedAt: number;
}

/** All queries on it. */
export function createAlertHistoryStore({ orm }: Database) {
  const { seq, orgId, deviceId, type, commandId, endedAt } = alertHistory;
  const append = prepareLater(() => insertWhole(orm, alertHistory, "seq"));
  const ofDevice = and(
    eq(orgId, sql.placeholder("orgId")),
    eq(deviceId, sql.placeholder("deviceId")),
  );
  const tooMany = orm
    .select({ seq })
    .from(alertHistory)
    .where(ofDevice)
    .orderBy(desc(seq))
    .limit(1)
    .offset(ALERT_HISTORY_MAX);
  const keepTo = prepareLater(() =>
    orm.delete(alertHistory).where(and(ofDevice, lte(seq, sql`(${tooMany})`), isNotNull(endedAt))),
  );
  const expired = orm
    .select({ seq })
    .from(alertHistory)
    .where(lte(endedAt, sql.placeholder("until")))
    .orderBy(asc(endedAt))
    .limit(PURGE_ROWS_MAX);
  const purge = prepareLater(() => orm.delete(alertHistory).where(inArray(seq, expired)));
  return {
    /** Stores that an alert stands, and removes what is beyond the bound of its device. */
    append(row: NewPastAlert): void {
      append.run({ ...row });
      keepTo.run({ orgId: row.orgId, deviceId: row.deviceId });
    },
    /** Stores how an alert that stands has ended. */
    end(device: string, alert: Pick<Alert, "type" | "commandId">, ending: AlertEnding): void {
      const about =
        alert.commandId === undefined ? isNull(commandId) : eq(commandId, alert.commandId);
      orm
        .update(alertHistory)
        .set({ ...ending })
        .where(and(eq(deviceId, device), eq(type, alert.type), isNull(endedAt), about))
        .run();
    },
    get: (org: string, number: number): PastAlert | undefined =>
      orm
        .select()
        .from(alertHistory)
        .where(and(eq(orgId, org), eq(seq, number)))
        .get(),
    page(org: string, { filter, limit, order, startAfter }: AlertHistoryPage): PastAlert[] {
      const beyond = order === "asc" ? gt : lt;
      const rest = startAfter === undefined ? undefined : beyond(seq, startAfter.seq);
      return orm
        .select()
        .from(alertHistory)
        .where(and(eq(orgId, org), ...conditionsOf(filter), rest))
        .orderBy(order === "asc" ? asc(seq) : desc(seq))
        .limit(limit)
        .all();
    },
    /**
     * Removes some of those that ended first.
     * @param until UTC milliseconds, inclusive
     * @returns false when no more were left
     */
    purge: (until: number): boolean => purge.run({ until }).changes === PURGE_ROWS_MAX,
  };
}

function conditionsOf({ deviceId, severity, state }: AlertHistoryFilter = {}): readonly SQL[] {
  const { endedAt } = alertHistory;
  return [
    ...(deviceId === undefined ? [] : [eq(alertHistory.deviceId, deviceId)]),
    ...(severity === undefined ? [] : [eq(alertHistory.severity, severity)]),
    ...(state === "standing" ? [isNull(endedAt)] : []),
    ...(state === "past" ? [isNotNull(endedAt)] : []),
  ];
}
