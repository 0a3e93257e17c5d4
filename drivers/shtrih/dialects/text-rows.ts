/**
 * Where the lines above and below a receipt stand in the table of texts, by the number of the model
 * that the device tells of itself.
 * Source: Shtrih-M "KKT protocol" 2.0, table 4, for the usual rows; shtrih-m/javapos_shtrih,
 * fiscalprinter/model/, for models that have others. UNCONFIRMED on a device.
 */

import { FACTORY, type Rows } from "./factory.ts";

/** Rows of the table of texts. */
export interface TextRows {
  readonly header: Rows;
  readonly footer: Rows;
}

const FROM_ROW_11: TextRows = { header: { first: 11, count: 4 }, footer: FACTORY.footer };
const FROM_ROW_12: TextRows = { header: { first: 12, count: 3 }, footer: FACTORY.footer };
const FROM_ROW_23: TextRows = { header: { first: 23, count: 4 }, footer: FACTORY.footer };

const OTHER_ROWS: ReadonlyMap<number, TextRows> = new Map([
  // MINI-FR-K, both generations.
  [7, FROM_ROW_23],
  [14, FROM_ROW_23],
  // NCR-001K, with a header of five lines.
  [17, { header: { first: 11, count: 5 }, footer: FACTORY.footer }],
  // MOBILE-F, RETAIL-01K, RR-01K.
  [19, FROM_ROW_12],
  [22, FROM_ROW_12],
  [24, FROM_ROW_12],
  // NANO-F, without a footer.
  [152, { header: { first: 4, count: 2 }, footer: { first: 1, count: 0 } }],
  // M-PTK and M-FR-K.
  [239, FROM_ROW_11],
  [250, FROM_ROW_11],
  // LIGHT-FR-K, both generations.
  [251, FROM_ROW_12],
  [252, FROM_ROW_12],
]);

/** The rows of a model; the usual ones where it is not known to have others. */
export function textRowsOf(modelNumber: number | undefined): TextRows {
  const other = modelNumber === undefined ? undefined : OTHER_ROWS.get(modelNumber);
  return other ?? { header: FACTORY.header, footer: FACTORY.footer };
}
