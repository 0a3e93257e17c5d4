/**
 * The rows of a shop with years behind it, written in bulk. They are counted from the newest one
 * back, so that the shorter of two histories is the end of the longer one: what both show of their
 * last days is the same.
 */

import type { Database } from "#db/connection.ts";

/** Whose rows they are, and how many. */
export interface HistoryPlan {
  readonly orgId: string;
  readonly deviceIds: readonly string[];
  readonly webhookId: string;
  /** Commands, and as many receipts. */
  readonly rows: number;
  /** After the newest row: the midnight before the history was made. UTC milliseconds. */
  readonly end: number;
}

/** Rows of every other table; what is kept of them for good grows more slowly than receipts. */
export const otherRows = ({ rows }: Pick<HistoryPlan, "rows">): number => Math.min(rows, 1_000_000);

/** Ten million commands fit into the two years for which they are kept. */
export const COMMAND_STEP_MS = 6_000;
/** Of receipts and reports: ten thousand a day. */
export const BOOK_STEP_MS = 8_640;
/** Commands that nobody has taken from the queue yet. */
const PENDING = 40;
/** A printer that was replaced long ago: only the oldest tenth of the commands is of it. */
export const OLD_DEVICE = "dev_00000000000000000000000001";
/** A device whose commands have all succeeded, and that was never asked for an X report. */
export const goodDevice = ({ deviceIds }: Pick<HistoryPlan, "deviceIds">): string =>
  deviceIds[deviceIds.length - 1] ?? "";
/** Kept answers that have all expired. */
export const EXPIRED_KEYS = 100_000;
const DAY_MS = 86_400_000;

export const commandId = (seq: number): string => `cmd_${padded(seq)}`;
export const receiptId = (seq: number): string => `rct_${padded(seq)}`;
export const reportId = (seq: number): string => `rpt_${padded(seq)}`;
export const eventId = (seq: number): string => `evt_${padded(seq)}`;

const padded = (seq: number): string => String(seq).padStart(26, "0");
const ID = (kind: string) => `printf('${kind}_%026d', i)`;
/** A number below `below` that jumps about from row to row; `k` counts back from the newest. */
const mixed = (below: number, factor: number) => `((k * ${factor}) >> 13) % ${below}`;

const ITEMS =
  '[{"name":"Bread","quantityMilli":2000,"priceMinor":150,"vatGroup":"VAT2"},' +
  '{"name":"Milk","quantityMilli":1000,"priceMinor":230,"vatGroup":"VAT2"},' +
  '{"name":"Bag","quantityMilli":1000,"priceMinor":50,"vatGroup":"VAT1"}]';
const PAYLOAD =
  '{"items":[{"name":"Bread","quantity":2,"price":1.5,"vatGroup":"VAT2"},' +
  '{"name":"Milk","quantity":1,"price":2.3,"vatGroup":"VAT2"}],' +
  '"payments":[{"method":"cash","amount":5.3}]}';

/** Fills a shop that has no history yet. */
export function seedHistory(database: Database, plan: HistoryPlan): void {
  withoutIndexes(database, ["commands", "receipts", "reports", "audit_entries"], () => {
    for (const text of historyRows(plan)) database.sqlite.exec(text);
  });
}

/** Another one for other rows than those that `seedHistory` writes now. */
export function historyForm(): string {
  const plan = { orgId: "", deviceIds: ["1", "2"], webhookId: "", rows: 10, end: 0 };
  return new Bun.CryptoHasher("sha256").update(historyRows(plan).join()).digest("hex");
}

/**
 * Takes away what the last run left behind the history, and writes anew what is kept for days only.
 * @param now UTC milliseconds
 * @returns `seq` of the newest event
 */
