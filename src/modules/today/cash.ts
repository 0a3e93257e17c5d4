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
import { type Happened, inOrder } from "#db/stores/order.ts";

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
  readonly when: Happened;
}

/** What brings the content of the drawer with it. */
const TELLING = [
  "get_cash_amount",
  "cash_in",
  "cash_out",
] as const satisfies readonly CommandType[];

/** The newest first. A few: one that a person settled brings nothing with it. */
const NEWEST = { sortBy: "createdAt", order: "desc", limit: 3, partsMax: 1 } as const;

/** Cash and when it was told; null where the device never told it. @param now UTC milliseconds */
export function lastCash(stores: CashStores, drawer: Drawer, now: number) {
  // Those of a clock that was ahead hide what was told since, for as long as it was; by order one is the last.
  const spans: readonly Span[] = [{}, { to: now + 1 }];
  const told = spans.flatMap((span) => [
    ...TELLING.flatMap((type) => [...ofCommands(stores, drawer, { ...span, type })]),
    ...ofReports(stores, drawer, span),
  ]);
  const [last] = told.toSorted((one, other) => inOrder(other.when, one.when));
  if (last === undefined) return null;
  const { amount, currency, when } = last;
  return { amount, currency, at: isoTime(when.at) };
}

/** When its last receipt was stored, after which the drawer may hold something else. */
export function lastReceiptAt(stores: CashStores, { orgId, deviceId }: Drawer) {
  for (const [newest] of stores.receipts.list(orgId, { deviceId }, { ...NEWEST, limit: 1 })) {
    if (newest !== undefined) return isoTime(lastOfRecord(stores, deviceId, newest).createdAt);
  }
  return null;
}

interface Span {
  /** UTC milliseconds, exclusive. */
  readonly to?: number;
}

function* ofCommands(
  stores: CashStores,
  { orgId, deviceId }: Drawer,
  span: Span & { readonly type: CommandType },
): Generator<Told> {
  const filter = { ...span, deviceId, status: "completed" } as const;
  for (const command of [...stores.commands.list(orgId, filter, NEWEST)].flat()) {
    const { result, finishedAt, updatedAt, finishedOrder } = command;
    const amount = result?.data?.cashBalance;
    if (typeof amount !== "number") continue;
    const when = { order: finishedOrder, at: finishedAt ?? updatedAt };
    yield { amount, currency: currencyOf(stores, command), when };
  }
}

function* ofReports(stores: CashStores, { orgId, deviceId }: Drawer, span: Span): Generator<Told> {
  for (const report of [...stores.reports.list(orgId, { ...span, deviceId }, NEWEST)].flat()) {
    const minor = report.totals.cashBalanceMinor;
    if (minor === null) continue;
    const { finishedOrder = null } = stores.commands.get(orgId, report.commandId) ?? {};
    const when = { order: finishedOrder, at: report.bookedAt };
    yield { amount: fromMinor(minor), currency: reportCurrencyOf(stores, report), when };
  }
}
