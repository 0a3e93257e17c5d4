/** Bytes that changed within a row, which no check of SQLite notices: damage like any other. */

import type { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { startGateway } from "./harness/gateway.ts";
import { inStoppedShop, withDatabase } from "./harness/stopped-shop.ts";

const ORG = "(SELECT id FROM organizations)";

/** Two printers, and a receipt that one of them has printed. */
function addRows(database: Database): void {
  for (const name of ["bar", "counter"]) {
    database.run(
      `INSERT INTO devices (id, org_id, name, driver, transport, location_id, connection_params, managed_by,
        stored_status, created_at, updated_at) VALUES ('dev_${name}', ${ORG}, '${name}', 'vendorA.isl', 'tcp',
        'shop', '{"host":"127.0.0.1","port":9}', 'builtin', 'offline', 1, 1)`,
    );
  }
  database.run(
    `INSERT INTO commands (id, org_id, device_id, type, payload, status, source, created_at, updated_at,
      finished_at, expires_at) VALUES ('cmd_1', ${ORG}, 'dev_bar', 'get_status', '{}', 'completed', 'api', 1,
      1, 2, 3)`,
  );
  database.run(
    `INSERT INTO api_keys (id, org_id, hash, prefix, last4, label, scopes, active, created_at) VALUES
      ('key_1', ${ORG}, 'x', 'fk_x', 'last', 'till', '["receipts:read"]', 1, 1)`,
  );
  database.run(
    `INSERT INTO receipts (id, org_id, device_id, type, issued_at, currency, items, subtotal_modifiers,
      payments, total_minor, source, created_at) VALUES ('rct_1', ${ORG}, 'dev_bar', 'sale', 1, 'EUR', '[]',
      '[]', '[]', 100, 'api', 1)`,
  );
}

const HELD = "may be what keeps a receipt from being printed again";

test.concurrent.each([
  {
    change: "UPDATE devices SET connection_params = 'x' WHERE id = 'dev_bar'",
    named: "devices dev_bar: what is in connection_params makes no sense",
    saved: /\ndevices +1 +1 that made no sense\n/,
    reads: ["status", "device list"],
    isHeld: false,
  },
  {
    change: `UPDATE devices SET connection_params = '{}' WHERE id = 'dev_bar'`,
    named: "devices dev_bar: what is in connection_params makes no sense",
    saved: /\ndevices +1 +1 that made no sense\n/,
    reads: ["device list"],
    isHeld: false,
  },
  {
    change: "UPDATE commands SET payload = '{'",
    named: "commands cmd_1: what is in payload makes no sense",
    saved: /\ncommands +0 +1 that made no sense\n/,
    reads: ["command list", "command show cmd_1"],
    isHeld: true,
  },
  {
    change: "UPDATE receipts SET items = '[{'",
    named: "receipts rct_1: what is in items makes no sense",
    saved: /\nreceipts +0 +1 that made no sense\n/,
    reads: [],
    isHeld: true,
  },
  {
    change: `UPDATE devices SET connection_params = '[]' WHERE id = 'dev_bar'`,
    named: "devices dev_bar: what is in connection_params makes no sense",
    saved: /\ndevices +1 +1 that made no sense\n/,
    reads: ["device list"],
    isHeld: false,
  },
  {
    change: "UPDATE commands SET result = '3'",
    named: "commands cmd_1: what is in result makes no sense",
    saved: /\ncommands +0 +1 that made no sense\n/,
    reads: ["command show cmd_1"],
    isHeld: true,
  },
  {
    change: "UPDATE api_keys SET scopes = '{}' WHERE id = 'key_1'",
    named: "api_keys key_1: what is in scopes makes no sense",
    saved: /\napi_keys +1 +1 that made no sense\n/,
    reads: ["key list"],
    isHeld: false,
  },
  {
    change: "UPDATE receipts SET payments = '[3]'",
    named: "receipts rct_1: what is in payments makes no sense",
    saved: /\nreceipts +0 +1 that made no sense\n/,
    reads: [],
    isHeld: true,
  },
  {
    change: `UPDATE receipts SET items = '[{"name":"Bread"}]'`,
    named: "receipts rct_1: what is in items makes no sense",
    saved: /\nreceipts +0 +1 that made no sense\n/,
    reads: [],
    isHeld: true,
  },
  {
    change: "UPDATE organizations SET timezone = 'Mars/X'",
    named: /organizations \w+: what is in timezone makes no sense$/m,
    saved: /\norganizations +1 +the time zone of 1: set it again\n/,
    reads: ["status"],
    isHeld: false,
  },
])("after $change check names it, nobody works on it, and repair goes on without", (one) =>
  inStoppedShop(async ({ box, file, run }) => {
    withDatabase(file, (database) => {
      addRows(database);
      database.run(one.change);
    });
    const checked = await run("check");
    expect([checked.code, checked.out]).toEqual([1, expect.stringMatching(one.named)]);
    expect(checked.err).toContain("saves what can be read");
    const served = await run("serve", "--http-listen", "127.0.0.1:0");
    expect([served.code, served.err]).toEqual([3, expect.stringMatching(one.named)]);
    expect(served.err).toContain("saves what can be read");
    for (const words of one.reads) {
      const read = await run(...words.split(" "));
      expect([words, read.code, read.err]).toEqual([
        words,
        3,
        expect.stringContaining("fiscald check names the row, fiscald repair leaves it out"),
      ]);
    }
    const findings: { about: string; state: string; text: string; cure?: string }[] = JSON.parse(
      (await run("doctor", "--json")).out,
    );
    expect(findings).toContainEqual({
      ...{ about: "Database", state: "error", text: expect.stringMatching(one.named) },
      cure: expect.stringContaining("repair"),
    });

    const repaired = await run("repair");
    expect([repaired.code, repaired.out]).toEqual([1, expect.stringMatching(one.saved)]);
    expect(repaired.out.replaceAll(/\s+/g, " ").includes(HELD)).toBe(one.isHeld);
    expect(await run("check")).toMatchObject({ code: 0, out: "the database is whole\n" });
    await box.keep(await startGateway(box.stateDir)).stop();
    for (const words of one.reads.filter((read) => !read.includes("show"))) {
      expect((await run(...words.split(" "))).err).not.toMatch(/defect|makes no sense/);
    }
  }),
);

/** More than a start reads of each table. */
const MANY = 1_100;

/** Makes the database one that a start does not read as a whole, with a history behind its first rows. */
function enlarge(database: Database): void {
  database.run("CREATE TABLE ballast (content)");
  database.run("INSERT INTO ballast VALUES (zeroblob(40000000))");
  const columns = `org_id, device_id, type, payload, status, source, created_at, updated_at, finished_at,
    expires_at`;
  database.run(
    `WITH RECURSIVE n(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM n WHERE n < ${MANY})
     INSERT INTO commands (id, ${columns}) SELECT 'cmd_' || n, ${columns} FROM commands, n
     WHERE id = 'cmd_1'`,
  );
}

test.concurrent.each([
  {
    change: "UPDATE devices SET connection_params = 'x' WHERE id = 'dev_bar'",
    named: "devices dev_bar: what is in connection_params makes no sense",
  },
  {
    change: "UPDATE receipts SET items = '[{'",
    named: "receipts rct_1: what is in items makes no sense",
  },
  {
    change: `UPDATE commands SET payload = '{' WHERE id = 'cmd_${MANY}'`,
    named: `commands cmd_${MANY}: what is in payload makes no sense`,
  },
  {
    change:
      "UPDATE commands SET payload = '{', status = 'pending', finished_at = NULL WHERE id = 'cmd_1'",
    named: "commands cmd_1: what is in payload makes no sense",
  },
])("nobody starts on a large database after $change either", ({ change, named }) =>
  inStoppedShop(async ({ box, file, run }) => {
    withDatabase(file, (database) => {
      addRows(database);
      enlarge(database);
    });
    await box.keep(await startGateway(box.stateDir)).stop();
    withDatabase(file, (database) => database.run(change));
    const served = await run("serve", "--http-listen", "127.0.0.1:0");
    expect([served.code, served.err]).toEqual([3, expect.stringContaining(named)]);
  }),
);

test.concurrent("an index that a large database lacks is made anew, and keeps nobody from starting", () =>
  inStoppedShop(async ({ box, file }) => {
    withDatabase(file, (database) => {
      addRows(database);
      enlarge(database);
      database.run("DROP INDEX commands_unfinished");
    });
    const gateway = box.keep(await startGateway(box.stateDir));
    expect(gateway.output()).toContain("commands_unfinished");
    await gateway.stop();
  }));

test.concurrent("a word that this version does not have stops nobody, and is told", () =>
  inStoppedShop(async ({ box, file, run }) => {
    withDatabase(file, (database) => {
      addRows(database);
      database.run("UPDATE commands SET status = 'complexed'");
    });
    expect(await run("check")).toMatchObject({
      code: 0,
      out:
        "the database is whole\n" +
        "commands cmd_1: what is in status makes no sense: fiscald repair leaves it out\n",
    });
    await box.keep(await startGateway(box.stateDir)).stop();
    const { code, out } = await run("repair");
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/\ncommands +0 +1 that made no sense\n/),
    ]);
  }));