export function renewHistory(database: Database, plan: HistoryPlan, now: number): number {
  const { sqlite } = database;
  const others = otherRows(plan);
  sqlite.exec(`
    DELETE FROM commands WHERE seq > ${plan.rows};
    DELETE FROM receipts WHERE rowid > ${plan.rows};
    DELETE FROM reports WHERE seq > ${others};
    DELETE FROM audit_entries WHERE seq > ${others};
    DELETE FROM devices WHERE managed_by = 'builtin';
    DELETE FROM idempotency_keys;
    DELETE FROM connection_events;
    DELETE FROM webhook_deliveries;
    DELETE FROM alert_history;
  `);
  withoutIndexes(database, ["connection_events", "webhook_deliveries", "alert_history"], () => {
    sqlite.exec(connectionRows(plan, now));
    sqlite.exec(deliveryRows(plan, now));
    sqlite.exec(alertRows(plan, now));
    sqlite.exec(eventRows(plan, now));
  });
  return Number(sqlite.prepare("SELECT max(seq) FROM events").pluck().get());
}

/** Writes kept answers whose time is over, to submissions of commands that are final. */
export function seedExpiredKeys({ sqlite }: Database, { orgId, rows }: HistoryPlan): void {
  sqlite.exec(`
    ${counted(EXPIRED_KEYS)} INSERT INTO idempotency_keys (org_id, key, http_status, body,
        request_hash, command_id, created_at, expires_at)
      SELECT '${orgId}', printf('%08x%08x', i * 2654435761 % 4294967296, i), 202,
        '{"command":{"id":"' || ${ID("cmd")} || '","status":"pending","payload":${PAYLOAD}}}',
        printf('%064d', i), printf('cmd_%026d', 1 + i % ${Math.floor(rows / 2)}), 1, i
      FROM n`);
}

/** Indexes are made of sorted rows afterwards, and nobody would miss a database that is cut short. */
function withoutIndexes({ sqlite }: Database, tables: readonly string[], fill: () => void): void {
  sqlite.pragma("journal_mode = MEMORY");
  sqlite.pragma("synchronous = OFF");
  sqlite.pragma("cache_size = -500000");
  const indexes = sqlite
    .prepare<[string], { name: string; sql: string }>(
      `SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL
         AND tbl_name IN (SELECT value FROM json_each(?))`,
    )
    .all(JSON.stringify(tables));
  for (const { name } of indexes) sqlite.exec(`DROP INDEX ${name}`);
  fill();
  for (const { sql } of indexes) sqlite.exec(sql);
}

/** Rows 1 to `count` as `i`, with `k` from the newest back to 0. */
function counted(count: number): string {
  return `WITH RECURSIVE n(i, k) AS (SELECT 1, ${count} - 1
    UNION ALL SELECT i + 1, k - 1 FROM n WHERE i < ${count})`;
}

function deviceOf(ids: readonly string[], factor: number): string {
  const cases = ids.map((id, index) => `WHEN ${index} THEN '${id}'`).join(" ");
  return `CASE ${mixed(ids.length, factor)} ${cases} END`;
}

function historyRows(plan: HistoryPlan): string[] {
  return [commandRows(plan), receiptRows(plan), reportRows(plan), auditRows(plan)];
}

