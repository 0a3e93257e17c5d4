/**
 * What each frame of a document changes: what the gateway has stored of the device, and the
 * printer's own books. It is recorded from a document of which each answer is held back until both
 * have been looked at.
 */

import { Database } from "bun:sqlite";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { until } from "../harness/until.ts";
import type { Step } from "./cases.ts";
import type { Order } from "./documents.ts";
import type { StrikablePlace } from "./place.ts";
import { isOver, quieten, requireUndisturbed } from "./run.ts";

/** Of a frame that came in one recording and not in another: it counts as one that changes something. */
const ONCE: Step = { isStored: true, isBooked: false };
const HELD_FRAMES = 100_000;
const RECORDINGS_MAX = 5;

/**
 * Prints a document without any trouble.
 * @returns what each of its frames changed, in their order
 * @throws Error when it is not printed
 */
async function recordSteps(place: StrikablePlace, order: Order): Promise<Step[]> {
  await quieten(place);
  const { printer, till, deviceId } = place;
  const stored = new Stored(place);
  try {
    const since = await printer.frames();
    await printer.fault({ kind: "hold", count: HELD_FRAMES });
    const steps: Step[] = [];
    let before = { stored: stored.look(), booked: bookedBytes(place) };
    const { id } = await till.submit(deviceId, order.type, order.payload);
    for (;;) {
      const next = await until("the next frame, or the end", async () => {
        if (await printer.isHolding()) return "frame";
        return (await isOver(place, id)) && "end";
      });
      if (next === "end") break;
      const now = { stored: stored.look(), booked: bookedBytes(place) };
      // One that was sent again on a busy machine has the number of the first.
      const index = (await printer.frames()) - since - 1;
      const { isStored = false, isBooked = false } = steps[index] ?? {};
      steps[index] = {
        isStored: isStored || now.stored !== before.stored,
        isBooked: isBooked || now.booked !== before.booked,
      };
      before = now;
      await printer.release();
    }
    await requireUndisturbed(place, id);
    return Array.from(steps, (step) => step ?? ONCE);
  } finally {
    stored.close();
    await printer.clear();
  }
}

/**
 * Records a document until two recordings agree about the books: now and then a device is asked one
 * thing more amid it, and everything after that is a frame further on. Where none agree, each frame
 * counts for what it changed in any of them.
 */
export async function recordAlike(place: StrikablePlace, order: Order): Promise<readonly Step[]> {
  const recorded: (readonly Step[])[] = [];
  while (recorded.length < RECORDINGS_MAX) {
    const steps = await recordSteps(place, order);
    const alike = recorded.find((other) => bookingsOf(other) === bookingsOf(steps));
    if (alike) return either(alike, steps);
    recorded.push(steps);
  }
  return recorded.reduce(either);
}

/** The frames that changed the books. */
function bookingsOf(steps: readonly Step[]): string {
  return String(steps.flatMap(({ isBooked }, index) => (isBooked ? [index] : [])));
}

/** What a frame changed in either recording of a document that goes the same way. */
export function either(one: readonly Step[], other: readonly Step[]): readonly Step[] {
  return Array.from({ length: Math.max(one.length, other.length) }, (_, index) => {
    const [first = ONCE, second = ONCE] = [one[index], other[index]];
    return {
      isStored: first.isStored || second.isStored,
      isBooked: first.isBooked || second.isBooked,
    };
  });
}

/** A simulated printer writes a line to its file for each change, and never changes one. */
function bookedBytes({ printer }: StrikablePlace): number {
  return statSync(printer.stateFile).size;
}

/** All that the gateway has on disk of a device, and what the controller beside it has. */
class Stored {
  readonly #place: StrikablePlace;
  readonly #database: Database;
  /** Tables with rows of devices. */
  readonly #tables: readonly string[];

  constructor(place: StrikablePlace) {
    this.#place = place;
    this.#database = new Database(place.database, { readonly: true });
    const sql = `
      SELECT tables.name FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns
      WHERE tables.type = 'table' AND columns.name = 'device_id' ORDER BY tables.name`;
    this.#tables = this.#database
      .query<{ name: string }, []>(sql)
      .all()
      .map(({ name }) => name);
  }

  /** The same text as long as nothing is stored, and no message is exchanged with a controller. */
  look(): string {
    const { deviceId, remote } = this.#place;
    const rowsOf = (table: string, column: string) =>
      this.#database.query(`SELECT * FROM ${table} WHERE ${column} = ?`).all(deviceId);
    const rows = [
      rowsOf("devices", "id"),
      ...this.#tables.map((table) => rowsOf(table, "device_id")),
    ];
    const beside = remote && [remote.line.messages, filesIn(remote.stateDir)];
    return JSON.stringify([rows, beside]);
  }

  close(): void {
    this.#database.close();
  }
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1"));
}
