/** A database that is whole to SQLite, but lacks a table or a column of ours: it is damaged. */

import { expect, test } from "bun:test";
import { copyFileSync, existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MIGRATIONS } from "#db/migrations/index.ts";
import { registerDevice, type ShownCommand, startGateway } from "./harness/gateway.ts";
import { executable } from "./harness/program.ts";
import { runToEnd } from "./harness/run-to-end.ts";
import { spoilRootPage } from "./harness/spoil-pages.ts";
import { inStoppedShop, type StoppedShop, withDatabase } from "./harness/stopped-shop.ts";
import { until } from "./harness/until.ts";
import { accept, receiptsOf, sellKeyed } from "./outages/restored.ts";
import {
  COMPLETED,
  endOf,
  inWorld,
  resolve,
  run as runCommand,
  statusOf,
  untilAlert,
  untilNoAlert,
} from "./outages/scene.ts";

const ADDRESS = ["--http-listen", "127.0.0.1:0"];

/** Words for a backup that takes little time. */
function backupWords({ box }: StoppedShop): string[] {
  const passphrase = join(box.folder, "passphrase");
  writeFileSync(passphrase, "a passphrase for tests\n");
  return ["--backup-passphrase-file", passphrase, "--backup-work-factor", "10"];
}

interface Finding {
  readonly about: string;
  readonly state: string;
  readonly text: string;
  readonly cure?: string;
}

async function databaseFindings({ run }: StoppedShop): Promise<Finding[]> {
  const { out } = await run("doctor", "--json");
  const findings: Finding[] = JSON.parse(out);
  return findings.filter(({ about }) => about === "Database");
}

test.concurrent.each([
  ["DROP TABLE receipts", "the table receipts is missing"],
  ["DROP TABLE appliance_values", "the table appliance_values is missing"],
  ["DROP TABLE closings", "the table closings is missing"],
  ["DROP TABLE schema_migrations", "the table schema_migrations is missing"],
  ["ALTER TABLE users DROP COLUMN active", "the table users lacks the column active"],
  [
    "UPDATE schema_migrations SET hash = 'x' WHERE position = 2",
    `what the database notes of its migration ${MIGRATIONS[1]?.name} is damaged`,
  ],
])("nobody works on it after %s, and the last good backup is named", (statement, fault) =>
  inStoppedShop(async (shop) => {
    const { box, file, run } = shop;
    const words = backupWords(shop);
    const backup = (await run("backup", ...words)).out.trim();
    withDatabase(file, (database) => database.run(statement));

    const putBack = new RegExp(`/?\\S+ restore ${backup} --state-dir ${box.stateDir}`);
    const saved = new RegExp(`repair --state-dir ${box.stateDir} saves what can be read`);
    const checked = await run("check");
    expect([checked.code, checked.out]).toEqual([1, `${fault}\n`]);
    for (const { err } of [checked, await run("serve", ...ADDRESS), await run("migrate")]) {
      expect(err).toContain("fiscald.db is damaged; the last good backup is of");
      expect(err).toMatch(putBack);
      expect(err).toMatch(saved);
    }
    const served = await run("serve", ...ADDRESS);
    expect([served.code, served.err]).toEqual([3, expect.stringContaining(fault)]);

    const kept = readdirSync(join(box.stateDir, "backups"));
    const again = await run("backup", ...words);
    expect([again.code, again.err]).toEqual([
      3,
      expect.stringContaining(`no backup was made: the database is damaged: ${fault}`),
    ]);
    expect(readdirSync(join(box.stateDir, "backups"))).toEqual(kept);

    expect(await databaseFindings(shop)).toEqual([
      {
        ...{ about: "Database", state: "error", text: fault },
        cure: expect.stringContaining(` restore ${backup} --state-dir`),
      },
    ]);
  }),
);

test.concurrent("a copy of it is not restored, and nothing stays behind in an empty place", () =>
  inStoppedShop(async ({ box, file }) => {
    const copy = join(box.folder, "copy.db");
    copyFileSync(file, copy);
    withDatabase(copy, (database) => database.run("DROP TABLE guesses"));
    const program = await executable();
    const place = join(box.folder, "place");
    const restored = await runToEnd([program, "restore", copy, "--state-dir", place]);
    expect([restored.code, restored.err]).toEqual([
      2,
      expect.stringContaining(
        `nothing was restored: ${copy} is damaged: the table guesses is missing`,
      ),
    ]);
    expect(existsSync(place)).toBe(false);
  }));

