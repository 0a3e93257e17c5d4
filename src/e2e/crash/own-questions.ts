/**
 * What a gateway asks a printer of its own accord, as its database has it: frames of such a question
 * are none of the document that is struck. No route tells of a question that is still to be put.
 */

import { Database } from "bun:sqlite";

/** Reads the gateway's database: gives the rows of a query. */
export type Reader = (sql: string, ...values: readonly string[]) => readonly unknown[];

/** Reads the database of a gateway in a process of its own, which may be killed at any moment. */
export function readerOf(file: string): Reader {
  return (sql, ...values) => {
    const database = new Database(file, { readonly: true });
    try {
      return database.query(sql).all(...values);
    } finally {
      database.close();
    }
  };
}

/** True until the printer has answered what its first line, a start or a state put back has it asked. */
export function isToBeAsked(rows: Reader, deviceId: string): boolean {
  const sql = `
    SELECT 1 FROM (
      SELECT device_id FROM document_checks WHERE state = 'asked'
      UNION ALL SELECT device_id FROM restored_printers WHERE state = 'asked'
      UNION ALL SELECT device_id FROM commands WHERE source = 'gateway' AND finished_at IS NULL
    ) WHERE device_id = ?`;
  return rows(sql, deviceId).length > 0;
}

/** True once it is stored how far the printer's numbers go of which the gateway has printed nothing. */
export function isNumberNoted(rows: Reader, deviceId: string): boolean {
  const sql = "SELECT 1 FROM document_checks WHERE device_id = ? AND number IS NOT NULL";
  return rows(sql, deviceId).length > 0;
}

/** @throws Error when the printer was still being asked something when a document was ordered */
export function requireOwnFrames(rows: Reader, commandId: string): void {
  const sql = `
    SELECT 1 FROM commands AS document JOIN commands AS question USING (device_id)
    WHERE document.id = ? AND question.source = 'gateway' AND question.seq < document.seq
      AND question.sent_at IS NOT NULL AND question.finished_at > document.created_at`;
  if (rows(sql, commandId).length === 0) return;
  throw new Error("the gateway's own question to the printer was counted with the document");
}
