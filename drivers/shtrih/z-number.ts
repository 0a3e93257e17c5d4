/** The number of the last Z report: that of the last closed day, in the words of the protocol. */

import type { ShtrihDevice } from "./device.ts";

/** Number of the last Z report, once nothing is being printed any more. @throws FiscalError */
export async function readZNumber(device: ShtrihDevice): Promise<number> {
  return (await device.settledState()).lastClosedDay;
}
