/** What X and Z reports tell: the day's registers, read before the report, because Z clears them. */

import type { ReportType } from "#core/command/report-result.ts";
import { fromMinor } from "#core/money.ts";
import type { PaymentMethod } from "#core/receipt.ts";
import { vatGroupName } from "#core/vat.ts";
import { unlessRefused } from "../shared/device-fault.ts";
import { emptyReport } from "../shared/report.ts";
import { readDrawer } from "./cash.ts";
import type { ShtrihDevice } from "./device.ts";
import { FACTORY } from "./dialects/factory.ts";
import { COUNT, MONEY, TABLE } from "./requests.ts";
import { readRate } from "./vat-table.ts";

/** Kinds of receipts in the numbering of registers. */
const SALE = 0;
const RETURN = 2;
/** Groups that have registers of their own. */
const REGISTERED_GROUPS = 4;

/** Reads the day's registers. @throws FiscalError */
export async function readReport(device: ShtrihDevice, type: ReportType) {
  const receiptCount = await device.count(COUNT.salesToday);
  const reversalCount = await device.count(COUNT.returnsToday);
  const drawer = await readDrawer(device);
  const payments: { method: PaymentMethod; amount: number }[] = [];
  let salesMinor = 0;
  let returnsMinor = 0;
  for (const [index, method] of FACTORY.tenderMethods.entries()) {
    const sold = await device.money(MONEY.payments(index + 1, SALE));
    salesMinor += sold;
    returnsMinor += await device.money(MONEY.payments(index + 1, RETURN));
    if (sold > 0) payments.push({ method, amount: fromMinor(sold) });
  }
  return {
    ...emptyReport(type, device.facts.info.fiscalMemorySerialNumber),
    receiptCount,
    reversalCount,
    totals: {
      gross: fromMinor(salesMinor),
      reversals: fromMinor(returnsMinor),
      cashIn: fromMinor(drawer.cashIn),
      cashOut: fromMinor(drawer.cashOut),
      cashBalance: fromMinor(drawer.balance),
    },
    vat: await readVat(device),
    payments,
  };
}

async function readVat(device: ShtrihDevice) {
  const vat: { group: string; rate: number; turnover: number; tax: number }[] = [];
  const told = (await unlessRefused(device.rowsOf(TABLE.taxes))) ?? 0;
  const rows = Math.min(told, REGISTERED_GROUPS);
  for (let group = 1; group <= rows; group += 1) {
    vat.push({
      group: vatGroupName(group),
      rate: fromMinor(await readRate(device, group)),
      turnover: fromMinor(await device.money(MONEY.turnover(group, SALE))),
      tax: fromMinor(await device.money(MONEY.tax(group, SALE))),
    });
  }
  return vat;
}
