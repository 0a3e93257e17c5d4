/** A database that is not whole: nobody works on it, the last backup is named, the rest is saved. */

import type { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { startsFile } from "../config/state-files.ts";
import { startGateway } from "./harness/gateway.ts";
import { spoilPage } from "./harness/spoil-pages.ts";
import { inStoppedShop, withDatabase } from "./harness/stopped-shop.ts";
import { until } from "./harness/until.ts";

const PAGE_BYTES = 4_096;
const ROWS = 400;

/** Overwrites the beginning of the page that holds a text. */
function spoilPageOf(file: string, text: string): void {
  const at = readFileSync(file).indexOf(text);
  expect(at).toBeGreaterThan(0);
  const descriptor = openSync(file, "r+");
  writeSync(descriptor, Buffer.alloc(8, 0xff), 0, 8, at - (at % PAGE_BYTES));
  closeSync(descriptor);
}

const entries = (database: Database): number =>
  database.query<{ n: number }, []>("SELECT count(*) AS n FROM audit_entries").get()?.n ?? 0;

test.concurrent("a damaged database is refused with the last backup by name, and repaired", () =>
  inStoppedShop(async ({ box, file, run }) => {
    const before = withDatabase(file, (database) => {
      addEntries(database);
      return entries(database);
    });
    const passphrase = join(box.folder, "passphrase");
    writeFileSync(passphrase, "a passphrase for tests\n");
    const words = ["--backup-passphrase-file", passphrase, "--backup-work-factor", "10"];
    const { out: backup } = await run("backup", ...words);

    spoilPageOf(file, `entry-${ROWS / 2}-x`);
    const refused = await run("serve", "--http-listen", "127.0.0.1:0");
    expect([refused.code, refused.err]).toEqual([3, expect.stringContaining("is damaged")]);
    expect(refused.err).toContain(backup.trim());
    // Whoever looks without a gateway is not sent to the start that refuses it.
    const status = await run("status");
    expect([status.code, status.err]).toEqual([3, expect.stringContaining("is damaged")]);
    for (const told of [backup.trim(), "fiscald repair"]) expect(status.err).toContain(told);
    expect((await run("check")).code).toBe(1);
    expect(await run("backup", ...words)).toMatchObject({ code: 3, out: "" });

    const { out, err, code } = await run("repair");
    expect([code, err]).toEqual([1, "fiscald: repaired; something was lost\n"]);
    expect(out).toMatch(/\naudit_entries +\d+ +up to \d+ after row \d+\n/);
    expect(out).toMatch(/\norganizations +1 +nothing\n/);
    const left = withDatabase(file, entries);
    expect(left).toBeLessThan(before);
    expect(left).toBeGreaterThan(before - 40);
    // The next start takes it for a state that was put back.
    expect(existsSync(startsFile(box.stateDir))).toBe(false);
    expect(await run("check")).toMatchObject({ code: 0, out: "the database is whole\n" });
    const gateway = box.keep(await startGateway(box.stateDir));
    expect(gateway.output()).toContain("the state was put back from a copy");
  }));

function addEntries(database: Database): void {
  const insert = database.query(
    "INSERT INTO audit_entries (org_id, at, actor, action, resource, details) SELECT id, 1, 'box', 'x', 'x', json_object('text', ?) FROM organizations",
  );
  for (let row = 0; row < ROWS; row += 1) insert.run(`entry-${row}-${"x".repeat(200)}`);
}

/** The rows of each table, but for those that are written as the gateway starts. */
const rowsIn = (database: Database): Record<string, number> => {
  const names = database.query<{ name: string }, []>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
  );
  const count = (name: string) =>
    database.query<{ n: number }, []>(`SELECT count(*) AS n FROM "${name}"`).get()?.n ?? 0;
  return Object.fromEntries(names.all().map(({ name }) => [name, count(name)]));
};

