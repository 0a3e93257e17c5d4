/** The device's VAT table. */

import type { ZfpDevice } from "./device.ts";

/**
 * The rates of the groups in order, in percent text; empty when the device does not tell. Read
 * once and kept until something may have changed it.
 * @throws FiscalError a line fault
 */
export async function readVatRates(device: ZfpDevice): Promise<readonly string[]> {
  if (device.vatRates) return device.vatRates;
  const answer = await device.tryAsk("vatRates");
  const rates = (answer?.list ?? [])
    .map((text) => text.replace("%", "").trim())
    .filter((text) => text !== "");
  device.vatRates = rates;
  return rates;
}
