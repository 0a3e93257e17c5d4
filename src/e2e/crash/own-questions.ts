/**
 * What a gateway asks a printer of its own accord, as its database has it: frames of such a question
 * are none of the document that is struck. No route tells of a question that is still to be put.
 */

import { Database } from "bun:sqlite";

/** True until the printer has answered what its first line, a start or a state put back has it asked. */
export function isToBeAsked(database: string, deviceId: string): boolean {
  const sql = `
    SELECT 1 FROM document_checks WHERE device_id = ?1 AND state = 'asked'
    UNION ALL SELECT 1 FROM restored_printers WHERE device_id = ?1 AND state = 'asked'
    UNION ALL SELECT 1 FROM commands
      WHERE device_id = ?1 AND source = 'gateway' AND finished_at IS NULL`;
  return isFound(database, sql, deviceId);
}

/** True once it is stored how far the printer's numbers go of which the gateway has printed nothing. */
export function isNumberNoted(database: string, deviceId: string): boolean {
  const sql = "SELECT 1 FROM document_checks WHERE device_id = ?1 AND number IS NOT NULL";
  return isFound(database, sql, deviceId);
}

/** @throws Error when the printer was still being asked something when a document was ordered */
export function requireOwnFrames(database: string, commandId: string): void {
  const sql = `
    SELECT 1 FROM commands AS document JOIN commands AS question USING (device_id)
    WHERE document.id = ?1 AND question.source = 'gateway' AND question.seq < document.seq
      AND question.sent_at IS NOT NULL AND question.finished_at > document.created_at`;
  if (!isFound(database, sql, commandId)) return;
  throw new Error("the gateway's own question to the printer was counted with the document");
}

function isFound(file: string, sql: string, id: string): boolean {
  const database = new Database(file, { readonly: true });
  try {
    return database.query(sql).get(id) !== null;
  } finally {
    database.close();
  }
}