test.concurrent.each([
  ["as it was made", "PRAGMA optimize"],
  ["whose tables lie elsewhere than in a new one", "VACUUM"],
])("damage of the list of tables, page by page, costs no row of a database %s", (_, change) =>
  inStoppedShop(async ({ box, file, run }) => {
    withDatabase(file, (database) => {
      addEntries(database);
      database.run(
        "INSERT INTO receipts (id, org_id, device_id, type, issued_at, currency, items, subtotal_modifiers, payments, total_minor, source, created_at) SELECT 'r-' || seq, org_id, 'd', 'sale', 1, 'EUR', '[]', '[]', '[]', 100, 'api', 1 FROM audit_entries",
      );
      database.run(change);
    });
    const before = withDatabase(file, rowsIn);
    const pages = withDatabase(file, (database) =>
      database
        .query<{ pageno: number }, []>("SELECT pageno FROM dbstat WHERE name = 'sqlite_schema'")
        .all()
        .map(({ pageno }) => pageno),
    );
    expect(pages.length).toBeGreaterThan(4);
    const whole = join(box.folder, "whole.db");
    copyFileSync(file, whole);
    for (const page of pages) {
      copyFileSync(whole, file);
      spoilPage(file, page);
      expect((await run("serve", "--http-listen", "127.0.0.1:0")).code).toBe(3);
      const { out, code, err } = await run("repair", "--json");
      expect([page, code, err]).toEqual([page, 0, ""]);
      // The repair itself notes that it was one.
      const { appliance_values: values = 0 } = before;
      const noted = { ...before, appliance_values: values + 1 };
      expect(withDatabase(file, rowsIn)).toEqual(noted);
      expect(JSON.parse(out).orphans).toEqual({});
    }
    await startGateway(box.stateDir).then((gateway) => box.keep(gateway));
  }),
);

test.concurrent("a database of which nothing can be read is told without going round in circles", () =>
  inStoppedShop(async ({ file, run }) => {
    writeFileSync(file, Buffer.alloc(40 * PAGE_BYTES, 0xff));
    const { code, err } = await run("repair");
    expect([code, err]).toEqual([3, expect.stringContaining("no backup is known here")]);
    expect(err).not.toContain("fiscald repair");
    const list = await run("device", "list");
    expect([list.code, list.err]).toEqual([3, expect.stringContaining("fiscald repair")]);
    expect((await run("doctor")).out).toContain("or save what is left: ");
  }));

test.concurrent("a large database is checked beside the work, which ends when it is damaged", () =>
  inStoppedShop(async ({ box, file, run }) => {
    withDatabase(file, (database) => {
      database.run("CREATE TABLE ballast (content)");
      const middle = "zeroblob(12000000) || 'spoil me' || zeroblob(12000000)";
      const rows = ["'first'", middle, "zeroblob(12000000)", "'last'"];
      database.run(`INSERT INTO ballast VALUES (${rows.join("), (")})`);
    });
    const whole = box.keep(await startGateway(box.stateDir));
    await until("the check", () => whole.output().includes("the database is whole"));
    await whole.stop();

    spoilPageOf(file, "spoil me");
    const gateway = box.keep(await startGateway(box.stateDir));
    const { detail } = await until("what is wrong", async () => {
      const health = await (await fetch(`${gateway.url}/health`)).json();
      const { database } = (health as Health).checks;
      return database.status === "failed" && database;
    });
    expect(detail).toContain("the database is damaged");
    expect((await fetch(`${gateway.url}/ready`)).status).toBe(503);
    await until("the note", () => existsSync(`${file}.damaged`));
    await gateway.kill();
    expect(await run("serve", "--http-listen", "127.0.0.1:0")).toMatchObject({ code: 3 });
    // The rest of the shop is whole.
    expect((await run("repair")).code).toBe(0);
    expect(existsSync(`${file}.damaged`)).toBe(false);
  }));

interface Health {
  readonly checks: { readonly database: { readonly status: string; readonly detail?: string } };
}
