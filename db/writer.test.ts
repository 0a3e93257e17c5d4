import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { storedDevice } from "#core/device/testing/stored-device.ts";
import { deviceEvent } from "#core/events.ts";
import { FakeClock, systemClock } from "#src/platform/clock.ts";
import { rejection } from "#src/platform/testing/rejection.ts";
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

  for (const count of [1, 3]) {
    test(`runs ${count} once more when room was made on a full disk, and no more often`, async () => {
      const pages = (most: number) => database.sqlite.pragma(`max_page_count = ${most}`);
      const failures: unknown[] = [];
      let isReserveThere = true;
      const full = new Writer(database, {
        makeRoom(error) {
          expect(error).toMatchObject({ code: "SQLITE_FULL" });
          if (isReserveThere) pages(1_000);
          const made = isReserveThere;
          isReserveThere = false;
          return made;
        },
        onFailure: (error) => failures.push(error),
      });
      const write = async () => {
        const some = Array.from({ length: count }, (_, n) => `${n}${"x".repeat(9_000)}`);
        const ended = await Promise.allSettled(some.map((name) => full.run(insert(name))));
        return ended.map(({ status }) => status);
      };
      pages(1);
      expect(await write()).toEqual(Array(count).fill("fulfilled"));
      expect(names()).toHaveLength(count);
      expect(failures).toEqual([]);

      database.sqlite.exec("DELETE FROM entries; VACUUM");
      pages(1);
      expect(await write()).toEqual(Array(count).fill("rejected"));
      expect(failures).toHaveLength(count);
    });
  }

  test("refuses an operation that adds another one", async () => {
    const nested = writer.run(() => writer.run(insert("inner")));
    expect((await rejection(nested)).message).toContain("may not add");
    expect(names()).toEqual([]);
  });

  test("leaves nothing of a failed operation behind", async () => {
    const failed = writer.run(() => {
      insert("half")();
      throw new Error("refused");
    });
    expect((await rejection(failed)).message).toContain("refused");
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
    const setTimer = (_ms: number, callback: () => void) => {
      due.push(callback);
      return () => due.splice(0);
    };
    const timed = new Writer(database, {
      timers: { setTimer, setMachineTimer: systemClock.setMachineTimer },
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

  test("gathers what is wanted soon into one commit with what is wanted now", async () => {
    let seen: unknown[] = [];
    const soon = writer.run((tx) => {
      insert("soon")();
      tx.after(() => {
        seen = names();
      });
    }, "soon");
    await new Promise((resolve) => setImmediate(resolve));
    expect(names()).toEqual([]);
    await Promise.all([soon, writer.run(insert("now"))]);
    expect(seen).toEqual(["soon", "now"]);
  });

  test("writes what is wanted soon by itself in real time, whatever the clock says", async () => {
    const clock = new FakeClock();
    const timed = new Writer(database, { timers: clock });
    const soon = timed.run(insert("soon"), "soon");
    expect(clock.pendingMachineTimers).toBe(1);
    await soon;
    expect(names()).toEqual(["soon"]);
    expect(clock.pendingMachineTimers).toBe(0);
    expect(clock.pendingTimers).toBe(0);
  });

  test("does what follows once the change is on disk, in order, and before it resolves", async () => {
    const order: string[] = [];
    const seen = (what: string) => () => order.push(`${what} ${database.sqlite.inTransaction}`);
    await Promise.all([
      writer
        .run((tx) => {
          tx.after(seen("first"));
          insert("a")();
          tx.after(seen("second"));
        })
        .then(seen("resolved")),
      writer.run((tx) => tx.after(seen("neighbour"))),
    ]);
    expect(order).toEqual(["first false", "second false", "neighbour false", "resolved false"]);
  });

  test("does nothing of what follows a change that was undone, and the rest once", async () => {
    await writer.run(insert("taken"));
    const order: string[] = [];
    const run = (name: string) =>
      writer.run((tx) => {
        tx.after(() => order.push(name));
        insert(name)();
      });
    await Promise.allSettled([run("x"), run("taken"), run("y")]);
    expect(order).toEqual(["x", "y"]);
  });

  test("puts back what a transaction changed beside it, from its end, before it runs again", async () => {
    await writer.run(insert("taken"));
    const steps: string[] = [];
    const run = (name: string) =>
      writer.run((tx) => {
        steps.push(name);
        tx.undone(() => steps.push(`not ${name}`));
        insert(name)();
      });
    await Promise.allSettled([run("x"), run("y"), run("taken")]);
    expect(steps).toEqual([
      ...["x", "y", "taken", "not taken", "not y", "not x"],
      ...["x", "y", "taken", "not taken"],
    ]);
  });

  test("lets an effect add an operation, and goes on after one that throws", async () => {
    const failed: unknown[] = [];
    const told = new Writer(database, { onEffectError: (error) => failed.push(error) });
    const added = Promise.withResolvers<string>();
    await told.run((tx) => {
      tx.after(() => {
        throw new Error("effect");
      });
      tx.after(() => told.run(insert("added")).then(added.resolve, added.reject));
    });
    expect(await added.promise).toBe("added");
    expect(failed).toEqual([new Error("effect")]);
  });

  test("stores an event with its change, and publishes it when both are on disk", async () => {
    const happened = (id: string) => deviceEvent("device.released", storedDevice({ id }));
    const order: string[] = [];
    const told = new Writer(database, {
      events: {
        store(event) {
          insert("device" in event ? `event ${event.device.id}` : "")();
          return { seq: 1, id: "evt_1", createdAt: 0, event };
        },
        publish: () => order.push(`published ${database.sqlite.inTransaction}`),
      },
    });
    await told.run((tx) => tx.emit(happened("a")));
    const undone = told.run((tx) => {
      tx.emit(happened("b"));
      throw new Error("refused");
    });
    expect((await rejection(undone)).message).toContain("refused");
    expect(order).toEqual(["published false"]);
    expect(names()).toEqual(["event a"]);
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
    expect((await rejection(writer.run(insert("late")))).message).toContain("closed");
  });

  test("looks at nothing any more once it is closed", async () => {
    let looks = 0;
    const guarded = new Writer(database, {
      guard: {
        lost: undefined,
        look() {
          looks += 1;
          return undefined;
        },
      },
    });
    const last = guarded.run(insert("last"));
    guarded.close();
    await last;
    const seen = looks;
    await new Promise((resolve) => setImmediate(resolve));
    expect(looks).toBe(seen);
  });
});
