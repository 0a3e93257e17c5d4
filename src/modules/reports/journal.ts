/** The journal: what is stored of receipts and reports, as XML, written while it is read. */

import { type BookedSpan, isBefore, placeBefore, placeOf } from "#core/booking.ts";
import { ApiError } from "#core/errors.ts";
import { isoTime } from "#core/iso-time.ts";
import type { BookedReceipt } from "#db/stores/booked-receipts.ts";
import { type ReportCurrencyStores, reportCurrencyOf } from "#db/stores/command-currency.ts";
import type { Stores } from "#db/stores/index.ts";
import type { ReportRow } from "#db/stores/report-list.ts";
import type { Clock } from "../../platform/clock.ts";
import { findDevices, receiptSlices, slicesOf } from "./books.ts";
import { receiptXml, reportXml } from "./journal-xml.ts";
import { element, openTag } from "./xml.ts";

export const JOURNAL_NAMESPACE = "urn:fiscald:journal:1";

export interface JournalOptions {
  readonly stores: Pick<Stores, "bookedReceipts" | "devices" | "reports"> & ReportCurrencyStores;
  readonly clock: Pick<Clock, "now">;
}

/** A journal as it was asked for. UTC milliseconds. */
export interface JournalRequest {
  /** Included; from the beginning when absent. */
  readonly from: number | undefined;
  /** Not included; up to now when absent. */
  readonly to: number | undefined;
  readonly deviceId: string | undefined;
}

interface Counts {
  receipts: number;
  reports: number;
}

export type JournalService = ReturnType<typeof createJournalService>;

/** Makes the service. */
export function createJournalService({ stores, clock }: JournalOptions) {
  return {
    /**
     * The parts of the file, in order.
     * @throws ApiError NOT_FOUND, or CONFLICT for a simulated device, at once and not when the parts are read
     */
    parts(orgId: string, asked: JournalRequest): AsyncGenerator<string, void> {
      const { from } = asked;
      // From a time to come until now there is nothing, as in any list.
      const { to = Math.max(clock.now(), from ?? 0) + 1 } = asked;
      const { deviceIds, simulated } = findDevices(stores, orgId, { deviceId: asked.deviceId });
      if (simulated) {
        throw new ApiError("CONFLICT", "The device is simulated: nothing of it is in the journal");
      }
      return journal(stores, { orgId, from, to, deviceIds, now: clock.now() });
    },
  };
}

interface Journal {
  readonly orgId: string;
  readonly from: number | undefined;
  readonly to: number;
  readonly deviceIds: readonly string[];
  readonly now: number;
}

async function* journal(
  stores: JournalOptions["stores"],
  { orgId, from, to, deviceIds, now }: Journal,
): AsyncGenerator<string, void> {
  const organization = stores.organizations.get(orgId);
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield openTag("journal", {
    xmlns: JOURNAL_NAMESPACE,
    organizationId: orgId,
    organization: organization?.name ?? "",
    timezone: organization?.timezone ?? "UTC",
    generatedAt: isoTime(now),
    ...{ from: from === undefined ? null : isoTime(from), to: isoTime(to) },
  });
  const span = { after: placeBefore(from ?? Number.MIN_SAFE_INTEGER), upTo: placeBefore(to) };
  const counts: Counts = { receipts: 0, reports: 0 };
  for (const deviceId of deviceIds) {
    yield* deviceParts(stores, { orgId, deviceId, span, counts });
  }
  yield `\n${element("end", { ...counts })}\n</journal>\n`;
}

/** A device that has nothing in the span is left out. */
async function* deviceParts(
  stores: JournalOptions["stores"],
  books: Books & { readonly counts: Counts },
): AsyncGenerator<string, void> {
  const { orgId, deviceId, counts } = books;
  let isOpen = false;
  for await (const entry of entriesOf(stores, books)) {
    if (!isOpen) yield `\n${deviceTag(stores, orgId, deviceId)}`;
    isOpen = true;
    if ("receipt" in entry) counts.receipts += 1;
    else counts.reports += 1;
    yield `\n${"receipt" in entry ? receiptXml(entry.receipt) : reportXml(entry.report, reportCurrencyOf(stores, entry.report))}`;
  }
  if (isOpen) yield "\n</device>";
}

function deviceTag({ devices }: JournalOptions["stores"], orgId: string, id: string): string {
  const device = devices.get(orgId, id);
  return openTag("device", {
    ...{ id, name: device?.name, driver: device?.driver, model: device?.model },
    serialNumber: device?.serialNumber,
    fiscalMemorySerialNumber: device?.fiscalMemorySerialNumber,
    locationId: device?.locationId,
  });
}

/** A part of one device's books. */
interface Books {
  readonly orgId: string;
  readonly deviceId: string;
  readonly span: BookedSpan;
}

type Entry = { readonly receipt: BookedReceipt } | { readonly report: ReportRow };

/** Receipts and reports of a device in the order of its books. */
async function* entriesOf(
  stores: JournalOptions["stores"],
  books: Books,
): AsyncGenerator<Entry, void> {
  const { orgId, deviceId, span } = books;
  const receipts = oneByOne(receiptSlices(stores, books, span));
  const reports = oneByOne(
    slicesOf((part) => stores.reports.listBooked(orgId, deviceId, part), span),
  );
  let receipt = (await receipts.next()).value;
  let report = (await reports.next()).value;
  while (receipt || report) {
    if (receipt && !(report && isBefore(placeOf(report), placeOf(receipt)))) {
      yield { receipt };
      receipt = (await receipts.next()).value;
    } else if (report) {
      yield { report };
      report = (await reports.next()).value;
    }
  }
}

async function* oneByOne<T>(slices: AsyncGenerator<readonly T[], void>): AsyncGenerator<T, void> {
  for await (const slice of slices) yield* slice;
}
