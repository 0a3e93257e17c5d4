/** What keeps a sale from being reversed. */

import type { components } from "../../client/index.ts";
import type { Word } from "../words/words.tsx";

/** What would take the sale back. */
interface Reverser {
  readonly printer: components["schemas"]["Device"] | undefined;
  /** That of the shop. */
  readonly currency: string | undefined;
}

/** Why it cannot be printed, whatever is chosen. */
export function lackingOf(
  sale: components["schemas"]["Receipt"],
  { printer, currency = sale.currency }: Reverser,
): Word | undefined {
  if (sale.type !== "sale") return "reversal.noSale";
  if (sale.currency !== currency) return "reversal.otherCurrency";
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
