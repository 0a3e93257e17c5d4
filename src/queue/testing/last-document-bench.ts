/** A printer that is asked for its last document after a start, and what waits for its word. */

import { type CommandResult, isFinal } from "#core/command/command.ts";
import type { AheadMode } from "#core/device/ahead-mode.ts";
import { printerOf } from "#core/device/printer.ts";
import type { DriverId } from "#core/driver-id.ts";
import { createLog } from "../../platform/log.ts";
import { createRandom } from "../../platform/random.ts";
import { DocumentChecks } from "../document-check.ts";
import { takeUpTime } from "../kept-time.ts";
import { createRecordKeeper } from "../record-keeper.ts";
import { RestoredState } from "../restored-state.ts";
import { TimerQueue } from "../timer-queue.ts";
import { createQueueBench, DEVICE, ORG, type QueueBench } from "./queue-bench.ts";

const MEMORY = "50123456";
/** Receipt 27, which the database knows too. */
const KNOWN: CommandResult = {
  success: true,
  fiscalId: "27",
  data: {
    receiptNumber: "27",
    fiscalMemorySerialNumber: MEMORY,
    issuedAt: "2026-01-01T00:00:00.000Z",
  },
};
export const TOLD: CommandResult = {
  success: true,
  data: {
    lastReceipt: {
      ...{ receiptNumber: "27", fiscalMemorySerialNumber: MEMORY },
      ...{ receiptDateTime: "2026-01-01T00:00:00.000Z", receiptAmount: 3 },
    },
  },
};
const issued = ({ issuedAt, zReportNumber }: Start): CommandResult => ({
  ...KNOWN,
  data: {
    ...KNOWN.data,
    ...(issuedAt === undefined ? {} : { issuedAt }),
    ...(zReportNumber === undefined ? {} : { zReportNumber }),
  },
});
export const refusal = (errorCode: "E201" | "E305" | "E306" | "E902"): CommandResult => ({
  success: false,
  errorCode,
  errorMessage: "refused",
});

export const numbered = (receiptNumber: string | null): CommandResult => ({
  ...{ success: true, data: { lastReceipt: { ...Object(TOLD.data?.lastReceipt), receiptNumber } } },
});
/** More often than one that refuses is asked. */
const ASKED_MAX = 20;
interface Start {
  readonly whenAhead?: AheadMode;
  /** The disk is full when the printer is first asked. */
  readonly isFull?: boolean;
  /** The state was put back from a copy. */
  readonly isRestored?: boolean;
  /** When the receipt was printed that the database knows. */
  readonly issuedAt?: string;
  /** The Z report that closes the day of that one; not known when absent. */
  readonly zReportNumber?: string;
  /** One of `vendorE.zfp` when absent. */
  readonly driver?: DriverId;
  /** It knows none. */
  readonly knowsNone?: boolean;
  /**
   * It knows none, and the number that an owner has accepted: of the last paper of any kind, on a printer
   * that counts them all in one row.
   */
  readonly acceptedPaper?: number;
  /** What the run before has left: a sale that waits, as when absent, or has begun, or nothing. */
  readonly left?: "waiting" | "begun" | "nothing";
}

/** A printer that has printed receipt 27, and what the run before has left for it. */
async function leftBehind(start: Start) {
  const {
    driver = "vendorE.zfp",
    left = "waiting",
    acceptedPaper,
    knowsNone = acceptedPaper !== undefined,
  } = start;
  const bench = createQueueBench();
  bench.controller.id = "builtin";
  bench.stores.devices.insert({
    ...{ id: DEVICE, orgId: ORG, name: "Till", driver, transport: "tcp" },
    ...{ locationId: "loc_1", managedBy: "builtin", connectionParams: { host: "h", port: 1 } },
    ...{ controllerId: null, controllerName: null, storedStatus: "online", lastSeenAt: 1 },
    ...{ serialNumber: "AB123456", fiscalMemorySerialNumber: MEMORY, model: null },
    ...{ firmwareVersion: null, charsPerLine: null, reversalTenders: null, addressKeys: null },
    ...{ createdAt: 0, updatedAt: 0 },
  });
  bench.stores.locations.insert({
    ...{ id: "loc_1", orgId: ORG, name: "Shop", address: null, timezone: "Europe/Sofia" },
    ...{ createdAt: 0, updatedAt: 0 },
  });
  if (!knowsNone) await bench.finished("builtin", await bench.submit(), issued(start));
  if (acceptedPaper !== undefined) acceptPaper(bench, acceptedPaper);
  const waiting = left === "nothing" ? "none" : await bench.submit();
  if (left === "begun") await bench.acknowledged("builtin", waiting);
  return { bench, waiting };
}

