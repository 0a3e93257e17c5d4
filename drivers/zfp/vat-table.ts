/** The device's VAT table. */

import type { ZfpDevice } from "./device.ts";

/**
 * Reads the rates of the groups in order, in percent text; empty when the device does not tell.
 * @throws FiscalError a line fault
 */
export async function readVatRates(device: ZfpDevice): Promise<string[]> {
  const answer = await device.tryAsk("vatRates");
  const rates = (answer?.list ?? [])
    .map((text) => text.replace("%", "").trim())
    .filter((text) => text !== "");
  device.kept.keepVatTable(rates);
  return rates;
}
