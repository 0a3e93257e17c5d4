/** What keeps a sale from being reversed. */

import type { components } from "../../client/index.ts";
import type { Word } from "../words/words.tsx";

/** Why no printer could print it, whatever is chosen. */
export function lackingOf(
  sale: components["schemas"]["Receipt"],
  printer: components["schemas"]["Device"] | undefined,
): Word | undefined {
  if (sale.type !== "sale") return "reversal.noSale";
  if (printer === undefined) return "reversal.noPrinter";
  const serial = sale.source === "command" ? printer.serialNumber : null;
  if (sale.receiptNumber === null && sale.fiscalId === null) return "reversal.noNumber";
  if (sale.uniqueSaleNumber === null && sale.currency === "RON") return "reversal.noDocument";
  return sale.fiscalMemorySerialNumber === null && serial === null
    ? "reversal.noMemory"
    : undefined;
}
