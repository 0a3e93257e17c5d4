/** The form in which the gateway stores what X and Z reports and the state of a device tell. */

import type { ReportResult, ReportType } from "#core/command/report-result.ts";
import type { DeviceInfo, DeviceStatus } from "#core/device/device.ts";
import { fromMinor } from "#core/money.ts";

/** A report of which nothing is known but that it was made. */
export function emptyReport(
  type: ReportType,
  fiscalMemorySerialNumber: string | null,
): ReportResult {
  return {
    reportNumber: null,
    type,
    receiptCount: null,
    reversalCount: null,
    totals: { gross: null, reversals: null, cashIn: null, cashOut: null, cashBalance: null },
    vat: null,
    payments: null,
    openedAt: null,
    closedAt: null,
    fiscalMemorySerialNumber,
  };
}

/** A Z report of which its number is all that the device still tells. */
export function numberedZReport(
  reportNumber: number | null,
  { fiscalMemorySerialNumber }: Pick<DeviceInfo, "fiscalMemorySerialNumber">,
) {
  return { ...emptyReport("z_report", fiscalMemorySerialNumber), reportNumber };
}

/** The sum of amounts in minor units, as currency units. */
export function sumOf(amounts: readonly number[]): number {
  return fromMinor(amounts.reduce((sum, amount) => sum + amount, 0));
}

/** `get_status`: the answer to the client is what the gateway itself would ask for next. */
export function statusSuccess(status: DeviceStatus) {
  return { data: { ...status }, status };
}
