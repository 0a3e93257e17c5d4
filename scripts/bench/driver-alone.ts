/** A driver without the gateway around it: what a printer's receipts cannot go below. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { IS_AWAITED, type Mark } from "#core/command/marks.ts";
import type { DriverEnvironment, DriverSession } from "#core/driver.ts";
import { openDatabase } from "#db/connection.ts";
import { findDriver } from "#drivers/registry.ts";
import { openLine } from "#drivers/transport/index.ts";
import { measure, type Throughput } from "./measure.ts";

/** The surroundings of a driver that is measured: the machine's own clock and timers. */
export function measuredEnvironment(): DriverEnvironment {
  return {
    now: Date.now,
    setTimer(delayMs, callback) {
      const timer = setTimeout(callback, delayMs);
      return () => clearTimeout(timer);
    },
    random: (bound) => Math.floor(Math.random() * bound),
    timezone: "Europe/Sofia",
    currency: "EUR",
    remembered: new Map(),
    note: () => undefined,
    log: () => undefined,
  };
}

/**
 * Prints receipts one after the other with a driver on a TCP printer, and nothing around it.
 * @param marks `stored`: each mark that the driver waits for is a commit of one row first
 */
export async function driverAlone(
  { host, port }: { readonly host: string; readonly port: number },
  receipt: { readonly payload: unknown; readonly count: number; readonly marks: "free" | "stored" },
): Promise<Throughput> {
  const { payload, count, marks } = receipt;
  const environment = measuredEnvironment();
  const params = { transport: "tcp", connectionParams: { host, port } } as const;
  const driver = findDriver("vendorA.isl");
  if (!driver) throw new Error("this build has no driver vendorA.isl");
  const session = await driver.connect(await openLine(params, environment), environment);
  const folder = mkdtempSync(join(tmpdir(), "fiscald-bench-"));
  const database = openDatabase(join(folder, "marks.db"));
  try {
    database.sqlite.exec("CREATE TABLE marks (id INTEGER PRIMARY KEY, body TEXT)");
    const insert = database.sqlite.prepare("INSERT INTO marks (body) VALUES (?)");
    const body = "x".repeat(500);
    const print = () =>
      printWith(session, payload, (mark) => {
        if (marks === "stored" && IS_AWAITED[mark]) insert.run(body);
      });
    await measure({ workers: 1, count: Math.ceil(count / 10) }, print);
    return await measure({ workers: 1, count }, print);
  } finally {
    session.close();
    database.close();
    rmSync(folder, { recursive: true });
  }
}

/** Prints one receipt. @param store called for each mark, before the driver goes on */
export async function printWith(
  session: DriverSession,
  payload: unknown,
  store: (mark: Mark) => void = () => undefined,
): Promise<void> {
  await session.execute(
    { id: "cmd_bench", type: "print_receipt", payload, original: undefined },
    {
      mark: async (mark) => store(mark),
      mayGoOn: () => true,
      hasLimit: () => true,
      paused: () => undefined,
      pauseLimitMs: 1_000,
    },
  );
}
