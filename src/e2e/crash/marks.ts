/**
 * Killing the gateway just before it can store a mark. No hook in the product is needed: the test
 * holds SQLite's write lock, so that nothing is stored any more, lets the printer answer, and kills.
 */

import { Database } from "bun:sqlite";
import { until } from "../harness/until.ts";
import type { World } from "../harness/world.ts";
import type { DocumentKind, Order } from "./documents.ts";
import { concludeCase, quieten, type Verdict } from "./run.ts";

/** How far the command was on disk when the gateway was killed. */
export interface MarkVerdict extends Verdict {
  readonly status: string;
  readonly mark: string | null;
}

/** Kills the gateway when the answer to this frame has come and nothing of it can be stored. */
export async function runUnstoredCase(
  world: World,
  { kind, order }: { readonly kind: DocumentKind; readonly order: Order },
  frame: number,
): Promise<MarkVerdict> {
  await quieten(world);
  const since = await world.printer.books();
  // The first answer is withheld, which leaves half a second to take the lock before the gateway
  // asks again; the repeat is then answered from the printer's memory of its last answer.
  await world.printer.fault({ kind: "silent_after", at: frame, count: 1 });
  const { id } = await world.till.submit(world.deviceId, order.type, order.payload);
  await until(`frame ${frame}`, async () => (await world.printer.frames()) >= since.frames + frame);
  const database = new Database(world.database);
  try {
    database.run("PRAGMA busy_timeout = 5000");
    database.run("BEGIN IMMEDIATE");
    await until("the repeat", async () => (await world.printer.frames()) > since.frames + frame);
    await world.killGateway();
    database.run("ROLLBACK");
    const row = database
      .query<{ status: string; mark: string | null }, [string]>(
        "SELECT status, mark FROM commands WHERE id = ?",
      )
      .get(id);
    if (!row) throw new Error("the command is not on disk");
    await world.restartGateway();
    const name = `killed with nothing stored after answer ${frame}`;
    return { ...row, ...(await concludeCase(world, { kind, commandId: id, since, name })) };
  } finally {
    database.close();
  }
}
