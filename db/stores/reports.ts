/** Reports: what devices told with X and Z reports. Never removed. */

import { and, asc, desc, eq, getTableColumns, sql } from "drizzle-orm";
import type { BookedPlace } from "#core/booking.ts";
import type { ReportType } from "#core/command/report-result.ts";
import type { StoredReport } from "#core/report-record.ts";
import type { Database } from "../connection.ts";
import { reports } from "../schema/reports.ts";
import { type BookedSlice, sliceParameters } from "./booked-span.ts";
import { deviceLister } from "./device-ids.ts";
import { insertWhole } from "./whole-row.ts";

/** A report as the store gives it; `seq` grows with each. */
export type ReportRow = StoredReport & { readonly seq: number };

export interface ReportFilter {
  readonly deviceId?: string | undefined;
  readonly type?: ReportType | undefined;
  /** createdAt, inclusive. */
  readonly from?: number | undefined;
  /** createdAt, exclusive. */
  readonly to?: number | undefined;
}

export interface ReportPage {
  readonly limit: number;
  readonly order: "asc" | "desc";
  /** The last one of the previous page. */
  readonly startAfter?: ReportRow | undefined;
}

const p = sql.placeholder;

/** All queries on reports. */
export function createReportStore({ orm }: Database) {
  const insert = insertWhole(orm, reports, "seq").prepare();
  const byId = orm
    .select()
    .from(reports)
    .where(and(eq(reports.id, p("id")), eq(reports.orgId, p("orgId"))))
    .prepare();
  const ofDevice = and(eq(reports.orgId, p("orgId")), eq(reports.deviceId, p("deviceId")));
  const place = sql`(${reports.bookedAt}, ${reports.id})`;
  const within = and(
    ofDevice,
    sql`${place} > (${p("afterAt")}, ${p("afterId")})`,
    sql`${place} <= (${p("upToAt")}, ${p("upToId")})`,
  );
  const booked = orm
    .select()
    .from(reports)
    .where(within)
    .orderBy(asc(reports.bookedAt), asc(reports.id))
    .limit(p("limit"))
    .prepare();
  const closings = orm
    .select()
    .from(reports)
    .where(and(within, eq(reports.type, "z_report")))
    .orderBy(asc(reports.bookedAt), asc(reports.id))
    .limit(p("limit"))
    .prepare();
  const lastClosing = orm
    .select()
    .from(reports)
    .where(
      and(
        ofDevice,
        eq(reports.type, "z_report"),
        sql`${place} < (${p("beforeAt")}, ${p("beforeId")})`,
      ),
    )
    .orderBy(desc(reports.bookedAt), desc(reports.id))
    .limit(1)
    .prepare();
  return {
    insert(report: StoredReport): void {
      insert.run({ ...report });
    },
    get: (orgId: string, id: string): ReportRow | undefined => byId.get({ orgId, id }),
    list: createReportLister(orm),
    /** Reports of a device in the order of its books. */
    listBooked: (orgId: string, deviceId: string, slice: BookedSlice): ReportRow[] =>
      booked.all(sliceParameters("rpt", { orgId, deviceId }, slice)),
    /** The Z reports among them. */
    listClosings: (orgId: string, deviceId: string, slice: BookedSlice): ReportRow[] =>
      closings.all(sliceParameters("rpt", { orgId, deviceId }, slice)),
    /** The last Z report before a place. */
    lastClosing: (orgId: string, deviceId: string, before: BookedPlace): ReportRow | undefined =>
      lastClosing.get({ orgId, deviceId, beforeAt: before.at, beforeId: `rpt_${before.key}` }),
    /** Devices that have reports, removed ones too. */
    deviceIds: deviceLister(orm, reports),
  };
}

/** Pages of an organization's reports: each combination of filters has an index of its own. */
function createReportLister(orm: Database["orm"]) {
  const prepared = new Map<string, ReturnType<typeof prepare>>();
  const prepare = (fields: readonly ("deviceId" | "type")[], order: ReportPage["order"]) => {
    const direction = order === "desc" ? desc : asc;
    const position = sql`(${reports.createdAt}, ${reports.seq})`;
    return orm
      .select(getTableColumns(reports))
      .from(reports)
      .where(
        and(
          eq(reports.orgId, p("orgId")),
          ...fields.map((field) => eq(reports[field], p(field))),
          sql`${position} > (${p("aboveAt")}, ${p("aboveSeq")})`,
          sql`${position} < (${p("belowAt")}, ${p("belowSeq")})`,
        ),
      )
      .orderBy(direction(reports.createdAt), direction(reports.seq))
      .limit(p("limit"))
      .prepare();
  };
  return (orgId: string, filter: ReportFilter, page: ReportPage): ReportRow[] => {
    const fields = (["deviceId", "type"] as const).filter((name) => filter[name] !== undefined);
    const key = [...fields, page.order].join();
    const statement = prepared.get(key) ?? prepare(fields, page.order);
    prepared.set(key, statement);
    const { above, below } = boundsOf(filter, page);
    return statement.all({
      ...{ orgId, ...filter, limit: page.limit },
      ...{ aboveAt: above.at, aboveSeq: above.seq },
      ...{ belowAt: below.at, belowSeq: below.seq },
    });
  };
}

interface Position {
  readonly at: number;
  readonly seq: number;
}

/** What lies between two places, without these. No report has a `seq` of 0. */
function boundsOf(
  { from = Number.MIN_SAFE_INTEGER, to = Number.MAX_SAFE_INTEGER }: ReportFilter,
  { order, startAfter }: ReportPage,
): { above: Position; below: Position } {
  const above = { at: from, seq: 0 };
  const below = { at: to, seq: 0 };
  if (startAfter === undefined) return { above, below };
  const last = { at: startAfter.createdAt, seq: startAfter.seq };
  const isLater = (one: Position, other: Position) =>
    one.at > other.at || (one.at === other.at && one.seq > other.seq);
  return order === "asc"
    ? { above: isLater(last, above) ? last : above, below }
    : { above, below: isLater(below, last) ? last : below };
}
