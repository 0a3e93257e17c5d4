/**
 * The database's files go away under a running gateway. What was answered with 202 is kept, what
 * cannot be kept is answered with 503, and a receipt at the printer is still printed once.
 */

import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
} from "node:fs";
import { join } from "node:path";
import { rejection } from "../platform/testing/rejection.ts";
import { quieten } from "./crash/run.ts";
import { Box } from "./harness/box.ts";
import { ApiClient, type Gateway, registerShop, startGateway } from "./harness/gateway.ts";
import { until } from "./harness/until.ts";
import { World } from "./harness/world.ts";
import { atFrame, COMPLETED, endOf, notPrinted, sell, submitSale } from "./outages/scene.ts";

const COMMANDS = 20;

/** A gateway with commands that were answered and wait for a device that nobody drives. */
interface Scene {
  readonly folder: string;
  readonly stateDir: string;
  readonly file: string;
  readonly gateway: Gateway;
  readonly till: ApiClient;
  readonly deviceId: string;
  /** Ids of the commands that were answered. */
  readonly answered: string[];
  /** Starts another gateway on the state directory. */
  start(): Promise<Gateway>;
}

/** Runs a test in a scene of its own. */
async function inScene(use: (scene: Scene) => Promise<void>): Promise<void> {
  const box = new Box();
  const { folder, stateDir } = box;
  const start = async (): Promise<Gateway> => box.keep(await startGateway(stateDir));
  try {
    await use(await prepare({ folder, stateDir, start }));
  } finally {
    await box.clear();
  }
}

async function prepare(place: Pick<Scene, "folder" | "stateDir" | "start">): Promise<Scene> {
  const gateway = await place.start();
  const { till } = await registerShop(gateway.url);
  const { id } = await till.expect<{ id: string }>("POST", "/devices", {
    ...{ name: "Nobody's", driver: "vendorA.isl", transport: "tcp", locationId: "shop" },
    ...{ managedBy: "remote", connectionParams: { host: "127.0.0.1", port: 9 } },
  });
  const file = join(place.stateDir, "fiscald.db");
  const scene = { ...place, file, gateway, till, deviceId: id, answered: [] };
  for (let count = 0; count < COMMANDS; count++) await submit(scene);
  // A copy of the whole, as somebody might put back under the running gateway.
  const copy = new Database(file);
  copy.run(`VACUUM INTO '${join(place.folder, "backup.db")}'`);
  copy.close();
  for (let count = 0; count < COMMANDS; count++) await submit(scene);
  return scene;
}

/** Submits a command, and keeps its id where it was taken. @returns the status of the answer */
async function submit({ till, deviceId, answered }: Scene): Promise<number> {
  const { status, body } = await till.call<{ command: { id: string } }>("POST", "/commands", {
    body: { deviceId, type: "x_report", payload: {} },
  });
  if (status === 202) answered.push(body.command.id);
  return status;
}

/** Ids of all commands in a database file. */
function commandsIn(file: string): string[] {
  const database = new Database(file, { readonly: true });
  try {
    const rows = database.query<{ id: string }, []>("SELECT id FROM commands ORDER BY id").all();
    return rows.map(({ id }) => id);
  } finally {
    database.close();
  }
}

const HARM: Readonly<Record<string, (scene: Scene) => void>> = {
  "all its files removed": ({ file }) => {
    for (const part of ["", "-wal", "-shm"]) rmSync(`${file}${part}`);
  },
  "the database removed": ({ file }) => rmSync(file),
  "the database moved away": ({ file, folder }) => renameSync(file, join(folder, "moved.db")),
  "the whole directory removed": ({ stateDir }) => rmSync(stateDir, { recursive: true }),
  "the log removed": ({ file }) => rmSync(`${file}-wal`),
  "the index of the log removed": ({ file }) => rmSync(`${file}-shm`),
  "another database in its place": ({ file, folder }) =>
    renameSync(join(folder, "backup.db"), file),
  "another database written over it": ({ file, folder }) =>
    copyFileSync(join(folder, "backup.db"), file),
  "the database cut to nothing": ({ file }) => truncateSync(file),
  "the database cut by a page": ({ file }) => truncateSync(file, 8_192),
  "the log cut to nothing": ({ file }) => truncateSync(`${file}-wal`),
};
const CASES = Object.keys(HARM);

function harm(scene: Scene, name: string): void {
  HARM[name]?.(scene);
}

async function healthOf({ gateway }: Pick<Scene, "gateway">) {
  const answer = await fetch(`${gateway.url}/health`);
  const { status, checks } = (await answer.json()) as {
    status: string;
    checks: { database: { status: string; detail?: string } };
  };
  return { code: answer.status, status, database: checks.database };
}

