/** The number of the last Z report, as the device counts them. */

import type { IslDevice } from "./device.ts";

/** Number of the last Z report; null when the device does not tell. @throws FiscalError */
export async function readZNumber(device: IslDevice): Promise<number | null> {
  const number = await askZNumber(device);
  device.kept.noteZNumber(number);
  return number;
}

async function askZNumber(device: IslDevice): Promise<number | null> {
  if (!device.can("zCounter")) return null;
  const answer = await device.send("zCounter");
  // Devices that tell of the last record answer F while there is none.
  if (answer.fault?.device?.code === "F") return 0;
  if (answer.fault) return null;
  const number = answer.optional("zNumber");
  return number !== undefined && /^\d{1,9}$/.test(number) ? Number(number) : null;
}