function commandRows(plan: HistoryPlan): string {
  const { orgId, deviceIds, rows, end } = plan;
  const isOld = `k >= ${Math.floor(rows * 0.9)}`;
  const isFinal = `k >= ${PENDING}`;
  const device = `CASE WHEN ${isOld} AND k % 5 = 0 THEN '${OLD_DEVICE}'
    ELSE ${deviceOf(deviceIds, 2_654_435_761)} END`;
  const isGood = `${device} = '${goodDevice(plan)}'`;
  const type = `CASE
    WHEN ${isOld} AND k % 50 = 0 THEN 'set_logo'
    WHEN ${isGood} THEN 'print_receipt'
    WHEN ${mixed(100, 40_503)} < 80 THEN 'print_receipt'
    WHEN ${mixed(100, 40_503)} < 94 THEN 'get_status'
    WHEN ${mixed(100, 40_503)} < 97 THEN 'x_report'
    WHEN ${mixed(100, 40_503)} < 98 THEN 'z_report' ELSE 'cash_in' END`;
  const status = `CASE WHEN NOT ${isFinal} THEN 'pending'
    WHEN ${isGood} THEN 'completed'
    WHEN ${mixed(100, 69_069)} < 2 THEN 'failed'
    WHEN ${mixed(100, 69_069)} < 4 THEN 'timeout' ELSE 'completed' END`;
  const created = `${end} - (k + 1) * ${COMMAND_STEP_MS}`;
  // Ends come in another order than beginnings; of a few somebody has to decide hours later.
  const ended = `${created} + CASE WHEN k % 1000 = 500 THEN 7200000 ELSE 500 + k % 3 * 7000 END`;
  const ifFinal = (value: string) => `CASE WHEN ${isFinal} THEN ${value} END`;
  return `
    ${counted(rows)} INSERT INTO commands (seq, id, org_id, device_id, type, payload, status, source,
        api_key_id, controller_id, created_at, updated_at, sent_at, processing_at, finished_at,
        expires_at, mark, result)
      SELECT i, ${ID("cmd")}, '${orgId}',
        ${device}, ${type}, '${PAYLOAD}', ${status}, 'api', 'key_1', ${ifFinal("'builtin'")}, ${created},
        CASE WHEN ${isFinal} THEN ${ended} ELSE ${created} END, ${ifFinal(created)},
        ${ifFinal(created)}, ${ifFinal(ended)}, ${end + 3_650 * DAY_MS}, ${ifFinal("'committed'")},
        ${ifFinal(`'{"success":true,"fiscalId":"' || i || '","data":{"receiptNumber":"' || i || '"}}'`)}
      FROM n;`;
}

function receiptRows(plan: HistoryPlan): string {
  const { orgId, deviceIds, rows, end } = plan;
  const device = deviceOf(deviceIds, 2_654_435_761);
  const type = `CASE WHEN ${device} = '${goodDevice(plan)}' THEN 'sale'
    WHEN k % 100 = 1 THEN 'storno' WHEN k % 200 = 2 THEN 'refund' ELSE 'sale' END`;
  const stored = `${end} - (k + 1) * ${BOOK_STEP_MS}`;
  return `
    ${counted(rows)} INSERT INTO receipts (id, org_id, device_id, command_id, type, fiscal_id,
        receipt_number, unique_sale_number, issued_at, currency, items, subtotal_modifiers, payments,
        total_minor, customer_cif, original_receipt_id, source, created_at)
      SELECT ${ID("rct")}, '${orgId}', ${device}, ${ID("cmd")}, ${type},
        CAST(i AS TEXT), CAST(i AS TEXT), printf('DT123456-0001-%07d', k % 9999999),
        ${stored} - k % 3 * 1000, 'EUR', '${ITEMS}', '[]',
        '[{"method":"cash","amountMinor":580}]', 1 + ${mixed(100_000, 2_246_822_519)},
        CASE WHEN k % 7 = 0 THEN printf('RO%08d', k % 1000) END,
        CASE WHEN ${type} = 'sale' THEN NULL ELSE printf('rct_%026d', max(1, i - 1000)) END,
        'command', ${stored}
      FROM n;`;
}

function reportRows(plan: HistoryPlan): string {
  const { orgId, deviceIds, end } = plan;
  const booked = `${end} - (k + 1) * ${BOOK_STEP_MS}`;
  return `
    ${counted(otherRows(plan))} INSERT INTO reports (seq, id, org_id, device_id, command_id, type,
        report_number, totals, booked_at, created_at)
      SELECT i, ${ID("rpt")}, '${orgId}', ${deviceOf(deviceIds, 668_265_263)}, ${ID("cmd")},
        CASE WHEN ${mixed(100, 40_503)} = 7 THEN 'z_report' ELSE 'x_report' END, i,
        '{"grossMinor":580,"reversalsMinor":null,"cashInMinor":null,"cashOutMinor":null,"cashBalanceMinor":null}',
        ${booked}, ${booked}
      FROM n;`;
}

