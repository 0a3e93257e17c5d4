/** The number that ties a document to the system that sold: what goes into a frame has its form. */

import { UNIQUE_SALE_NUMBER_PATTERN } from "#core/command/document-fields.ts";
import { FiscalError } from "#core/errors.ts";
import type { FiscalDocument } from "#core/receipt.ts";

const FORM = new RegExp(UNIQUE_SALE_NUMBER_PATTERN);

/**
 * The unique sale number of a document, for devices that print it; undefined when it has none.
 * @throws FiscalError E400 when it has another form than such devices take
 */
export function uniqueSaleNumberOf({ uniqueSaleNumber }: FiscalDocument): string | undefined {
  if (uniqueSaleNumber === undefined || FORM.test(uniqueSaleNumber)) return uniqueSaleNumber;
  throw new FiscalError(
    "E400",
    "uniqueSaleNumber: this device takes the form DT123456-0001-0000001 only",
  );
}
