/** Which stored receipts are a printer's. */

import { sql } from "drizzle-orm";
import type { ReceiptPrinter } from "#core/receipt-record.ts";
import { receipts } from "../schema/receipts.ts";
import { isOneOf } from "./list-sql.ts";

const p = sql.placeholder;
const { deviceId, printerSerialNumber: serial, fiscalMemorySerialNumber: memory } = receipts;
/** True for one fiscal memory: tills may leave out the zeros in front, see core/device/printer.ts. */
export const isOfMemory = sql`(${memory} = ${p("memory")} or (${memory} not glob '*[^0-9]*'
  and ltrim(${memory}, '0') = ltrim(${p("memory")}, '0')))`;
/**
 * True for those of a printer: by the numbers that both tell, and where they tell none, by the records
 * that lead to it. Each fiscal memory counts anew.
 */
export const isOfPrinter = sql`${receipts.simulated} = ${p("simulated")} and case
  when ${memory} is not null and ${p("memory")} is not null then ${isOfMemory}
  when ${serial} is not null and ${p("serial")} is not null then ${serial} = ${p("serial")}
  else ${isOneOf(deviceId, "records")} end`;

/** What `isOfPrinter` goes by. */
export function printerBy(of: ReceiptPrinter) {
  const { orgId, fiscalMemorySerialNumber: memory, serialNumber: serial, simulated } = of;
  const records = JSON.stringify(of.records);
  return { orgId, memory, serial, records, simulated: Number(simulated) };
}