test.concurrent("a repair says that the table is lost, and which columns", () =>
  inStoppedShop(async ({ file, run }) => {
    withDatabase(file, (database) => {
      database.run("DROP TABLE receipts");
      database.run("ALTER TABLE users DROP COLUMN active");
    });
    const { code, out } = await run("repair");
    expect(code).toBe(1);
    expect(out).toMatch(/\nreceipts +0 +all, nobody knows how many\n/);
    expect(out).toMatch(/\nusers +0 +1 that made no sense; of each row active\n/);
    expect(out).toMatch(/\norganizations +1 +nothing\n/);
    expect(await run("check")).toMatchObject({ code: 0, out: "the database is whole\n" });
  }));

test.concurrent.each(["hash", "name"])("a repair mends a damaged %s of a migration", (column) =>
  inStoppedShop(async ({ file, run }) => {
    withDatabase(file, (database) =>
      database.run(`UPDATE schema_migrations SET ${column} = 'x' WHERE position = 2`),
    );
    const { code, out } = await run("repair");
    expect(out).toMatch(/\norganizations +1 +nothing\n/);
    expect(code).toBe(0);
    expect(await run("check")).toMatchObject({ code: 0, out: "the database is whole\n" });
  }),
);

test.concurrent("a gateway that runs says so, and takes nothing on", () =>
  inStoppedShop(async ({ box, file, run }) => {
    const gateway = box.keep(await startGateway(box.stateDir));
    withDatabase(file, (database) => database.run("DROP TABLE closings"));
    const detail = await until("what is wrong", async () => {
      const health = await (await fetch(`${gateway.url}/health`)).json();
      const { database } = (health as Health).checks;
      return database.status === "failed" && database.detail;
    });
    expect(detail).toContain("the database is damaged");
    expect(gateway.output()).toContain("the table closings is missing");
    expect((await fetch(`${gateway.url}/ready`)).status).toBe(503);
    await until("the note", () => existsSync(`${file}.damaged`));
    await gateway.kill();
    expect(await run("serve", ...ADDRESS)).toMatchObject({ code: 3 });
  }));

interface Health {
  readonly checks: { readonly database: { readonly status: string; readonly detail?: string } };
}

test.concurrent("what a start mends is told by check and doctor, in one line each", () =>
  inStoppedShop(async (shop) => {
    const { box, file, run } = shop;
    withDatabase(file, (database) => {
      database.run("CREATE TRIGGER evil AFTER INSERT ON receipts BEGIN DELETE FROM receipts; END");
      database.run("DROP INDEX commands_by_device");
    });
    expect(await run("check")).toMatchObject({
      code: 0,
      out:
        "the database is whole\n" +
        "what fiscald has not made: trigger evil: the next start removes it\n" +
        "what fiscald makes is gone: index commands_by_device: the next start makes it anew\n",
    });
    const cure = (what: string) =>
      expect.stringMatching(new RegExp(`^the next start ${what}: \\S+ .*serve `));
    expect(await databaseFindings(shop)).toEqual([
      {
        ...{ about: "Database", state: "warning", text: "what fiscald has not made: trigger evil" },
        cure: cure("removes it"),
      },
      {
        ...{ about: "Database", state: "warning" },
        text: "what fiscald makes is gone: index commands_by_device",
        cure: cure("makes it anew"),
      },
    ]);
    await box.keep(await startGateway(box.stateDir)).stop();
    expect(await databaseFindings(shop)).toMatchObject([{ state: "ok" }]);
  }));

/** What became of a table. */
const LOSSES = {
  dropped(file: string, table: string): void {
    withDatabase(file, (database) => {
      database.run("PRAGMA foreign_keys = OFF");
      database.run(`DROP TABLE ${table}`);
    });
  },
  overwritten: spoilRootPage,
};

