/** Another program puts back an older state with SQLite's own means, while the gateway runs on it. */

import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { openDatabase } from "#db/connection.ts";
import { quieten } from "./crash/run.ts";
import { ApiClient } from "./harness/gateway.ts";
import { executable } from "./harness/program.ts";
import { runToEnd } from "./harness/run-to-end.ts";
import { until } from "./harness/until.ts";
import type { World } from "./harness/world.ts";
import { accept, MODELS, receiptsOf, sellKeyed } from "./outages/restored.ts";
import {
  atFrame,
  COMPLETED,
  endOf,
  inWorld,
  resolve,
  run,
  sell,
  statusOf,
  submitSale,
  untilAlert,
} from "./outages/scene.ts";

const backupOf = ({ folder }: World): string => join(folder, "backup.db");

/** As `sqlite3 fiscald.db "VACUUM INTO 'backup.db'"`. */
function backUp(world: World): void {
  const database = new Database(world.database);
  database.run(`VACUUM INTO '${backupOf(world)}'`);
  database.close();
}

/**
 * As `sqlite3 fiscald.db ".restore backup.db"`. Where the gateway is writing at that moment, SQLite's
 * own means put back nothing, and the driver tells of that by the number of pages alone.
 */
async function restore(world: World): Promise<void> {
  const backup = openDatabase(backupOf(world));
  await until(
    "a moment in which nobody writes",
    async () => (await backup.sqlite.backup(world.database)).totalPages > 0,
  );
  backup.close();
}

/** Sells, backs up, sells again under a key. @returns the id of the second sale */
async function sellAround(world: World, key: string): Promise<string> {
  expect(endOf(await sell(world))).toEqual(COMPLETED);
  backUp(world);
  const { body } = await sellKeyed(world, key);
  expect(endOf(await world.till.wait(body.command.id))).toEqual(COMPLETED);
  return body.command.id;
}

describe.each(MODELS)("a backup restored beside the gateway, on $driver $model,", (options) => {
  test.concurrent("prints nothing again: nothing is taken on, and the next start holds the printer", () =>
    inWorld(options, async (world) => {
      const id = await sellAround(world, "sale-2");
      const printed = await receiptsOf(world);
      await restore(world);
      expect((await sellKeyed(world, "sale-2")).status).toBe(503);
      expect((await world.till.call("GET", `/commands/${id}`)).status).toBe(503);
      const health = await fetch(`${world.gateway.url}/health`);
      expect([health.status, await health.text()]).toEqual([
        503,
        expect.stringContaining("older state was put back"),
      ]);
      expect((await fetch(`${world.gateway.url}/ready`)).status).toBe(503);
      expect(world.gateway.output()).toContain("database lost");
      expect(await world.gateway.exited).toBe(3);

      await world.restartGateway();
      const { status, body } = await sellKeyed(world, "sale-2");
      expect(status).toBe(202);
      await untilAlert(world, "state_restored");
      expect((await run(world, "get_status")).status).toBe("completed");
      expect(await statusOf(world, body.command.id)).toBe("pending");
      expect(await receiptsOf(world)).toBe(printed);
      // It may repeat what was printed since: taken back, a person says which.
      await world.till.expect("DELETE", `/commands/${body.command.id}`);
      expect((await accept(world)).status).toBe(200);
      await resolve(world, body.command.id, { outcome: "printed" });
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      expect(await receiptsOf(world)).toBe(printed + 1);
    }));
});

describe("a backup restored beside the gateway", () => {
  test.concurrent("is noticed without any request", () =>
    inWorld({}, async (world) => {
      await sellAround(world, "sale-2");
      await restore(world);
      await until("the log to say so", () => world.gateway.output().includes("database lost"));
    }));

  test.concurrent("is noticed by whoever only reads, with a key as with a login", () =>
    inWorld({}, async (world) => {
      await sellAround(world, "sale-2");
      const owner = new ApiClient(world.gateway.url, world.ownerToken);
      await restore(world);
      expect((await owner.call("GET", "/commands")).status).toBe(503);
      expect((await world.till.call("GET", "/commands")).status).toBe(503);
    }));

  test.concurrent("is not what a till is told of that waits meanwhile", () =>
    inWorld({}, async (world) => {
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      backUp(world);
      const before = await world.printer.frames();
      await world.printer.fault({ kind: "hold", count: 1, at: 3 });
      const { id } = await submitSale(world);
      await until("the frame", async () => (await world.printer.frames()) >= before + 3);
      const told = world.till.call("GET", `/commands/${id}?wait=60`);
      // Most likely it waits by now; one that comes too late is told the same.
      expect(await statusOf(world, id)).toBe("processing");
      await restore(world);
      await until("the loss", () => world.gateway.output().includes("database lost"));
      expect((await told).status).toBe(503);
    }));

  test.concurrent("of a database that is none of fiscald's is noticed too", () =>
    inWorld({}, async (world) => {
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      const other = new Database(backupOf(world), { create: true });
      other.run("CREATE TABLE notes (text TEXT)");
      other.close();
      await restore(world);
      expect((await sellKeyed(world, "sale-2")).status).toBe(503);
      expect(world.gateway.output()).toContain("database lost");
    }));
});

describe("a receipt at the printer when a backup is restored", () => {
  // The answer that is held is that to the opening, to the payment and to the closing.
  test.concurrent.each([
    ["opening", 0],
    ["paid", 1],
    ["closing", 1],
  ] as const)(
    "is not printed again, held at its %s: the printer, which has %d, is held",
    (frame, count) =>
      inWorld({}, async (world) => {
        expect(endOf(await sell(world))).toEqual(COMPLETED);
        await quieten(world);
        backUp(world);
        const before = await world.printer.books();
        await world.printer.fault({ kind: "hold", count: 1, ...atFrame(frame) });
        const { id } = (await sellKeyed(world, "sale-2")).body.command;
        await until("the frame", () => world.printer.isHolding());
        await restore(world);
        await until("the loss", () => world.gateway.output().includes("database lost"));
        await world.printer.release();
        expect(await world.gateway.exited).toBe(3);
        await world.printer.clear();
        await world.restartGateway();
        expect((await world.till.call("GET", `/commands/${id}`)).status).toBe(404);
        const again = (await sellKeyed(world, "sale-2")).body.command.id;
        await untilAlert(world, "state_restored");
        expect((await run(world, "get_status")).status).toBe("completed");
        expect(await statusOf(world, again)).toBe("pending");
        const { receipts, openDocument } = await world.printer.books(before.documentNumber);
        expect([receipts.length, openDocument]).toEqual([count, null]);
      }),
  );
});

test.concurrent("the command line writes beside the gateway, which goes on", () =>
  inWorld({}, async (world) => {
    const program = await executable();
    const box = async (...args: string[]) => {
      const ended = await runToEnd([
        program,
        ...args,
        `--state-dir=${join(world.folder, "state")}`,
      ]);
      expect(ended).toMatchObject({ code: 0 });
    };
    for (const name of ["Second", "Third"]) {
      await box(
        ...["device", "add", `--name=${name}`, "--driver=vendorE.zfp", "--transport=tcp"],
        ...["--location=shop", "--host=127.0.0.1", `--port=${name === "Third" ? 9 : 10}`],
      );
      expect(endOf(await sell(world))).toEqual(COMPLETED);
    }
    await box("user", "list");
    expect((await fetch(`${world.gateway.url}/ready`)).status).toBe(200);
    expect(world.gateway.output()).not.toContain("database lost");
  }));