function auditRows(plan: HistoryPlan): string {
  const { orgId, deviceIds, end } = plan;
  return `
    DELETE FROM audit_entries;
    ${counted(otherRows(plan))} INSERT INTO audit_entries (seq, org_id, at, actor, action, resource)
      SELECT i, '${orgId}', ${end} - (k + 1) * ${BOOK_STEP_MS}, 'key:1', 'device.updated',
        ${deviceOf(deviceIds, 668_265_263)}
      FROM n;`;
}

function connectionRows(plan: HistoryPlan, now: number): string {
  const count = otherRows(plan);
  return `
    ${counted(count)} INSERT INTO connection_events (device_id, type, at, device_model, app_version,
        os_version)
      SELECT ${deviceOf(plan.deviceIds, 668_265_263)},
        CASE WHEN k % 2 = 0 THEN 'disconnected' ELSE 'connected' END,
        ${now} - (k + 1) * ${Math.floor((5 * DAY_MS) / count)}, 'box', '1', 'linux'
      FROM n;`;
}

/** Every hundredth stands. */
function alertRows(plan: HistoryPlan, now: number): string {
  const count = otherRows(plan);
  const detected = `${now} - (k + 2) * ${Math.floor((80 * DAY_MS) / count)}`;
  const ended = (value: string) => `CASE WHEN k % 100 > 0 THEN ${value} END`;
  return `
    ${counted(count)} INSERT INTO alert_history (org_id, device_id, device_name, type, severity,
        message, detected_at, ended_at, ended_as)
      SELECT '${plan.orgId}', ${deviceOf(plan.deviceIds, 668_265_263)}, 'Counter', 'paper_out',
        CASE WHEN k % 3 = 0 THEN 'warning' ELSE 'error' END, 'The paper has run out', ${detected},
        ${ended(`${detected} + 60000`)}, ${ended("'cured'")}
      FROM n;`;
}

function deliveryRows(plan: HistoryPlan, now: number): string {
  const count = otherRows(plan);
  const created = `${now} - (k + 1) * ${Math.floor((20 * DAY_MS) / count)}`;
  const payload = `json_object('id', ${ID("evt")}, 'type', 'command.completed', 'orgId',
    '${plan.orgId}', 'createdAt', '2026-01-01T00:00:00.000Z', 'data', json('${PAYLOAD}'))`;
  return `
    ${counted(count)} INSERT INTO webhook_deliveries (id, webhook_id, org_id, event_type, payload,
        status, attempt, http_status, attempted_at, created_at)
      SELECT ${ID("dlv")}, '${plan.webhookId}', '${plan.orgId}', 'command.completed', ${payload},
        CASE WHEN k % 50 = 0 THEN 'failed' ELSE 'success' END, 1, 204, ${created}, ${created}
      FROM n;`;
}

/** Behind those that there were: an event's `seq` never comes again. */
function eventRows(plan: HistoryPlan, now: number): string {
  const count = otherRows(plan);
  const seq = "(SELECT coalesce(max(seq), 0) FROM events)";
  return `
    CREATE TEMP TABLE last AS SELECT ${seq} AS seq;
    DELETE FROM events WHERE seq < (SELECT seq FROM last);
    ${counted(count)} INSERT INTO events (seq, id, org_id, type, subject_id, data, created_at)
      SELECT last.seq + i, printf('evt_%026d', last.seq + i), '${plan.orgId}', 'command.updated',
        printf('cmd_%026d', i), '{"status":"completed"}',
        ${now} - (k + 1) * ${Math.floor((5 * DAY_MS) / count)}
      FROM n CROSS JOIN last;
    DROP TABLE last;`;
}
