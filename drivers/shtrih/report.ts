/** What X and Z reports tell: the day's registers, read before the report, because Z clears them. */

import type { ReportType } from "#core/command/report-result.ts";
import { fromMinor } from "#core/money.ts";
import type { PaymentMethod } from "#core/receipt.ts";
import { vatGroupName } from "#core/vat.ts";
import { unlessRefused } from "../shared/device-fault.ts";
import { emptyReport, sumOf } from "../shared/report.ts";
import { amountOf, describeDrawer, readDrawer } from "./cash.ts";
import type { ShtrihDevice } from "./device.ts";
import { FACTORY } from "./dialects/factory.ts";
import { COUNT, MONEY, TABLE } from "./requests.ts";
import { readRate } from "./vat-table.ts";

/** Kinds of receipts in the numbering of registers. */
const SALE = 0;
const RETURN = 2;
/** Groups that have registers of their own. */
const REGISTERED_GROUPS = 4;

/** Reads the day's registers; what the model lacks is null. @throws FiscalError */
export async function readReport(device: ShtrihDevice, type: ReportType) {
  const receiptCount = (await device.countUnlessLacking(COUNT.salesToday)) ?? null;
  const reversalCount = (await device.countUnlessLacking(COUNT.returnsToday)) ?? null;
  const { cashBalance, cashIn, cashOut } = describeDrawer(await readDrawer(device));
  const sold = await readPayments(device, SALE);
  const reversed = await readPayments(device, RETURN);
  return {
    ...emptyReport(type, device.facts.info.fiscalMemorySerialNumber),
    receiptCount,
    reversalCount,
    totals: {
      gross: sold && sumOf(sold.map(({ minor }) => minor)),
      reversals: reversed && sumOf(reversed.map(({ minor }) => minor)),
      ...{ cashIn, cashOut, cashBalance },
    },
    vat: await readVat(device),
    payments:
      sold?.flatMap(({ method, minor }) =>
        minor > 0 ? [{ method, amount: fromMinor(minor) }] : [],
      ) ?? null,
  };
}

/** What each tender brought in, or paid back; null where the model lacks one. */
async function readPayments(device: ShtrihDevice, kind: typeof SALE | typeof RETURN) {
  const payments: { method: PaymentMethod; minor: number }[] = [];
  for (const [index, method] of FACTORY.tenderMethods.entries()) {
    const minor = await device.moneyUnlessLacking(MONEY.payments(index + 1, kind));
    if (minor === undefined) return null;
    payments.push({ method, minor });
  }
  return payments;
}

/** Null where the model lacks the turnover of a group. */
async function readVat(device: ShtrihDevice) {
  const vat: { group: string; rate: number; turnover: number; tax: number | null }[] = [];
  const told = (await unlessRefused(device.rowsOf(TABLE.taxes))) ?? 0;
  const rows = Math.min(told, REGISTERED_GROUPS);
  for (let group = 1; group <= rows; group += 1) {
    const rate = fromMinor(await readRate(device, group));
    const turnover = await device.moneyUnlessLacking(MONEY.turnover(group, SALE));
    if (turnover === undefined) return null;
    const tax = (await device.moneyUnlessLacking(MONEY.tax(group, SALE))) ?? null;
    vat.push({
      ...{ group: vatGroupName(group), rate, turnover: fromMinor(turnover) },
      tax: amountOf(tax),
    });
  }
  return vat;
}
