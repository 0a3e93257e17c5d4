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
  const { reversalTenders } = printer;
  if (reversalTenders?.length === 0) return "reversal.noneHere";
  const serial = sale.source === "command" ? printer.serialNumber : null;
  if (sale.receiptNumber === null && sale.fiscalId === null) return "reversal.noNumber";
  // Of a printer that has told nothing, by where its receipts have no number of the sale.
  const isRomanian = sale.uniqueSaleNumber === null && sale.currency === "RON";
  if (isRomanian && reversalTenders === null) return "reversal.noDocument";
  return sale.fiscalMemorySerialNumber === null && serial === null
    ? "reversal.noMemory"
    : undefined;
}
