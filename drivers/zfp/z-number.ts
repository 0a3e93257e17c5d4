/** The number of the last Z report, as the device counts them. */

import type { ZfpDevice } from "./device.ts";

/** Number of the last Z report; null when the device does not tell. @throws FiscalError */
export async function readZNumber(device: ZfpDevice): Promise<number | null> {
  const answer = await device.tryAsk("registers", "5");
  const text = answer?.field(1) ?? "";
  const number = /^\d{1,9}$/.test(text) ? Number(text) : null;
  device.kept.noteZNumber(number);
  return number;
}
