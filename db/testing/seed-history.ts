/**
 * A database with years of work behind it, written in bulk: for tests of how statements run, and
 * for the bench of how they go on when the history grows. The same count gives the same rows.
 */

import type { Database } from "../connection.ts";

export interface HistorySize {
  /** Commands of the shop; a quarter as many receipts, a hundredth as many audit entries. */
  readonly commands: number;
  /** Reports; an older schema has none. */
  readonly reports?: number;
  /** Alerts, every hundredth of which stands; an older schema has none. */
  readonly alerts?: number;
  /** Kept answers, all of which expire at `at`. */
  readonly keys?: { readonly count: number; readonly at: number };
}

/** What is the same in every history, however long. */
export const HISTORY = {
  orgId: "org_01M7XBC7BKJTTK1BYJEVYS1RPR",
  /** Device number `index`, below `devices`. */
  deviceId: (index: number): string =>
    `dev_01M7XBC7BKJTTK1BYJEVYS1${String(index).padStart(3, "0")}`,
  devices: 7,
  /** The newest of them are not final. */
  unfinished: 40,
  commandId: (seq: number): string => `cmd_${String(seq).padStart(26, "0")}`,
  receiptId: (seq: number): string => `rct_${String(seq).padStart(26, "0")}`,
  /** The instant of acceptance: two commands share one. UTC milliseconds. */
  createdAt: (seq: number): number => START + Math.floor(seq / 2) * STEP_MS,
} as const;

/** 2026-01-01. */
const START = 1_767_225_600_000;
const STEP_MS = 20_000;

const ID = (prefix: string) => `printf('${prefix}_%026d', i)`;
const DEVICE = `printf('dev_01M7XBC7BKJTTK1BYJEVYS1%03d', i % ${HISTORY.devices})`;
const CREATED = `${START} + i / 2 * ${STEP_MS}`;
/** Ends come in another order than beginnings. */
const ENDED = `${CREATED} + 500 + i % 3 * 15000`;
const ITEMS = '[{"name":"Bread","quantityMilli":2000,"priceMinor":150,"vatGroup":"VAT2"}]';
const PAYMENTS = '[{"method":"cash","amountMinor":300}]';

/** Fills an empty database, also one of an older schema: it names the columns it fills. */
export function seedHistory({ sqlite }: Database, size: HistorySize): void {
  const { commands, reports, alerts, keys } = size;
  const rows = (count: number) =>
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
  const org = `'${HISTORY.orgId}'`;
  const final = commands - HISTORY.unfinished;
  const ifFinal = (value: string) => `CASE WHEN i <= ${final} THEN ${value} END`;
  sqlite.exec(`
    INSERT INTO organizations (id, name, currency, timezone, plan, created_at, updated_at)
      VALUES (${org}, 'Corner Shop', 'BGN', 'UTC', 'enterprise', 1, 1);
    INSERT INTO users (id, org_id, email, name, role, active, created_at, updated_at)
      VALUES ('usr_1', ${org}, 'owner@shop.example', 'Ann', 'owner', 1, 1, 1);

    ${rows(commands)} INSERT INTO commands (seq, id, org_id, device_id, type, payload, status,
        source, api_key_id, controller_id, created_at, updated_at, sent_at, processing_at,
        finished_at, expires_at, mark, result)
      SELECT i, ${ID("cmd")}, ${org}, ${DEVICE},
        CASE WHEN i % 101 = 0 THEN 'x_report' WHEN i % 101 < 20 THEN 'get_status'
          ELSE 'print_receipt' END,
        '{"items":${ITEMS},"payments":${PAYMENTS}}',
        CASE WHEN i > ${final} THEN 'pending' WHEN i % 53 = 0 THEN 'failed'
          WHEN i % 53 = 1 THEN 'timeout' ELSE 'completed' END,
        'api', 'key_1', ${ifFinal("'builtin'")}, ${CREATED},
        ${`CASE WHEN i > ${final} THEN ${CREATED} ELSE ${ENDED} END`},
        ${ifFinal(CREATED)}, ${ifFinal(CREATED)}, ${ifFinal(ENDED)}, ${CREATED} + 180000,
        ${ifFinal("'committed'")}, ${ifFinal(`'{"success":true,"fiscalId":"' || i || '"}'`)}
      FROM n;

    ${rows(Math.floor(commands / 4))} INSERT INTO receipts (id, org_id, device_id, command_id, type,
        fiscal_id, issued_at, currency, items, subtotal_modifiers, payments, total_minor, source,
        created_at)
      SELECT ${ID("rct")}, ${org}, ${DEVICE}, printf('cmd_%026d', i * 4), 'sale',
        CAST(i AS TEXT), ${START} + i * ${2 * STEP_MS}, 'BGN', '${ITEMS}', '[]', '${PAYMENTS}', 300,
        'command', ${START} + i * ${2 * STEP_MS}
      FROM n;

    ${rows(Math.floor(commands / 100))} INSERT INTO audit_entries (org_id, at, actor, action,
        resource)
      SELECT ${org}, ${START} + i * ${50 * STEP_MS}, 'key:1', 'device.update', ${DEVICE} FROM n;

    ${rows(Math.floor(commands / 1_000))} INSERT INTO outcome_holds (command_id, org_id, device_id,
        raised_at, resolved_at, outcome, resolved_by)
      SELECT printf('cmd_%026d', i * 1000), ${org}, ${DEVICE}, i, i + 1, 'printed', 'user:usr_1'
      FROM n;

    ${rows(200)} INSERT INTO user_sessions (id, org_id, user_id, created_at, expires_at)
      SELECT ${ID("ses")}, ${org}, 'usr_1', i, i + 1000 FROM n;
    ${rows(1_000)} INSERT INTO refresh_tokens (hash, session_id, created_at, expires_at)
      SELECT ${ID("hash")}, printf('ses_%026d', i % 200 + 1), i, i + 900 FROM n;
  `);
  if (reports !== undefined) {
    sqlite.exec(`
      ${rows(reports)} INSERT INTO reports (id, org_id, device_id, command_id, type,
          report_number, totals, booked_at, created_at)
        SELECT ${ID("rpt")}, ${org}, ${DEVICE}, ${ID("cmd")},
          CASE WHEN i % 4 = 0 THEN 'x_report' ELSE 'z_report' END, i, '{}',
          ${START} + i * ${100 * STEP_MS}, ${START} + i * ${100 * STEP_MS}
        FROM n;
    `);
  }
  if (alerts !== undefined) {
    const ended = (value: string) => `CASE WHEN i % 100 > 0 THEN ${value} END`;
    sqlite.exec(`
      ${rows(alerts)} INSERT INTO alert_history (org_id, device_id, device_name, type, severity,
          message, detected_at, ended_at, ended_as)
        SELECT ${org}, ${DEVICE}, 'Counter', CASE WHEN i % 4 = 0 THEN 'paper_low' ELSE 'paper_out'
          END, CASE WHEN i % 4 = 0 THEN 'warning' ELSE 'error' END, '', ${CREATED},
          ${ended(ENDED)}, ${ended("'cured'")}
        FROM n;
    `);
  }
  if (keys === undefined) return;
  sqlite.exec(`
    ${rows(keys.count)} INSERT INTO idempotency_keys (org_id, key, http_status, body, request_hash,
        created_at, expires_at)
      SELECT ${org}, printf('%08x%08x', i * 2654435761 % 4294967296, i), 202,
        '{"command":{"id":"' || ${ID("cmd")} || '","status":"pending","payload":${ITEMS}}}',
        printf('%064d', i), ${keys.at} - 86400000, ${keys.at}
      FROM n;
  `);
}
