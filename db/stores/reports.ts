/** Reports: what devices told with X and Z reports. Never removed. */

import { and, asc, desc, eq, sql } from "drizzle-orm";
import type { BookedPlace } from "#core/booking.ts";
import type { ReportFigures, StoredReport } from "#core/report-record.ts";
import type { Database } from "../connection.ts";
import { reports } from "../schema/reports.ts";
import { type BookedSlice, sliceParameters } from "./booked-span.ts";
import { deviceLister } from "./device-ids.ts";
import { prepareLater } from "./prepared-query.ts";
import { createReportLister, type ReportRow } from "./report-list.ts";
import { insertWhole } from "./whole-row.ts";

const p = sql.placeholder;

/** All queries on reports. */
export function createReportStore({ orm }: Database) {
  const insert = prepareLater(() => insertWhole(orm, reports, "seq"));
  const byId = prepareLater(() =>
    orm
      .select()
      .from(reports)
      .where(and(eq(reports.id, p("id")), eq(reports.orgId, p("orgId")))),
  );
  const byCommand = prepareLater(() =>
    orm
      .select()
      .from(reports)
      .where(eq(reports.commandId, p("commandId"))),
  );
  const ofDevice = and(eq(reports.orgId, p("orgId")), eq(reports.deviceId, p("deviceId")));
  const place = sql`(${reports.bookedAt}, ${reports.id})`;
  const within = and(
    ofDevice,
    sql`${place} > (${p("afterAt")}, ${p("afterId")})`,
    sql`${place} <= (${p("upToAt")}, ${p("upToId")})`,
  );
  const booked = prepareLater(() =>
    orm
      .select()
      .from(reports)
      .where(within)
      .orderBy(asc(reports.bookedAt), asc(reports.id))
      .limit(p("limit")),
  );
  const closings = prepareLater(() =>
    orm
      .select()
      .from(reports)
      .where(and(within, eq(reports.type, "z_report")))
      .orderBy(asc(reports.bookedAt), asc(reports.id))
      .limit(p("limit")),
  );
  const lastClosing = prepareLater(() =>
    orm
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
      .limit(1),
  );
  return {
    insert(report: StoredReport): void {
      insert.run({ ...report });
    },
    /** Writes what the device told of one that was stored without it. */
    complete(id: string, { type: _, ...told }: ReportFigures): void {
      orm.update(reports).set(told).where(eq(reports.id, id)).run();
    },
    get: (orgId: string, id: string): ReportRow | undefined => byId.get({ orgId, id }),
    /** What a command has left. */
    ofCommand: (commandId: string): ReportRow | undefined => byCommand.get({ commandId }),
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
    devices: deviceLister(orm, reports),
  };
}
