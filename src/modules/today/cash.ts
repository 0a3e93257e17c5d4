/** What a device told last of the cash in its drawer. */

import type { CommandType } from "#core/command/catalogue.ts";
import { isoTime } from "#core/iso-time.ts";
import { fromMinor } from "#core/money.ts";
import {
  currencyOf,
  type ReportCurrencyStores,
  reportCurrencyOf,
} from "#db/stores/command-currency.ts";
import type { Stores } from "#db/stores/index.ts";
import { lastOfRecord } from "#db/stores/last-receipt.ts";

export type CashStores = Pick<Stores, "reports"> & ReportCurrencyStores;

/** Whose drawer it is. */
interface Drawer {
  readonly orgId: string;
  readonly deviceId: string;
}

interface Told {
  /** Currency units. */
  readonly amount: number;
  readonly currency: string | null;
  /** UTC milliseconds. */
  readonly at: number;
}

/** What brings the content of the drawer with it. */
const TELLING = [
  "get_cash_amount",
  "cash_in",
  "cash_out",
] as const satisfies readonly CommandType[];

/** The newest first. A few: one that a person settled brings nothing with it. */
const NEWEST = { sortBy: "createdAt", order: "desc", limit: 3, partsMax: 1 } as const;

/** Cash and when it was told; null where the device never told it. */
export function lastCash(stores: CashStores, drawer: Drawer) {
  const told = [
    ...TELLING.map((type) => ofCommand(stores, drawer, type)),
    ofReport(stores, drawer),
  ];
  const [last] = told.flatMap((one) => one ?? []).sort((one, other) => other.at - one.at);
  return last ? { ...last, at: isoTime(last.at) } : null;
}

/** When its last receipt was stored, after which the drawer may hold something else. */
export function lastReceiptAt(stores: CashStores, { orgId, deviceId }: Drawer) {
  for (const [newest] of stores.receipts.list(orgId, { deviceId }, { ...NEWEST, limit: 1 })) {
    if (newest !== undefined) return isoTime(lastOfRecord(stores, deviceId, newest).createdAt);
  }
  return null;
}

function ofCommand(stores: CashStores, drawer: Drawer, type: CommandType): Told | undefined {
  const filter = { deviceId: drawer.deviceId, type, status: "completed" } as const;
  for (const found of stores.commands.list(drawer.orgId, filter, NEWEST)) {
    for (const command of found) {
      const { result, finishedAt, updatedAt } = command;
      const amount = result?.data?.cashBalance;
      if (typeof amount !== "number") continue;
      return { amount, currency: currencyOf(stores, command), at: finishedAt ?? updatedAt };
    }
  }
  return undefined;
}

function ofReport(stores: CashStores, { orgId, deviceId }: Drawer): Told | undefined {
  for (const found of stores.reports.list(orgId, { deviceId }, NEWEST)) {
    for (const report of found) {
      const minor = report.totals.cashBalanceMinor;
      if (minor === null) continue;
      const currency = reportCurrencyOf(stores, report);
      return { amount: fromMinor(minor), currency, at: report.bookedAt };
    }
  }
  return undefined;
}
