/** Databases that hold what fiscald has not made, as a trigger that deletes receipts. */

import { Database } from "bun:sqlite";
import { beforeAll, expect, test } from "bun:test";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Box } from "./harness/box.ts";
import { startGateway } from "./harness/gateway.ts";
import { executable } from "./harness/program.ts";
import { runToEnd } from "./harness/run-to-end.ts";

let program: string;
beforeAll(async () => {
  program = await executable();
});

const TRIGGER =
  "CREATE TRIGGER evil AFTER INSERT ON commands BEGIN DELETE FROM receipts; DELETE FROM commands; END";
const ACTING = [
  TRIGGER,
  "CREATE VIEW seen AS SELECT * FROM users",
  "CREATE UNIQUE INDEX one_only ON commands (org_id)",
];
const ALL = [
  ...ACTING,
  'CREATE TABLE "a ""table" (x UNIQUE)',
  "CREATE VIRTUAL TABLE found USING fts5 (x)",
  // Of Litestream, and of SQLite.
  "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)",
  "ANALYZE",
];

/** @param use gets a state directory with the database of a new shop, which nobody works on */
async function inBox(use: (stateDir: string, run: Run, box: Box) => Promise<void>): Promise<void> {
  const box = new Box();
  const run: Run = (...words) => runToEnd([program, ...words, "--state-dir", box.stateDir]);
  try {
    expect((await run("migrate")).code).toBe(0);
    await use(box.stateDir, run, box);
  } finally {
    await box.clear();
  }
}
type Run = (...words: readonly string[]) => ReturnType<typeof runToEnd>;

function change(file: string, statements: readonly string[]): void {
  const database = new Database(file);
  for (const statement of statements) database.run(statement);
  database.close();
}

function namesIn(file: string): string[] {
  const database = new Database(file);
  const select = "SELECT type || ' ' || name AS text FROM sqlite_schema ORDER BY 1";
  const rows = database.query<{ text: string }, []>(select).all();
  database.close();
  return rows.map(({ text }) => text);
}

test.concurrent("a restore leaves it out, and says so", () =>
  inBox(async (stateDir, run) => {
    const [file, copy] = [join(stateDir, "fiscald.db"), join(stateDir, "..", "copy.db")];
    const own = namesIn(file);
    change(file, ["PRAGMA wal_checkpoint(TRUNCATE)"]);
    copyFileSync(file, copy);
    change(copy, ALL);
    const { code, out } = await run("restore", copy);
    expect(code).toBe(1);
    const told = out.replaceAll(/\s+/g, " ");
    expect(told).toContain("- The database held what fiscald does not make");
    expect(told).toContain('trigger evil, view seen, index one_only, table found, table a "table');
    const litestream = "table _litestream_seq";
    const left = namesIn(file).filter((name) => !/^table sqlite_stat\d$/.test(name));
    expect(left).toEqual([...own, litestream].sort());
  }));

test.concurrent("a database that is none of fiscald is not restored", () =>
  inBox(async (stateDir, run) => {
    const other = join(stateDir, "..", "other.db");
    change(other, ["CREATE TABLE places (x)"]);
    const { code, err } = await run("restore", other);
    expect([code, err]).toEqual([2, expect.stringContaining("the database is none of fiscald")]);
  }));

test.concurrent("a start removes what acts there, and logs it; a table with data stays", () =>
  inBox(async (stateDir, _, box) => {
    const file = join(stateDir, "fiscald.db");
    const own = namesIn(file);
    change(file, [...ACTING, "CREATE TABLE notes (x)"]);
    const gateway = box.keep(await startGateway(stateDir));
    expect(gateway.output()).toContain('"removed":["trigger evil","view seen","index one_only"]');
    await gateway.kill();
    expect(namesIn(file)).toEqual([...own, "table notes"].sort());
  }));

test.concurrent("fiscald migrate does the same", () =>
  inBox(async (stateDir, run) => {
    const file = join(stateDir, "fiscald.db");
    const own = namesIn(file);
    change(file, [TRIGGER]);
    const { out } = await run("migrate");
    expect(out).toContain("removed the trigger evil, which fiscald has not made");
    expect(namesIn(file)).toEqual(own);
  }));

test.concurrent("a repair brings none of it along", () =>
  inBox(async (stateDir, run) => {
    const file = join(stateDir, "fiscald.db");
    const own = namesIn(file);
    change(file, ALL);
    await run("repair");
    expect(namesIn(file)).toEqual(own);
  }));

const INDEX = "commands_by_device";
/** Names of our own, with other texts. */
const ALTERED = [
  `DROP INDEX ${INDEX}`,
  `CREATE INDEX ${INDEX} ON commands (status) WHERE status = 'x'`,
  "ALTER TABLE commands ADD evil text CHECK (evil IS NULL)",
];

function textOf(file: string, name: string): string {
  const database = new Database(file);
  const select = database.query<{ sql: string }, [string]>(
    "SELECT sql FROM sqlite_schema WHERE name = ?",
  );
  const text = select.get(name)?.sql ?? "";
  database.close();
  return text;
}