test.concurrent.each([
  ["idempotency_keys", "dropped"],
  ["commands", "dropped"],
  ["receipts", "dropped"],
  // Counted time, by which keys end, and what tells the next start that the state was repaired.
  ["appliance_values", "dropped"],
  ["appliance_values", "overwritten"],
] as const)(
  "after a repair without %s, %s, a till's repeat prints nothing before an owner accepts that",
  (table, loss) =>
    inWorld({}, async (world) => {
      const first = await sellKeyed(world, "sale-1");
      expect(endOf(await world.till.wait(first.body.command.id))).toEqual(COMPLETED);
      const printed = await receiptsOf(world);
      await world.killGateway();
      const state = join(world.folder, "state");
      // Folds the log of the gateway that was killed into it.
      withDatabase(join(state, "fiscald.db"), () => undefined);
      LOSSES[loss](join(state, "fiscald.db"), table);
      const repaired = await runToEnd([await executable(), "repair", "--state-dir", state]);
      expect([repaired.code, repaired.out]).toEqual([
        1,
        expect.stringContaining("held in any case"),
      ]);
      await world.restartGateway();

      await untilAlert(world, "state_restored");
      const again = await sellKeyed(world, "sale-1");
      expect((await runCommand(world, "get_status")).status).toBe("completed");
      // What is known of the key is answered as before.
      if (again.body.command.id !== first.body.command.id) {
        expect(await statusOf(world, again.body.command.id)).toBe("pending");
      }
      const accepted = await runToEnd([
        ...[await executable(), "device", "accept", world.deviceId, "--state-dir", state],
      ]);
      expect(accepted).toMatchObject({ code: 0, err: "" });
      expect((await runCommand(world, "get_status")).status).toBe("completed");
      expect(await receiptsOf(world)).toBe(printed);
      if (again.body.command.id === first.body.command.id) return;
      // That the printer has stood still since says nothing of a sale that it had printed before.
      expect((await runCommand(world, "get_status")).status).toBe("completed");
      const { id } = again.body.command;
      const path = `/commands/${id}`;
      const { command } = await world.till.expect<{ command: ShownCommand }>("GET", path);
      expect(command.resolution?.outcome).toBeNull();
      await resolve(world, id, { outcome: "printed" });
    }),
);

test.concurrent("a repair that lost the count of starts has the printers asked all the same", () =>
  inWorld({}, async (world) => {
    const file = join(world.folder, "state/fiscald.db");
    await world.killGateway();
    // The copy of an older day, which knows nothing of what is sold behind it.
    withDatabase(file, (database) => database.run("PRAGMA wal_checkpoint(TRUNCATE)"));
    copyFileSync(file, `${world.folder}/older.db`);
    await world.restartGateway();
    const first = await sellKeyed(world, "sale-1");
    expect(endOf(await world.till.wait(first.body.command.id))).toEqual(COMPLETED);
    const printed = await receiptsOf(world);
    await world.killGateway();
    for (const part of ["-wal", "-shm"]) rmSync(`${file}${part}`, { force: true });
    copyFileSync(`${world.folder}/older.db`, file);
    withDatabase(file, (database) => database.run("DROP TABLE appliance_values"));
    const repaired = await runToEnd([
      ...[await executable(), "repair", "--state-dir", join(world.folder, "state")],
    ]);
    expect(repaired.code).toBe(1);
    await world.restartGateway();

    await untilAlert(world, "state_restored");
    const again = await sellKeyed(world, "sale-1");
    expect((await runCommand(world, "get_status")).status).toBe("completed");
    expect(await statusOf(world, again.body.command.id)).toBe("pending");
    expect(await receiptsOf(world)).toBe(printed);
  }));

test.concurrent.each([
  ["devices, idempotency_keys", ["devices", "idempotency_keys"]],
  ["devices, commands, receipts", ["devices", "commands", "receipts"]],
  ["idempotency_keys, the record deleted", ["idempotency_keys"]],
])(
  "a printer that is registered behind a repair without %s is held until an owner accepts that",
  (_, tables) =>
    inWorld({}, async (world) => {
      const first = await sellKeyed(world, "sale-1");
      expect(endOf(await world.till.wait(first.body.command.id))).toEqual(COMPLETED);
      const printed = await receiptsOf(world);
      if (!tables.includes("devices"))
        await world.till.call("DELETE", `/devices/${world.deviceId}`);
      await world.killGateway();
      const state = join(world.folder, "state");
      withDatabase(join(state, "fiscald.db"), (database) => {
        database.run("PRAGMA foreign_keys = OFF");
        for (const table of tables) database.run(`DROP TABLE ${table}`);
      });
      const repaired = await runToEnd([await executable(), "repair", "--state-dir", state]);
      expect(repaired.code).toBe(1);
      expect(repaired.out.replaceAll(/\s+/g, " ")).toContain(
        "What is lost may be what keeps a receipt from being printed again: each printer that is " +
          "registered in the next seven days is held.",
      );
      await world.restartGateway();

      const { host, port } = world.printer;
      world.deviceId = await registerDevice(world.till, { driver: "vendorA.isl", host, port });
      await untilAlert(world, "state_restored");
      const again = await sellKeyed(world, "sale-1");
      expect((await runCommand(world, "get_status")).status).toBe("completed");
      if (tables.includes("idempotency_keys")) {
        expect(await statusOf(world, again.body.command.id)).toBe("pending");
      }
      expect(await receiptsOf(world)).toBe(printed);

      expect((await accept(world)).status).toBe(200);
      await untilNoAlert(world, "state_restored");
      expect((await runCommand(world, "get_status")).status).toBe("completed");
      expect(await receiptsOf(world)).toBe(printed);
    }),
);
