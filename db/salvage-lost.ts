/**
 * What saved rows refer to and is lost: organizations, which everything belongs to, and the locations
 * of devices. With what the rows that are left tell of them.
 */

import type { Database } from "./connection.ts";

type Sql = Pick<Database, "sqlite">;

/** An organization whose row is lost. What is told of it is as it was read: nobody has checked it. */
export interface LostOrganization {
  readonly id: string;
  /** UTC milliseconds of the oldest row that refers to it; beyond all times where none tells. */
  readonly since: number;
  readonly devices: number;
  readonly activeKeys: number;
  /** By the audit log, what it was last changed to. */
  readonly told: Readonly<Record<"name" | "currency" | "timezone" | "plan", unknown>>;
  /** Of its last receipt. */
  readonly receiptCurrency: string | null;
  /** The zones that its saved locations name, each once. */
  readonly locationZones: readonly string[];
}

/** A location whose row is lost. */
export interface LostLocation {
  readonly id: string;
  readonly orgId: string;
  /** By the audit log; as it was read. */
  readonly name: unknown;
}

/** What both kinds of ids look like, so that no garbled one is taken for one. */
const ORGANIZATION_ID = /^[0-9a-z]{12}$/;
const LOCATION_ID = /^loc_[0-9a-z]{26}$/i;
const UNTOLD = Number.MAX_SAFE_INTEGER;
/** Whether what the audit log says can be read. */
const READABLE = "json_valid(details)";

/** Those that any saved row belongs to and that are not there; the oldest first. */
export function lostOrganizations(database: Sql): LostOrganization[] {
  const since = new Map<string, number>();
  for (const { table, time } of tablesOfOrganizations(database)) {
    const rows = database.sqlite
      .prepare<[], { id: unknown; at: number | null }>(
        `SELECT org_id AS id, min(${time}) AS at FROM "${table}"
         WHERE org_id NOT IN (SELECT id FROM organizations) GROUP BY org_id`,
      )
      .all();
    for (const { id, at } of rows) {
      if (typeof id !== "string" || !ORGANIZATION_ID.test(id)) continue;
      since.set(id, Math.min(since.get(id) ?? UNTOLD, at ?? UNTOLD));
    }
  }
  return [...since]
    .sort(([, one], [, other]) => one - other)
    .map(([id, at]) => organizationTold(database, id, at));
}

/** Every table whose rows name their organization, with its column of when one was made. */
function tablesOfOrganizations({ sqlite }: Sql): { table: string; time: string }[] {
  const columns = sqlite
    .prepare<[], { table: string; columns: string }>(
      `SELECT m.name AS "table", group_concat(c.name) AS columns
       FROM sqlite_schema AS m, pragma_table_info(m.name) AS c
       WHERE m.type = 'table' GROUP BY m.name`,
    )
    .all()
    .map(({ table, columns: names }) => ({ table, names: names.split(",") }));
  return columns
    .filter(({ names }) => names.includes("org_id"))
    .map(({ table, names }) => ({
      table,
      time: ["created_at", "at"].find((name) => names.includes(name)) ?? "NULL",
    }));
}

function organizationTold({ sqlite }: Sql, id: string, since: number): LostOrganization {
  const value = <T>(sql: string) => sqlite.prepare<[string], T>(sql).pluck().get(id);
  const told = (action: string, field: string) =>
    value<unknown>(
      `SELECT json_extract(details, '$.${field}') FROM audit_entries
       WHERE org_id = ? AND action = '${action}' AND ${READABLE}
       AND json_extract(details, '$.${field}') IS NOT NULL ORDER BY seq DESC LIMIT 1`,
    );
  const updated = (field: string) => told("organization.updated", field);
  return {
    ...{ id, since },
    devices: value<number>("SELECT count(*) FROM devices WHERE org_id = ?") ?? 0,
    activeKeys: value<number>("SELECT count(*) FROM api_keys WHERE org_id = ? AND active") ?? 0,
    told: {
      name: updated("name"),
      currency: updated("currency"),
      timezone: updated("timezone"),
      plan: told("plan.changed", "to"),
    },
    receiptCurrency:
      value<string>(
        "SELECT currency FROM receipts WHERE org_id = ? ORDER BY created_at DESC LIMIT 1",
      ) ?? null,
    locationZones: sqlite
      .prepare<[string], string>(
        "SELECT DISTINCT timezone FROM locations WHERE org_id = ? AND timezone IS NOT NULL",
      )
      .pluck()
      .all(id),
  };
}

/** Those that devices of an organization that is there stand at. A place need not be one: any text names it. */
export function lostLocations({ sqlite }: Sql): LostLocation[] {
  const told = sqlite
    .prepare<[string, string]>(
      `SELECT json_extract(details, '$.name') FROM audit_entries
       WHERE org_id = ? AND resource = ? AND action LIKE 'location.%' AND ${READABLE}
       ORDER BY seq DESC LIMIT 1`,
    )
    .pluck();
  return sqlite
    .prepare<[], Pick<LostLocation, "id" | "orgId">>(
      `SELECT DISTINCT location_id AS id, org_id AS orgId FROM devices
       WHERE location_id NOT IN (SELECT id FROM locations)
       AND org_id IN (SELECT id FROM organizations) ORDER BY location_id`,
    )
    .all()
    .filter(({ id }) => LOCATION_ID.test(id))
    .map(({ id, orgId }) => ({ id, orgId, name: told.get(orgId, id) }));
}

/**
 * Gives an organization that was made anew the lowest number that no row has: whose is lowest was
 * registered first, and its owners look after the machine.
 */
export function putInOrder({ sqlite }: Sql, orgId: string): void {
  const numbers = new Set(sqlite.prepare("SELECT rowid FROM organizations").pluck().all());
  let free = 1;
  while (numbers.has(free)) free += 1;
  sqlite
    .prepare("UPDATE organizations SET rowid = ? WHERE id = ? AND rowid > ?")
    .run(free, orgId, free);
}