test.concurrent("a restore makes an index of our own anew, and tells tables that are not as we make them", () =>
  inBox(async (stateDir, run) => {
    const [file, copy] = [join(stateDir, "fiscald.db"), join(stateDir, "..", "copy.db")];
    const own = [INDEX, "commands"].map((name) => textOf(file, name));
    change(file, ["PRAGMA wal_checkpoint(TRUNCATE)"]);
    copyFileSync(file, copy);
    change(copy, ALTERED);
    const { code, out } = await run("restore", copy);
    expect(code).toBe(1);
    const told = out.replaceAll(/\s+/g, " ");
    expect(told).toContain(`it was left out: altered index ${INDEX}.`);
    expect(told).toContain("what fiscald makes otherwise: table commands.");
    expect(textOf(file, INDEX)).toBe(own[0] ?? "");
    expect((await run("repair")).code).toBe(0);
    expect([INDEX, "commands"].map((name) => textOf(file, name))).toEqual(own);
  }));

test.concurrent("a start does the same, and so do migrate and doctor", () =>
  inBox(async (stateDir, run, box) => {
    const file = join(stateDir, "fiscald.db");
    const own = textOf(file, INDEX);
    change(file, ALTERED);
    const repair = expect.stringContaining("repair --state-dir");
    const migrated = await run("migrate");
    expect(migrated.out).toContain(
      `removed the altered index ${INDEX}, which fiscald has not made`,
    );
    expect(migrated.out).toMatch(/the table commands is not as fiscald makes it: \S+ repair /);
    const { out } = await run("doctor", "--json");
    expect(JSON.parse(out)).toContainEqual(
      expect.objectContaining({
        ...{ about: "Database", text: "what fiscald makes otherwise: table commands" },
        cure: repair,
      }),
    );
    change(file, ALTERED.slice(0, 2));
    const gateway = box.keep(await startGateway(stateDir));
    expect(gateway.output()).toContain(`"removed":["altered index ${INDEX}"]`);
    expect(gateway.output()).toContain('"altered":["table commands"]');
    await gateway.kill();
    expect(textOf(file, INDEX)).toBe(own);
  }));

test.concurrent("other marks around names in our own texts, as SQLite sets them, change nothing", () =>
  inBox(async (stateDir, run) => {
    const file = join(stateDir, "fiscald.db");
    const own = [INDEX, "commands"].map((name) => textOf(file, name));
    change(file, ["ALTER TABLE commands RENAME TO c", "ALTER TABLE c RENAME TO commands"]);
    const rewritten = [INDEX, "commands"].map((name) => textOf(file, name));
    expect(rewritten).not.toEqual(own);
    expect((await run("migrate")).out).toBe("the database is up to date\n");
    expect([INDEX, "commands"].map((name) => textOf(file, name))).toEqual(rewritten);
  }));

test.concurrent("indexes of our own that are gone are made anew, where what the tables hold lets them", () =>
  inBox(async (stateDir, run, box) => {
    const file = join(stateDir, "fiscald.db");
    const own = namesIn(file);
    change(file, [`DROP INDEX ${INDEX}`, "DROP INDEX reports_by_id"]);
    const gateway = box.keep(await startGateway(stateDir));
    expect(gateway.output()).toContain(`"remade":["index ${INDEX}","index reports_by_id"]`);
    await gateway.kill();
    expect(namesIn(file)).toEqual(own);

    const twice = ["A", "B"].map(
      (id) => `INSERT INTO users VALUES (${valuesOf(file, "users", { id, email: "a@b" })})`,
    );
    change(file, ["DROP INDEX users_email_unique", `DROP INDEX ${INDEX}`, ...twice]);
    const migrated = await run("migrate");
    expect(migrated.code).toBe(0);
    expect(migrated.out).toContain(`made the index ${INDEX} anew, which was gone`);
    expect(migrated.out).toMatch(
      /the index users_email_unique is not as fiscald makes it: \S+ repair /,
    );
    expect(namesIn(file)).toEqual(own.filter((name) => name !== "index users_email_unique"));
  }));

test.concurrent("the folder where a command is typed is no matter, whatever is in it", () =>
  inBox(async (stateDir, _, box) => {
    // Named as what is no file at all to SQLite; the folder may also be one that nobody may read.
    writeFileSync(join(box.folder, ":memory:.damaged"), "");
    const command = [program, "migrate", "--state-dir", stateDir];
    const { code, out } = await runToEnd(command, { cwd: box.folder });
    expect([code, out]).toEqual([0, "the database is up to date\n"]);
  }));

/** A row of a table, empty but for what is said. */
function valuesOf(file: string, table: string, said: Readonly<Record<string, string>>): string {
  const database = new Database(file);
  const columns = database.query<{ name: string }, []>(`PRAGMA table_info(${table})`).all();
  database.close();
  return columns.map(({ name }) => `'${said[name] ?? ""}'`).join(", ");
}
