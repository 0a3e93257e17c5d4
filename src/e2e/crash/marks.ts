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
export type MarkOnDisk = (typeof MARKS_ON_DISK)[number];

const HELD_FRAMES = 100_000;
/** Characters of the gateway's log that a failure shows. */
const OUTPUT_SHOWN = 4_000;

/**
 * Prints a document and kills the gateway when it waits for the disk with this mark there.
 * @returns undefined where the next mark follows this one without a frame between them
 * @throws Error when what it says afterwards is not the truth
 */
export async function runUnstoredCase(
  bed: TestBed,
  lane: Lane,
  mark: MarkOnDisk,
): Promise<Verdict | undefined> {
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
  const verdict = await concludeCase(stand, { kind, commandId: id, since, name, isShared: false });
  return end === "waits" ? verdict : undefined;
}

interface Walk {
  readonly commandId: string;
  readonly mark: MarkOnDisk;
  /** Frames received before the document. */
  readonly since: number;
}

/** `waits`: with the lock still held. `never there`: the document was done. */
type WalkEnd = "waits" | "never there";

/**
 * Lets answer after answer go until the gateway waits for the disk with the wanted mark there. The
 * lock is taken at the first frame that finds it there and kept, so that the mark stays the last
 * one however long the machine takes; the frames go on until something is to be stored.
 */
async function walkToMark(
  { bed, lane, database }: { bed: TestBed; lane: Lane; database: Database },
  { commandId, mark, since }: Walk,
): Promise<WalkEnd> {
  const { stand } = lane;
  let isLocked = false;
  /** What to look at where nothing happens any more. */
  const stuck = async (error: unknown): Promise<never> => {
    const { status, mark: reached } = rowOf(database, commandId);
    const frames = (await stand.printer.frames()) - since;
    const facts = JSON.stringify({ mark, isLocked, status, reached, frames });
    throw new Error(`${error}: ${facts}\n${bed.output().slice(-OUTPUT_SHOWN)}`);
  };
  for (;;) {
    const next = await until("the next frame, the end, or a gateway that waits", async () => {
      // A frame that the gateway sent again on a busy machine is held like any other.
      if (await stand.printer.isHolding()) return "frame";
      if (isLocked) return (await bed.isGatewayStuck()) && "waits";
      return (await isOver(stand, commandId)) && "end";
    }).catch(stuck);
    if (next === "waits") return "waits";
    if (next === "end") return "never there";
    // The acknowledgement comes by itself while the answer is held; it is no mark.
    if (mark === null && !isLocked) {
      await until("the acknowledgement", () => rowOf(database, commandId).status === "processing");
    }
    if (!isLocked && rowOf(database, commandId).mark === mark) {
      database.run("BEGIN IMMEDIATE");
      isLocked = true;
    }
    await stand.printer.release();
  }
}

function rowOf(
  database: Database,
  commandId: string,
): { readonly status: string; readonly mark: string | null } {
  const row = database
    .query<{ status: string; mark: string | null }, [string]>(
      "SELECT status, mark FROM commands WHERE id = ?",
    )
    .get(commandId);
  if (!row) throw new Error("the command is not on disk");
  return row;
}
