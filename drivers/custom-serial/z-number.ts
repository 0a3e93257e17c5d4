/** The number of the last Z report, as the device counts them. */

import { type CustomDevice, integerOf } from "./device.ts";

/** Number of the last Z report; null when the device does not tell. @throws FiscalError */
export async function readZNumber(device: CustomDevice): Promise<number | null> {
  // The receipt's number begins with it, so a question that was misunderstood is asked again.
  const fields = (await device.tryAsk("lastZReport")) ?? (await device.tryAsk("lastZReport"));
  const number = fields ? integerOf(fields, "number") : null;
  device.kept.noteZNumber(number);
  return number;
}
