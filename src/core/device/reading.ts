/**
 * What is known of a device's state, and what each message of it tells. A state is told whole or in part:
 * a part is what is known of a device that refuses to tell it, or that waits for paper before anybody has
 * read it. Of what a part does not name it says nothing, and what was told before stands.
 */

import type { ToGateway } from "../controller/messages.ts";
import {
  type Complaint,
  complaintsToldBy,
  isComplaint,
  isWhole,
  withStanding,
} from "./complaints.ts";
import type { DeviceStatus } from "./device.ts";

/** The latest status of a device, and what else was learned with it. Instants are UTC ms. */
export interface StatusReading {
  readonly status: DeviceStatus;
  /** When something of it was told last. */
  readonly toldAt: number;
  /** When it was told whole last; null where nobody has read it yet. */
  readonly readAt: number | null;
  /** When it was first told whole; null where nobody has read it yet. */
  readonly firstReadAt: number | null;
  /** Device clock minus the appliance's; null where it was not read. */
  readonly clockDriftMs: number | null;
  /** Since when the fiscal day is known to be open; null when it is closed or nobody knows. */
  readonly fiscalDayOpenSince: number | null;
  /** Of its Z reports, as last told; undefined until then. */
  readonly lastZNumber?: number;
  /** The alerts of which it was told by now that they stand, or that they do not. */
  readonly told: ReadonlySet<Complaint>;
}

/** What is known of a fiscal day before the device is read: it outlives the process. */
export type KnownDay = Pick<StatusReading, "fiscalDayOpenSince" | "lastZNumber">;

type StatusMessage = Omit<Extract<ToGateway, { type: "device.status" }>, "type" | "deviceId">;

/**
 * A device whose state is known for so long, and its clock not, has no clock that anybody reads: one that
 * refuses to tell it is asked again every five minutes.
 */
const CLOCK_TOLD_WITHIN_MS = 15 * 60_000;

/**
 * What a status message says, with what it does not say kept from before.
 * @param known of its day, where nothing was read yet
 */
export function readingOf(
  message: StatusMessage,
  { before, known }: { readonly before?: StatusReading | undefined; readonly known: KnownDay },
  now: number,
): StatusReading {
  const { status } = message;
  const isRead = isWhole(status);
  const day = before ?? known;
  const lastZNumber = status.lastZNumber ?? day.lastZNumber;
  const reading = {
    status: isRead || before === undefined ? status : withStanding(status, before.status),
    ...{ toldAt: now, readAt: isRead ? now : (before?.readAt ?? null) },
    firstReadAt: before?.firstReadAt ?? (isRead ? now : null),
    clockDriftMs: message.clockDriftMs ?? before?.clockDriftMs ?? null,
    // The protocols do not tell when the day was opened, so the first sight of it counts.
    fiscalDayOpenSince: daySince(status, day, now),
    ...(lastZNumber === undefined ? {} : { lastZNumber }),
  };
  const told = [...complaintsToldBy(status), ...toldBeside(reading, isOtherDay(status, day))];
  return { ...reading, told: new Set([...(before?.told ?? []), ...told]) };
}

/**
 * True where what was told of a device before is over, or stands by what it says now: false while that is the
 * last that anybody knows of it.
 * @param alert of what a device tells of itself
 */
export function isToldOf(reading: StatusReading | undefined, alert: string): boolean {
  if (reading === undefined) return false;
  return !isComplaint(alert) || reading.told.has(alert);
}

/** What else than a value of the state tells of an alert. */
function toldBeside(
  { toldAt, firstReadAt, clockDriftMs }: Omit<StatusReading, "told">,
  isDayOver: boolean,
): Complaint[] {
  const isClockless = firstReadAt !== null && toldAt - firstReadAt >= CLOCK_TOLD_WITHIN_MS;
  return [
    ...(isDayOver ? (["z_report_overdue"] as const) : []),
    ...(clockDriftMs !== null || isClockless ? (["clock_drift"] as const) : []),
  ];
}

/**
 * That nobody knows whether the day is open says nothing of it: it stands as it was. A Z report at the keys
 * shows by its number where the device has no bit for its day, and where a sale follows at once.
 */
function daySince(status: DeviceStatus, day: KnownDay, now: number): number | null {
  if (status.fiscalDayOpen === false) return null;
  const known = isOtherDay(status, day) ? null : day.fiscalDayOpenSince;
  // The clock may have been ahead when it was seen.
  const since = known === null ? null : Math.min(known, now);
  return status.fiscalDayOpen === true ? (since ?? now) : since;
}

/** The day that was known is over. */
function isOtherDay({ fiscalDayOpen, lastZNumber }: DeviceStatus, day: KnownDay): boolean {
  if (fiscalDayOpen === false) return true;
  const known = day.lastZNumber;
  return lastZNumber !== undefined && known !== undefined && lastZNumber !== known;
}
