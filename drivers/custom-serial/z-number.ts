/** The number of the last Z report, as the device counts them. */

import { DeviceBusy } from "../shared/busy.ts";
import { type CustomDevice, integerOf, type Reply } from "./device.ts";

/** Number of the last Z report; null when the device does not tell. @throws FiscalError */
export async function readZNumber(device: CustomDevice): Promise<number | null> {
  const told = await ask(device);
  const number = told && !told.fault ? integerOf(told.fields, "number") : null;
  device.kept.noteZNumber(number);
  return number;
}

async function ask(device: CustomDevice): Promise<Reply | undefined> {
  if (!device.can("lastZReport") || !device.confirms) return undefined;
  const told = await device.send("lastZReport");
  // The receipt's number begins with it, so a question that was misunderstood is asked again.
  return told.fault && !(told.fault instanceof DeviceBusy) ? device.send("lastZReport") : told;
}