/** The one file that the gateway has kept of a database. */
function rescuedOf({ stateDir }: Scene): string {
  const [name = "", ...others] = readdirSync(stateDir).filter((file) => /rescued/.test(file));
  expect(others).toEqual([]);
  return join(stateDir, name);
}

describe("with", () => {
  test.each(CASES)("%s, no command is taken and /health says so", (name) =>
    inScene(async (scene) => {
      expect(await healthOf(scene)).toMatchObject({ code: 200, database: { status: "ok" } });
      harm(scene, name);
      const before = scene.answered.length;
      expect(await submit(scene)).toBe(503);
      expect(await submit(scene)).toBe(503);
      expect(scene.answered).toHaveLength(before);
      expect(await healthOf(scene)).toMatchObject({
        code: 503,
        status: "failed",
        database: {
          ...{ status: "failed", detail: expect.stringContaining("database") },
          findings: [{ code: "database_lost", params: expect.anything() }],
        },
      });
      expect((await fetch(`${scene.gateway.url}/ready`)).status).toBe(503);
      expect((await fetch(`${scene.gateway.url}/livez`)).status).toBe(200);
      expect(scene.gateway.output()).toContain("database lost");
    }),
  );

  test.each(["the database removed", "the log removed", "another database written over it"])(
    "%s, it is noticed without any request",
    (name) =>
      inScene(async (scene) => {
        harm(scene, name);
        await until("the log to say so", () => scene.gateway.output().includes("database lost"));
      }),
  );
});

describe("after", () => {
  // They wait for the process to end: side by side.
  test.concurrent.each([
    "all its files removed",
    "the database removed",
    "the database moved away",
    "the whole directory removed",
    "the log removed",
    "the index of the log removed",
  ])("%s, the process ends with 3 and its next start has all that was answered", (name) =>
    inScene(async (scene) => {
      harm(scene, name);
      expect(await submit(scene)).toBe(503);
      expect(await scene.gateway.exited).toBe(3);
      const again = await scene.start();
      const till = new ApiClient(again.url, scene.till.credential);
      const kept = (await till.list()).map(({ id }) => id);
      // One that was answered with 503 may have been queued all the same.
      expect(kept.filter((id) => scene.answered.includes(id))).toEqual(scene.answered);
      expect(kept.length - scene.answered.length).toBeLessThanOrEqual(1);
      expect(await submit({ ...scene, till })).toBe(202);
      expect(await again.stop()).toBe(0);
      expect(readdirSync(scene.stateDir).filter((file) => /rescued/.test(file))).toEqual([]);
    }),
  );

  test.concurrent("a removal that leaves no room for the copy, the process waits until there is some", () =>
    inScene(async (scene) => {
      // In the way of the copy, as a full disk is.
      mkdirSync(`${scene.file}.rescued.part`);
      harm(scene, "the database removed");
      expect(await submit(scene)).toBe(503);
      await until("the failure", async () => {
        const { detail = "" } = (await healthOf(scene)).database;
        return detail.includes("do not end it");
      });
      rmSync(`${scene.file}.rescued.part`, { recursive: true });
      expect(await scene.gateway.exited).toBe(3);
      await scene.start();
      expect(commandsIn(scene.file)).toEqual(expect.arrayContaining(scene.answered));
    }));

  test("a removal behind a symbolic link, the next start has all of it too", () =>
    inScene(async (scene) => {
      await scene.gateway.stop();
      const disk = join(scene.folder, "disk.db");
      renameSync(scene.file, disk);
      symlinkSync(disk, scene.file);
      const linked = await scene.start();
      const till = new ApiClient(linked.url, scene.till.credential);
      expect(await submit({ ...scene, till })).toBe(202);
      rmSync(disk);
      expect(await submit({ ...scene, till })).toBe(503);
      expect(await linked.stop()).toBe(0);
      await scene.start();
      expect(commandsIn(scene.file)).toEqual(expect.arrayContaining(scene.answered));
    }));

  test("a removal, being asked to stop loses nothing either", () =>
    inScene(async (scene) => {
      harm(scene, "all its files removed");
      expect(await submit(scene)).toBe(503);
      expect(await scene.gateway.stop()).toBe(0);
      await scene.start();
      expect(commandsIn(scene.file)).toEqual(expect.arrayContaining(scene.answered));
    }));

  test("a removal, a database that a person has put there counts, and the copy is kept", () =>
    inScene(async (scene) => {
      harm(scene, "the database removed");
      expect(await submit(scene)).toBe(503);
      await scene.gateway.stop();
      for (const part of ["-wal", "-shm"]) rmSync(`${scene.file}${part}`);
      renameSync(join(scene.folder, "backup.db"), scene.file);
      await (await scene.start()).stop();
      expect(commandsIn(scene.file)).toEqual(scene.answered.slice(0, COMMANDS));
      const rescued = commandsIn(rescuedOf(scene));
      expect(rescued).toEqual(expect.arrayContaining(scene.answered));
    }));

  test("a replacement, what was answered is kept beside it, and a restart takes the other one", () =>
    inScene(async (scene) => {
      harm(scene, "another database in its place");
      expect(await submit(scene)).toBe(503);
      await until("the copy", async () => {
        const { detail = "" } = (await healthOf(scene)).database;
        return detail.includes("rescued-");
      });
      expect(await scene.gateway.stop()).toBe(0);
      const rescued = commandsIn(rescuedOf(scene));
      expect(rescued).toEqual(expect.arrayContaining(scene.answered));
      const again = await scene.start();
      const till = new ApiClient(again.url, scene.till.credential);
      const kept = (await till.list()).map(({ id }) => id);
      expect(kept).toEqual(scene.answered.slice(0, COMMANDS));
    }));

  test.each([
    "another database written over it",
    "the database cut to nothing",
    "the database cut by a page",
    "the log cut to nothing",
  ])("%s, no later start works on it before a person has looked", (name) =>
    inScene(async (scene) => {
      harm(scene, name);
      expect(await submit(scene)).toBe(503);
      await until("the note", () => existsSync(`${scene.file}.damaged`));
      expect(await scene.gateway.stop()).toBe(0);
      expect((await rejection(scene.start())).message).toContain("fiscald.db.damaged");

      for (const part of ["", "-wal", "-shm", ".damaged"]) {
        rmSync(`${scene.file}${part}`, { force: true });
      }
      copyFileSync(join(scene.folder, "backup.db"), scene.file);
      await scene.start();
      expect(commandsIn(scene.file)).toEqual(scene.answered.slice(0, COMMANDS));
    }),
  );

  test("being killed with the database cut to nothing, its log is not thrown away", () =>
    inScene(async (scene) => {
      await scene.gateway.kill();
      truncateSync(scene.file);
      // The one by the log, the other by the reserve, where that was made before the kill.
      expect((await rejection(scene.start())).message).toMatch(/cut to nothing|is empty/);
      expect(existsSync(`${scene.file}-wal`)).toBe(true);
    }));
});

