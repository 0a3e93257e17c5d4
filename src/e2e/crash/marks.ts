/**
 * Killing the gateway just before it can store a mark. No hook in the product is needed: the
 * printer holds back each answer until the test has taken SQLite's write lock. A gateway that goes
 * on without storing anything sends its next frame; one that waits for the disk answers nobody,
 * and is killed there.
 */

import { Database } from "bun:sqlite";
import type { Mark } from "#core/command/marks.ts";
import { until } from "../harness/until.ts";
import type { Lane } from "./lane.ts";
import { concludeCase, isOver, quieten } from "./run.ts";
import type { TestBed } from "./test-bed.ts";
import type { Verdict } from "./truth.ts";

/**
 * What is on disk when something is to be stored: nothing yet, or one of the marks. What follows
 * the last one is `committed`, alone or together with the result.
 */
export const MARKS_ON_DISK = [
  null,
  "baseline",
  "opened",
  "committing",
] as const satisfies readonly (Mark | null)[];
type MarkOnDisk = (typeof MARKS_ON_DISK)[number];

const HELD_FRAMES = 100_000;
/**
 * Where the machine is so busy that an answer is held for longer than the driver waits for it, the
 * driver asks again, which looks like the next frame. Such a walk has missed its moment.
 */
const WALKS_MAX = 3;

/**
 * Prints a document and kills the gateway when it waits for the disk with this mark there.
 * @returns undefined where the next mark follows this one without a frame between them
 * @throws Error when it never waits, or when what it says afterwards is not the truth
 */
export async function runUnstoredCase(
  bed: TestBed,
  lane: Lane,
  mark: MarkOnDisk,
): Promise<Verdict | undefined> {
  for (let walks = 1; walks <= WALKS_MAX; walks += 1) {
    const { end, verdict } = await walkAndKill(bed, lane, mark);
    if (end === "waits") return verdict;
    if (end === "never there") return undefined;
  }
  throw new Error(`${lane.kind}, with ${mark} on disk: went on without storing the next mark`);
}

async function walkAndKill(
  bed: TestBed,
  lane: Lane,
  mark: MarkOnDisk,
): Promise<{ readonly end: WalkEnd; readonly verdict: Verdict }> {
  const { stand, kind } = lane;
  const { order } = lane.document;
  await quieten(stand);
  const since = await stand.printer.books();
  await stand.printer.fault({ kind: "hold", count: HELD_FRAMES });
  const { id } = await stand.till.submit(stand.deviceId, order.type, order.payload);
  const database = new Database(bed.database);
  let end: WalkEnd;
  try {
    database.run("PRAGMA busy_timeout = 5000");
    const walk = { commandId: id, mark, since: since.frames };
    end = await walkToMark({ bed, lane, database }, walk);
    if (end === "waits") {
      await bed.killGateway();
      database.run("ROLLBACK");
    }
  } finally {
    database.close();
  }
  await stand.printer.clear();
  if (end === "waits") await bed.startGateway();
  const name = `killed with ${mark} on disk and the next mark unstored`;
  return { end, verdict: await concludeCase(stand, { kind, commandId: id, since, name }) };
}

interface Walk {
  readonly commandId: string;
  readonly mark: MarkOnDisk;
  /** Frames received before the document. */
  readonly since: number;
}

/** `waits`: with the lock still held. The others: the document was done. */
type WalkEnd = "waits" | "never waited" | "never there";

/**
 * Lets answer after answer go until the gateway waits for the disk with the wanted mark there.
 *
 * A mark that the next frame must wait for is waited for with the lock taken for that one answer,
 * so that other things the gateway stores do not stand in for it. After the last mark no frame
 * waits any more: there the lock is kept, and the frames go on until something is to be stored.
 */
async function walkToMark(
  { bed, lane, database }: { bed: TestBed; lane: Lane; database: Database },
  { commandId, mark, since }: Walk,
): Promise<WalkEnd> {
  const { stand } = lane;
  const isLast = mark === MARKS_ON_DISK.at(-1);
  let wasThere = false;
  let isLocked = false;
  for (let passed = since; ; ) {
    const next = await until("the next frame, the end, or a gateway that waits", async () => {
      const waits = isLocked && (await bed.isGatewayStuck());
      const came = (await stand.printer.frames()) > passed;
      if (waits && (isLast || !came)) return "waits";
      if (came) return "frame";
      return !isLocked && (await isOver(stand, commandId)) ? "end" : undefined;
    });
    if (next === "waits") return "waits";
    if (next === "end") return wasThere ? "never waited" : "never there";
    if (isLocked && !isLast) {
      database.run("ROLLBACK");
      isLocked = false;
    }
    passed = await stand.printer.frames();
    if (!isLocked && markOf(database, commandId) === mark) {
      database.run("BEGIN IMMEDIATE");
      isLocked = true;
      wasThere = true;
    }
    await stand.printer.release();
  }
}

function markOf(database: Database, commandId: string): string | null {
  const row = database
    .query<{ mark: string | null }, [string]>("SELECT mark FROM commands WHERE id = ?")
    .get(commandId);
  if (!row) throw new Error("the command is not on disk");
  return row.mark;
}
