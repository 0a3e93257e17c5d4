/** The number that a shop gives a sale, on devices that take it in one form only. */

import { UNIQUE_SALE_NUMBER_PATTERN } from "#core/command/document-fields.ts";
import { FiscalError } from "#core/errors.ts";
import type { FiscalDocument } from "#core/receipt.ts";

const FORM = new RegExp(UNIQUE_SALE_NUMBER_PATTERN);

/**
 * The number of the sale; undefined when there is none. A reversal may carry any text, because other
 * devices number sales in forms of their own.
 * @throws FiscalError E400 when it has another form than the device takes
 */
export function uniqueSaleNumberOf({ uniqueSaleNumber }: FiscalDocument): string | undefined {
  if (uniqueSaleNumber === undefined) return undefined;
  if (FORM.test(uniqueSaleNumber)) return uniqueSaleNumber;
  throw new FiscalError("E400", "uniqueSaleNumber: expected a form as DT123456-0001-0000001");
}
