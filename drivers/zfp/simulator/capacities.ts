/**
 * What a device is built for, as it answers to GS `I`, outside of frames.
 * Source: Tremol protocol description, Bulgaria, rev. 1910211454, chapter 4.
 */

import { DEPARTMENTS } from "./departments.ts";
import type { ZfpModel } from "./model.ts";

/** Articles and customers are not simulated. */
const ARTICLES = 0;
const CUSTOMERS = 0;
const LOGOS = 10;

/**
 * `I` and the characters of a line, then articles, departments, operators, VAT classes, header
 * lines, tenders, logos, two zeros, sales in a receipt and customers; a line feed ends it.
 */
export function capacities({ books, layout, tenders }: ZfpModel): string {
  const fields = [
    digits(layout.columns, 2),
    digits(ARTICLES, 5),
    digits(DEPARTMENTS, 2),
    digits(books.operatorCount, 2),
    digits(books.vat.length, 1),
    digits(books.headerLines, 2),
    digits(tenders.length, 2),
    digits(LOGOS, 2),
    digits(0, 2),
    digits(books.salesPerReceiptMax, 3),
    digits(CUSTOMERS, 4),
  ];
  return `I${fields.join(";")}\n`;
}

function digits(value: number, width: number): string {
  return String(value).padStart(width, "0");
}
