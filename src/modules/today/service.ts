/** What the shop does, needs and has sold today, gathered from the services that know each of it. */

import { covers, type Principal } from "#core/access.ts";
import { placeBefore } from "#core/booking.ts";
import { dateBeside, dayOf, localDate } from "#core/calendar.ts";
import { placeOf } from "#core/device/device.ts";
import type { StatusReading } from "#core/device/reading.ts";
import { isoTime } from "#core/iso-time.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Clock } from "../../platform/clock.ts";
import type { DeviceLive } from "../devices/device-state.ts";
import type { DeviceService } from "../devices/service.ts";
import type { FigureService } from "../reports/figures.ts";
import type { ReportService } from "../reports/service.ts";
import { type CashStores, lastCash, lastReceiptAt } from "./cash.ts";

export interface TodayOptions {
  readonly stores: CashStores &
    Pick<Stores, "devices" | "locations" | "organizations" | "outcomeHolds">;
  readonly clock: Pick<Clock, "now">;
  readonly devices: Pick<DeviceService, "alerts" | "list" | "status">;
  readonly figures: Pick<FigureService, "closed" | "daySales">;
  readonly reports: Pick<ReportService, "lookedAt">;
  readonly live: Pick<DeviceLive, "reading">;
}

const DAYS_OF_WEEK = 7;

export type TodayService = ReturnType<typeof createTodayService>;

/** Makes the service. */
export function createTodayService(options: TodayOptions) {
  const { stores, clock } = options;
  return {
    /** @param locationId leaves out what is elsewhere */
    async today(principal: Principal, locationId: string | undefined) {
      const { orgId } = principal;
      const organization = stores.organizations.of(orgId);
      const { name, currency } = organization;
      const location =
        locationId === undefined ? undefined : stores.locations.get(orgId, locationId);
      const { timezone } = placeOf(organization, location);
      const now = clock.now();
      const date = localDate(now, timezone);
      const day = { date, ...dayOf(date, timezone) };
      const dateBefore = dateBeside(date, -DAYS_OF_WEEK);
      const weekBefore = { date: dateBefore, ...dayOf(dateBefore, timezone) };
      const devices = options.devices.list(orgId, { locationId });
      const deviceIds = locationId === undefined ? undefined : devices.map(({ id }) => id);
      const question = { orgId, timezone, currency, deviceIds };
      const isAllowed = covers(principal, "reports");
      return {
        at: isoTime(now),
        shop: { name, currency, timezone },
        day: { date, from: isoTime(day.from), to: isoTime(day.to) },
        devices: await Promise.all(
          devices.map((device) => deviceToday(options, { device, now, principal, isAllowed })),
        ),
        doubtful: doubtful(stores, orgId, deviceIds),
        sales: isAllowed ? await options.figures.daySales(question, { day, weekBefore }) : null,
      };
    },
  };
}

type ListedDevice = ReturnType<DeviceService["list"]>[number];

interface DeviceAsked {
  readonly device: ListedDevice;
  readonly now: number;
  readonly principal: Principal;
  /** Whoever asks may see sums of receipts. */
  readonly isAllowed: boolean;
}

async function deviceToday(options: TodayOptions, asked: DeviceAsked) {
  const { device, now, principal, isAllowed } = asked;
  const { stores, live, devices, figures } = options;
  const { id: deviceId, orgId, effectiveStatus } = device;
  const out = stores.commands.findOut(deviceId);
  const reading = effectiveStatus === "online" ? live.reading(deviceId) : undefined;
  // What was booked in this very millisecond too.
  const lastZ = stores.reports.lastClosing(orgId, deviceId, placeBefore(now + 1));
  const compared = lastZ && isAllowed ? await figures.closed({ orgId, deviceId }, lastZ) : null;
  const looked = lastZ && options.reports.lookedAt(principal, lastZ.id);
  return {
    device,
    reason: devices.status(orgId, deviceId).reason,
    reading: reading ? readingRecord(reading) : null,
    doing:
      out && (out.status === "sent" || out.status === "processing")
        ? {
            ...{ commandId: out.id, type: out.type, status: out.status },
            since: isoTime(out.processingAt ?? out.sentAt ?? out.createdAt),
          }
        : null,
    waiting: stores.commands.countPending(deviceId),
    alerts: devices.alerts(orgId, deviceId).alerts,
    lastZ: lastZ
      ? {
          ...{ reportId: lastZ.id, reportNumber: lastZ.reportNumber, at: isoTime(lastZ.bookedAt) },
          lookedAt: typeof looked === "number" ? isoTime(looked) : null,
          compared,
        }
      : null,
    cash: lastCash(stores, { orgId, deviceId }, now),
    lastReceiptAt: lastReceiptAt(stores, { orgId, deviceId }),
  };
}

function readingRecord({ status, readAt }: StatusReading) {
  if (readAt === null) return null;
  const { paper, cover, fiscalDayOpen } = status;
  return { paper, cover, fiscalDayOpen, readAt: isoTime(readAt) };
}

/** @param deviceIds those that are meant; all of the organization unless given */
function doubtful(
  { outcomeHolds, commands, devices }: TodayOptions["stores"],
  orgId: string,
  deviceIds: readonly string[] | undefined,
) {
  return outcomeHolds
    .listOpen()
    .filter((hold) => hold.orgId === orgId && deviceIds?.includes(hold.deviceId) !== false)
    .sort((one, other) => one.raisedAt - other.raisedAt)
    .flatMap(({ commandId, deviceId, raisedAt }) => {
      const command = commands.get(orgId, commandId);
      if (command === undefined) return [];
      const { type, createdAt, simulated } = command;
      const deviceName = devices.get(orgId, deviceId)?.name ?? null;
      const instants = { acceptedAt: isoTime(createdAt), raisedAt: isoTime(raisedAt) };
      return [{ commandId, deviceId, deviceName, type, simulated, ...instants }];
    });
}
