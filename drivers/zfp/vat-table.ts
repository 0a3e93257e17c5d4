/** The device's VAT table. */

import type { ZfpDevice } from "./device.ts";

/**
 * Reads the rates of the groups in order, in percent text; none where the device has no such table.
 * @throws FiscalError a refusal by the device's state, or a line fault
 */
export async function readVatRates(device: ZfpDevice): Promise<string[]> {
  const answer = await device.askUnlessLacking("vatRates");
  const rates = (answer?.list ?? [])
    .map((text) => text.replace("%", "").trim())
    .filter((text) => text !== "");
  device.kept.keepVatTable(rates);
  return rates;
}
