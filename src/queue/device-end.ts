/**
 * The end of what waits for a device that was removed, or whose printer may be ahead of a state that
 * was put back. A removed device is gone first, so nothing new is accepted; what thousands of commands
 * take is done in parts, between which everybody else goes on.
 */

import { tellsOutcome } from "#core/command/catalogue.ts";
import type { LifecycleInput } from "#core/command/lifecycle.ts";
import { shopPrinterOf } from "#core/device/printer.ts";
import type { CommandStore, UnfinishedCommand } from "#db/stores/commands.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Transaction, Writer } from "#db/writer.ts";
import type { CommandChanges } from "./changes.ts";
import type { Leftovers } from "./leftovers.ts";
import { isAskedFirst } from "./printer-records.ts";
import { unreachedAtStart } from "./recovery.ts";
import { DOES_NOT_TELL, MAY_BE_PRINTED, MAY_REPEAT, NOT_TOLD_YET } from "./restored-waiting.ts";

/** Commands that end in one operation of the writer. */
const PART_MAX = 50;
const DEVICE_DELETED = { kind: "device_deleted" } as const;

export interface DeviceEndOptions {
  readonly commands: Pick<CommandStore, "get" | "listUnfinished">;
  readonly writer: Writer;
  readonly clock: { now(): number };
  readonly changes: CommandChanges;
}

/**
 * Ends what is out on a device, in the operation that removes it: what is then in doubt belongs to
 * its printer, of which only the record tells.
 */
export function endOut(
  tx: Transaction,
  deviceId: string,
  from: Pick<DeviceEndOptions, "commands" | "changes"> & AskedOfLeft & { readonly now: number },
): void {
  const { commands, changes, now } = from;
  keepAsked(from, deviceId);
  for (const { id, status } of commands.listUnfinished({ deviceId })) {
    const command = status === "pending" ? undefined : commands.get(null, id);
    if (command) changes.apply(tx, command, { input: DEVICE_DELETED, now });
  }
}

/** What was left at the start, and what is to be asked of it; nothing where another process knows that. */
interface AskedOfLeft extends Partial<Pick<Stores, "devices" | "documentChecks">> {
  readonly leftovers?: Leftovers;
}

/**
 * A record goes while its printer is still to be asked, and what waits there since the start ends with
 * it: until the printer has told, over whichever record, nobody may say that it was not printed.
 */
function keepAsked(
  from: Pick<DeviceEndOptions, "commands"> & AskedOfLeft & { readonly now: number },
  deviceId: string,
): void {
  const { commands, devices, documentChecks, leftovers, now } = from;
  const device = devices?.find(deviceId);
  if (!device || !devices || !documentChecks || !leftovers) return;
  if (!isAskedFirst({ devices, documentChecks }, deviceId)) return;
  const left = commands.listUnfinished({ deviceId });
  if (!left.some(({ id, type }) => leftovers.has(id) && tellsOutcome(type))) return;
  const row = documentChecks.get(deviceId);
  if (row === undefined) {
    documentChecks.raise({ ...shopPrinterOf(device), state: "asked", raisedAt: now });
    return;
  }
  // What it has told stands; what was accepted of it is asked again. A start says anew where the
  // printer is (`raiseCheck`); a record that goes leads there no more.
  if (row.state === "unknown") return;
  documentChecks.update(deviceId, {
    // From now on it has its time to be registered anew, however long it was asked in vain.
    ...{ state: "asked", raisedAt: now, since: row.since ?? row.raisedAt },
    ...(row.state === "known" && { questionId: null }),
  });
}

/**
 * Ends what is unfinished on a device of which the record is gone.
 * @returns when all of it is on disk; what a crash leaves over is ended by the next start
 */