describe("other programs may", () => {
  test("read, write and checkpoint the database, and the gateway goes on", () =>
    inScene(async (scene) => {
      const other = new Database(scene.file);
      // The gateway writes by itself too, while it has answered.
      other.run("PRAGMA busy_timeout = 5000");
      for (const mode of ["PASSIVE", "FULL", "RESTART", "TRUNCATE"]) {
        expect(await submit(scene)).toBe(202);
        other.run("CREATE TABLE IF NOT EXISTS other (text TEXT)");
        other.run("INSERT INTO other VALUES (hex(randomblob(100000)))");
        other.run(`PRAGMA wal_checkpoint(${mode})`);
        expect(await submit(scene)).toBe(202);
        expect(await healthOf(scene)).toMatchObject({ database: { status: "ok" } });
      }
      other.run("DROP TABLE other");
      other.run("VACUUM");
      other.close();
      for (let count = 0; count < COMMANDS; count++) expect(await submit(scene)).toBe(202);
      expect(await healthOf(scene)).toMatchObject({ database: { status: "ok" } });
      expect(await scene.gateway.stop()).toBe(0);
      expect(commandsIn(scene.file)).toEqual(scene.answered);
    }));
});

describe("a receipt at the printer when the database is removed", () => {
  // The answer that is held is that to the opening, to the payment and to the closing.
  test.concurrent.each([
    ["opening", notPrinted("E102"), 0],
    ["paid", COMPLETED, 1],
    ["closing", COMPLETED, 1],
  ] as const)(
    "is printed once or not at all, held at its %s, and the next start knows",
    async (frame, end, count) => {
      const world = await World.open();
      try {
        expect(endOf(await sell(world))).toEqual(COMPLETED);
        await quieten(world);
        const before = await world.printer.books();
        await world.printer.fault({ kind: "hold", count: 1, ...atFrame(frame) });
        const { id } = await submitSale(world);
        await until("the frame", () => world.printer.isHolding());
        for (const part of ["", "-wal", "-shm"]) rmSync(`${world.database}${part}`);
        await until("the loss", () => world.gateway.output().includes("database lost"));
        await world.printer.release();
        expect(await world.gateway.exited).toBe(3);
        await world.printer.clear();
        await world.restartGateway();
        const command = await world.till.wait(id);
        expect(endOf(command)).toEqual(end);
        const { receipts, openDocument } = await world.printer.books(before.documentNumber);
        expect([receipts.length, openDocument]).toEqual([count, null]);
      } finally {
        await world.close();
      }
    },
  );
});
