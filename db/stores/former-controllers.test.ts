/** Who had a command before its controller now, and where its device was. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { acceptedCommand } from "#core/command/command.ts";
import { type Database, openDatabase } from "../connection.ts";
import { migrate } from "../migrate.ts";
import { createStores, type Stores } from "./index.ts";

let database: Database;
let stores: Stores;
beforeEach(() => {
  database = openDatabase(":memory:");
  migrate(database, 1);
  stores = createStores(database);
  stores.organizations.insert({
    ...{ id: "org", name: "Shop", currency: "RON", timezone: "UTC", plan: "free" },
    ...{ createdAt: 1, updatedAt: 1 },
  });
  stores.commands.insert(
    acceptedCommand({
      ...{ id: "cmd_1", orgId: "org", deviceId: "dev_1", type: "x_report", payload: {} },
      ...{ source: "api", createdAt: 1, expiresAt: 180_000, simulated: false },
    }),
  );
});
afterEach(() => database.close());

/** As it is kept, and as it stands on disk. */
const former = () => {
  const read = createStores(database).commands.get("org", "cmd_1")?.formerControllers;
  expect(read).toEqual(stores.commands.get("org", "cmd_1")?.formerControllers);
  return read;
};

test("are kept, the latest first, once each", () => {
  const { commands } = stores;
  commands.markSent("cmd_1", "one", 2);
  commands.handOver("cmd_1", "one");
  expect(former()).toEqual([]);
  commands.handOver("cmd_1", "two");
  expect(former()).toEqual(["one"]);
  commands.putBack("cmd_1", 3);
  commands.markSent("cmd_1", "one", 4);
  expect(former()).toEqual(["two", "one"]);
  commands.handOver("cmd_1", "three");
  expect(former()).toEqual(["one", "two"]);
  commands.finish("cmd_1", { status: "failed", result: { success: false }, now: 5 });
  // Asked what became of it.
  commands.noteFormer("cmd_1", "four");
  expect(former()).toEqual(["four", "one", "two"]);
});

test("are twenty at most: of a command that more have had it is not known who", () => {
  stores.commands.markSent("cmd_1", "first", 2);
  for (let count = 1; count <= 20; count += 1) stores.commands.handOver("cmd_1", `c${count}`);
  expect(former()).toHaveLength(20);
  stores.commands.handOver("cmd_1", "next");
  expect(former()).toBeNull();
});

test("stay unknown of a command that an older version accepted", () => {
  const { commands } = stores;
  commands.markSent("cmd_1", "one", 2);
  database.sqlite.exec("UPDATE commands SET former_controllers = NULL");
  stores = createStores(database);
  stores.commands.handOver("cmd_1", "two");
  stores.commands.noteFormer("cmd_1", "three");
  stores.commands.putBack("cmd_1", 3);
  expect(former()).toBeNull();
});

test("where its device was is kept, the latest twenty, once each", () => {
  const sockets = Array.from({ length: 21 }, (_, index) => `192.168.1.20:${9_100 + index}`);
  const again = "192.168.1.20:9105";
  for (const socket of [...sockets, again]) stores.commands.noteSentTo("cmd_1", socket);
  const latest = sockets
    .slice(1)
    .filter((socket) => socket !== again)
    .toReversed();
  for (const one of [stores, createStores(database)]) {
    expect(one.commands.get("org", "cmd_1")?.sentTo).toEqual([again, ...latest]);
  }
});