export async function endUnfinished(options: DeviceEndOptions, deviceId: string): Promise<void> {
  const { commands, writer, clock, changes } = options;
  for (let isOver = false; !isOver; ) {
    isOver = await writer.run((tx) => {
      const part = commands.listUnfinished({ deviceId, limit: PART_MAX });
      for (const { id } of part) {
        const command = commands.get(null, id);
        if (command) changes.apply(tx, command, { input: DEVICE_DELETED, now: clock.now() });
      }
      return part.length < PART_MAX;
    });
  }
}

/** Whose commands end, and when. */
interface EndOf extends Pick<DeviceEndOptions, "commands" | "changes"> {
  /** UTC milliseconds. */
  readonly now: number;
}

/** Why what waits for a printer ends without having begun, as unknown. */
type WhyUnbegun =
  /** An owner accepts a state that was put back, and what waited until then does not print by that. */
  | "accepted"
  /**
   * The printer has told of documents that nobody here knows, printed by another run of which the
   * database was put back, or rung up by hand; what waited may be among them.
   */
  | "ahead"
  /** Another printer is taken in its place before it was asked. */
  | "unasked"
  /** It cannot tell whether it has printed it, or will not. */
  | "untold";

/** What ends of what waits for a printer that may have printed it. */
export interface EndOfWaiting {
  /** UTC milliseconds. */
  readonly now: number;
  readonly why: WhyUnbegun;
  /** Those of which one is meant; all when absent. */
  readonly leftovers?: Pick<Leftovers, "has"> | undefined;
}

/** Ends what waits, as unknown, which a person is asked of. */
export function endWaiting(
  tx: Transaction,
  deviceId: string,
  { why, leftovers, ...from }: EndOf & EndOfWaiting,
): void {
  endEach(tx, { ...from, deviceId }, (unfinished) =>
    isWaiting(unfinished, leftovers) ? UNBEGUN[why] : undefined,
  );
}

/**
 * Its printer has told of nothing new: what was left at the start, and had begun before it without
 * changing anything, was not printed. The rest goes on.
 */
export function endBegun(
  tx: Transaction,
  deviceId: string,
  { leftovers, ...from }: EndOf & { readonly leftovers: Pick<Leftovers, "has"> },
): void {
  endEach(tx, { ...from, deviceId }, (unfinished) =>
    isWaiting(unfinished, leftovers) ? unreachedAtStart(unfinished) : undefined,
  );
}

/** Another printer is taken in its place: what may have changed the one before is not asked of that. */
export function endDoubts(tx: Transaction, deviceId: string, from: EndOf): void {
  endEach(tx, { ...from, deviceId }, ({ mark }) => (mark === null ? undefined : REPLACED));
}

interface Ending extends EndOf {
  readonly deviceId: string;
}

function endEach(
  tx: Transaction,
  { deviceId, commands, changes, now }: Ending,
  endOf: (unfinished: UnfinishedCommand) => LifecycleInput | undefined,
): void {
  for (const unfinished of commands.listUnfinished({ deviceId })) {
    const input = tellsOutcome(unfinished.type) ? endOf(unfinished) : undefined;
    const command = input && commands.get(null, unfinished.id);
    if (command) changes.apply(tx, command, { input, now });
  }
}

function isWaiting(
  { id, status }: UnfinishedCommand,
  leftovers: Pick<Leftovers, "has"> | undefined,
): boolean {
  return status === "pending" && leftovers?.has(id) !== false;
}

function unknown(errorCode: "E102" | "E903", errorMessage: string): LifecycleInput {
  const data = { outcome: "unknown" } as const;
  return { kind: "finished", result: { success: false, errorCode, errorMessage, data } };
}

const unbegun = (why: string): LifecycleInput => unknown("E903", `Not begun: ${why}`);

const UNBEGUN: Readonly<Record<WhyUnbegun, LifecycleInput>> = {
  accepted: unbegun(MAY_REPEAT),
  ahead: unbegun(MAY_BE_PRINTED),
  unasked: unbegun(NOT_TOLD_YET),
  untold: unbegun(DOES_NOT_TELL),
};

const REPLACED = unknown(
  "E102",
  "Another printer was taken in its printer's place before that had told",
);