/** What an owner accepted before the start counts as known. */
function acceptPaper({ stores, clock }: QueueBench, number: number): void {
  const device = stores.devices.update(ORG, DEVICE, { driver: "vendorA.isl" });
  if (device === undefined) throw new Error("no such device");
  stores.documentChecks.raise({
    ...{ ...printerOf(device), orgId: ORG, state: "known", raisedAt: clock.now(), number },
    ...stores.documentChecks.acceptance(clock.now()),
  });
}

/** A start behind that: the printer is asked, and what is left waits for its word. */
export async function started(start: Start = {}) {
  const { whenAhead = "alert", isFull = false, isRestored = false, knowsNone = false } = start;
  const { bench, waiting } = await leftBehind(start);
  const { stores, clock } = bench;
  const checksOf = () => {
    const random = createRandom(clock);
    const options = {
      ...{ stores, clock, random, writer: bench.writer, queue: bench.queue },
      time: takeUpTime(stores.appliance, clock),
      ...{ log: createLog({ level: "silent", clock }), timers: new TimerQueue(clock) },
      controllers: { reaches: () => true },
    };
    return isRestored
      ? new RestoredState({ ...options, records: createRecordKeeper(stores, random) })
      : new DocumentChecks({ ...options, whenAhead, onChange: () => undefined });
  };
  // Before the queue takes anything up, as at a start.
  await checksOf().begin();
  await bench.restart();
  const checks = checksOf();
  // What waits since before the start is known to whoever has begun alone.
  if (knowsNone) await checks.begin();
  /** The disk refuses what is written behind the end of a question. */
  const disk = {
    isFullBehind: false,
    set isFull(isFull: boolean) {
      bench.database.sqlite.exec(`PRAGMA query_only = ${isFull ? "ON" : "OFF"}`);
    },
  };
  bench.bus.subscribe(({ event }) => {
    if (event.type !== "command.updated" || !isFinal(event.command.status)) return;
    if (disk.isFullBehind) disk.isFull = true;
    checks.ended(event.command);
  });
  const question = () => {
    const asked = [...stores.commands.listUnfinished()].find(
      ({ type }) => type === "get_last_receipt_info",
    );
    return asked?.id;
  };
  const answer = async (result: CommandResult): Promise<void> => {
    const id = question();
    if (id === undefined) throw new Error("nothing is asked");
    await bench.told("builtin", id, result);
    await bench.atRest();
  };
  disk.isFull = isFull;
  checks.reached(DEVICE);
  await bench.atRest();
  disk.isFull = false;
  /** Refuses as often as it is asked, until it is asked no more. @returns how often that was */
  const refuseAll = async (errorCode: "E305" | "E902" = "E305"): Promise<number> => {
    let times = 0;
    for (let pauseMs = 5_000; times < ASKED_MAX && question() !== undefined; pauseMs *= 2) {
      await answer(refusal(errorCode));
      times += 1;
      if (isAsked()) await bench.tick(pauseMs);
    }
    return times;
  };
  const isAsked = () => {
    const rows = isRestored ? stores.restoredPrinters.list() : stores.documentChecks.list();
    return rows.some(({ state }) => state === "asked");
  };
  const isHeld = () => bench.queue.isHeld(DEVICE);
  return { bench, checks, disk, question, answer, refuseAll, isAsked, isHeld, waiting };
}

/** A person says of a sale in doubt that it was printed. */
export async function sayPrinted(bench: QueueBench, id: string): Promise<void> {
  const doubted = bench.stores.commands.get(ORG, id);
  if (doubted === undefined) throw new Error("no such command");
  await bench.writer.run((tx) =>
    bench.queue.settle(tx, doubted, {
      ...{ outcome: "printed", fiscalId: undefined, by: "user:usr_1", address: null },
      now: bench.clock.now(),
    }),
  );
  await bench.atRest();
}

/** An owner accepts what the printer has printed, whatever that is: it is asked again. */
export async function accept({
  bench,
  checks,
}: Awaited<ReturnType<typeof started>>): Promise<void> {
  const device = bench.stores.devices.find(DEVICE);
  if (device === undefined) throw new Error("no such device");
  const now = bench.clock.now();
  await bench.writer.run(() => {
    const { restoredPrinters, documentChecks } = bench.stores;
    restoredPrinters.remove(DEVICE);
    documentChecks.raise({
      ...{ ...printerOf(device), orgId: ORG, state: "asked", raisedAt: now },
      ...documentChecks.acceptance(now),
      seq: 1,
    });
  });
  checks.changed(DEVICE);
  await bench.atRest();
}
