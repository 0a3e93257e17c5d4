/** A history of receipts as a file. */

import type { ReceiptRecord } from "./records.ts";

export const EXPORT_FORMATS = ["csv", "json"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** The type of the file. */
export const EXPORT_TYPES = {
  csv: "text/csv; header=present",
  json: "application/json",
} as const satisfies Record<ExportFormat, string>;

/** The columns, in order. What has parts of its own is JSON, as the API shows it. */
const COLUMNS = [
  "id",
  "type",
  "deviceId",
  "locationId",
  "fiscalId",
  "receiptNumber",
  "uniqueSaleNumber",
  "fiscalMemorySerialNumber",
  "zReportNumber",
  "issuedAt",
  "currency",
  "total",
  "customerCif",
  "originalReceiptId",
  "source",
  "commandId",
  "createdAt",
  "payments",
  "items",
  "subtotalModifiers",
  "simulated",
] as const satisfies readonly (keyof ReceiptRecord)[];

/** Behind them: the total, below zero for what went back to a customer, so that the column adds up. */
const SIGNED_TOTAL = "signedTotal";

/** The text of the file in pieces, one for each part of the history. */
export function* exportText(
  format: ExportFormat,
  parts: Iterable<readonly ReceiptRecord[]>,
): Generator<string, void> {
  if (format === "csv") {
    yield lineOf([...COLUMNS, SIGNED_TOTAL]);
    for (const part of parts) yield part.map(csvLine).join("");
    return;
  }
  let separator = '{"receipts":[\n';
  for (const part of parts) {
    const lines = part.map((receipt) => JSON.stringify(receipt));
    if (lines.length === 0) continue;
    yield separator + lines.join(",\n");
    separator = ",\n";
  }
  // Of a history without any receipt the beginning is missing yet.
  yield separator === ",\n" ? "\n]}\n" : `${separator}]}\n`;
}

function csvLine(receipt: ReceiptRecord): string {
  const { type, total } = receipt;
  const signed = (type === "sale" ? total : -total).toFixed(2);
  return lineOf([...COLUMNS.map((column) => cellOf(receipt[column])), signed]);
}

function cellOf(value: ReceiptRecord[keyof ReceiptRecord]): string {
  if (value === null) return "";
  if (typeof value === "number") return value.toFixed(2);
  if (typeof value === "boolean") return String(value);
  return typeof value === "string" ? defused(value) : JSON.stringify(value);
}

/** RFC 4180. */
function lineOf(cells: readonly string[]): string {
  return `${cells.map(quoted).join(",")}\r\n`;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** A spreadsheet runs a text that begins like a formula; behind an apostrophe it is only a text. */
function defused(text: string): string {
  return /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
}
