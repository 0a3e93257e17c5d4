import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type Database, openDatabase } from "./connection.ts";
import { Writer } from "./writer.ts";

let database: Database;
let writer: Writer;

beforeEach(() => {
  database = openDatabase(":memory:");
  database.sqlite.exec("CREATE TABLE entries (name TEXT PRIMARY KEY)");
  writer = new Writer(database);
});
afterEach(() => database.close());

const insert = (name: string) => () => {
  database.sqlite.prepare("INSERT INTO entries VALUES (?)").run(name);
  return name;
};
const names = () => database.sqlite.prepare("SELECT name FROM entries").pluck().all();

describe("the writer", () => {
  test("resolves with the operation's value once it is committed", async () => {
    expect(await writer.run(insert("a"))).toBe("a");
    expect(database.sqlite.inTransaction).toBe(false);
    expect(names()).toEqual(["a"]);
  });

  test("commits what arrives in one turn in one transaction, in order", async () => {
    const seen: boolean[] = [];
    await Promise.all(
      ["a", "b", "c"].map((name) =>
        writer.run(() => {
          seen.push(database.sqlite.inTransaction);
          return insert(name)();
        }),
      ),
    );
    expect(seen).toEqual([true, true, true]);
    expect(names()).toEqual(["a", "b", "c"]);
  });

  test("fails only the operation at fault and keeps its neighbours", async () => {
    await writer.run(insert("taken"));
    const outcomes = await Promise.allSettled([
      writer.run(insert("x")),
      writer.run(insert("taken")),
      writer.run(insert("y")),
    ]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual([
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
    expect(names()).toEqual(["taken", "x", "y"]);
  });

  test("refuses an operation that adds another one", async () => {
    const nested = writer.run(() => writer.run(insert("inner")));
    await expect(nested).rejects.toThrow("may not add");
    expect(names()).toEqual([]);
  });

  test("leaves nothing of a failed operation behind", async () => {
    const failed = writer.run(() => {
      insert("half")();
      throw new Error("refused");
    });
    await expect(failed).rejects.toThrow("refused");
    expect(names()).toEqual([]);
  });

  test("lets an operation that nobody waits for ride along with the next one", async () => {
    const order: string[] = [];
    const later = writer.run(insert("later"), "later").then(() => order.push("later"));
    const now = writer.run(insert("now")).then(() => order.push("now"));
    await now;
    expect(names()).toEqual(["later", "now"]);
    await later;
    expect(order).toEqual(["later", "now"]);
  });

  test("writes an operation that nobody waits for even when no other one comes", async () => {
    expect(await writer.run(insert("alone"), "later")).toBe("alone");
    expect(names()).toEqual(["alone"]);
  });

  test("leaves it to the timers it was given how long such an operation waits", async () => {
    const due: (() => void)[] = [];
    const timed = new Writer(database, (_ms, callback) => {
      due.push(callback);
      return () => due.splice(0);
    });
    const later = timed.run(insert("later"), "later");
    expect(due).toHaveLength(1);
    await writer.run(insert("other"));
    expect(names()).toEqual(["other"]);
    due[0]?.();
    await later;
    expect(names()).toEqual(["other", "later"]);
    expect(due).toEqual([]);
  });

  test("writes more than one batch of waiting operations", async () => {
    const all = Array.from({ length: 1500 }, (_, index) => writer.run(insert(`n${index}`)));
    await Promise.all(all);
    expect(names()).toHaveLength(1500);
  });

  test("fails what a full disk has no room for, and goes on when there is some", async () => {
    const pages = Number(database.sqlite.pragma("page_count", { simple: true }));
    database.sqlite.pragma(`max_page_count = ${pages}`);
    const big = () => writer.run(insert("x".repeat(100_000)));
    const outcomes = await Promise.allSettled([big(), big()]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(database.sqlite.inTransaction).toBe(false);
    database.sqlite.pragma("max_page_count = 1000000");
    await big();
    expect(names()).toHaveLength(1);
  });

  test("writes what is waiting when it is closed, and refuses the rest", async () => {
    const last = writer.run(insert("last"));
    writer.close();
    expect(await last).toBe("last");
    await expect(writer.run(insert("late"))).rejects.toThrow("closed");
  });
});
