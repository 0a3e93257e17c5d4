/** A queue over a database in memory, and a controller that does what a test says. */

import type { CommandType } from "#core/command/catalogue.ts";
import { acceptedCommand, type CommandResult } from "#core/command/command.ts";
import type { Baseline, Mark } from "#core/command/marks.ts";
import type { Reporter } from "#core/controller/judge.ts";
import type { ToController } from "#core/controller/messages.ts";
import type { NewCommand } from "#db/stores/commands.ts";
import { createStores } from "#db/stores/index.ts";
import { newDatabase } from "#db/testing/new-database.ts";
import { Writer } from "#db/writer.ts";
import { createEventBus } from "../../events/bus.ts";
import { EventLog } from "../../events/event-log.ts";
import { FakeClock } from "../../platform/clock.ts";
import { createLog } from "../../platform/log.ts";
import { createRandom } from "../../platform/random.ts";
import { CommandQueue } from "../command-queue.ts";
import { takeUpTime } from "../kept-time.ts";
import { createRecordKeeper } from "../record-keeper.ts";
import { TimerQueue } from "../timer-queue.ts";

export const ORG = "0123456789ab";
export const DEVICE = "dev_1";
/** The result of a receipt that was printed. */
export const DONE: CommandResult = { success: true, data: {}, fiscalId: "27" };
const SALE = {
  items: [{ name: "Bread", quantity: 2, price: 1.5, vatGroup: "VAT1" }],
  payments: [{ method: "cash", amount: 3 }],
};
/** Of commands that need one. */
const PAYLOADS: Partial<Record<CommandType, Record<string, unknown>>> = {
  print_receipt: SALE,
  void_receipt: { receiptId: "27" },
};

export type QueueBench = ReturnType<typeof createQueueBench>;

/** What outlives the process, and what a test sets of the surroundings. */
function createGround() {
  const clock = new FakeClock();
  const database = newDatabase();
  const stores = createStores(database);
  stores.organizations.insert({
    ...{ id: ORG, name: "Shop", currency: "RON", timezone: "UTC", plan: "pro" },
    ...{ createdAt: 0, updatedAt: 0 },
  });
  const controller = {
    connected: true,
    remote: false,
    /** False: an older app, without marks. */
    reportsMarks: true,
    id: "c1",
    /** Thrown when a device's settings are read. */
    fault: undefined as Error | undefined,
  };
  return { clock, database, stores, controller };
}

/** A queue on the database, as after a start of the process. */
function startQueue({ clock, database, stores, controller }: ReturnType<typeof createGround>) {
  const sent: ToController[] = [];
  const ended: string[] = [];
  const random = createRandom(clock);
  const bus = createEventBus((error) => {
    throw error;
  });
  bus.subscribe(({ event }) => {
    if ("command" in event && event.type !== "command.updated") ended.push(event.command.id);
  });
  const events = new EventLog({ stores, bus, clock, random });
  const writer = new Writer(database, { events, rehearses: true });
  const timers = new TimerQueue(clock);
  const queue = new CommandQueue({
    ...{ stores, writer, clock, timers },
    time: takeUpTime(stores.appliance, clock),
    log: createLog({ level: "silent", clock }),
    times: { pushWaitMs: 60_000, overallMs: 180_000 },
    records: createRecordKeeper(stores, random),
    controllers: {
      controllerOf() {
        if (!controller.connected) return undefined;
        const { remote, id: controllerId, reportsMarks } = controller;
        return { orgId: remote ? ORG : null, controllerId, reportsMarks };
      },
      reaches: () => controller.connected,
      mayAnswer: () => controller.connected,
      reasonOf: () => undefined,
      send: (_, message) => sent.push(message),
      deviceConfig(orgId, id) {
        if (controller.fault) throw controller.fault;
        return {
          ...{ id, orgId, name: "Till", driver: "vendorA.isl", transport: "tcp" },
          connectionParams: { host: "h", port: 1 },
          ...{ timezone: "UTC", currency: "RON" },
        };
      },
    },
  });
  return { queue, writer, timers, events, bus, sent, ended };
}

/** What a controller of the shop reports, without an epoch as older ones do. */
export function reporter(controllerId: string): Reporter {
  return { orgId: ORG, controllerId, reportsMarks: true };
}

function createReports(queue: () => CommandQueue) {
  const acknowledged = (controllerId: string, commandId: string) =>
    queue().report(reporter(controllerId), { type: "command.ack", deviceId: DEVICE, commandId });
  const marked = (
    controllerId: string,
    commandId: string,
    { mark, baseline }: { readonly mark: Mark; readonly baseline?: Baseline },
  ) =>
    queue().report(reporter(controllerId), {
      ...{ type: "command.mark", deviceId: DEVICE, commandId, mark },
      ...(baseline === undefined ? {} : { baseline }),
    });
  const told = (controllerId: string, commandId: string, result: CommandResult) =>
    queue().report(reporter(controllerId), {
      ...{ type: "command.result", deviceId: DEVICE, commandId, result },
    });
  /** The same for a document that a driver printed: its mark goes before. */
  const finished = async (controllerId: string, commandId: string, result: CommandResult) => {
    await marked(controllerId, commandId, { mark: "committing", baseline: {} });
    return told(controllerId, commandId, result);
  };
  return { acknowledged, marked, told, finished };
}

/** Makes one, with one organization. */
export function createQueueBench() {
  const ground = createGround();
  const { clock, stores } = ground;
  let run = startQueue(ground);
  /** A command that is about to be accepted; a receipt unless said otherwise. */
  const command = (
    id: string,
    type: CommandType = "print_receipt",
    deviceId = DEVICE,
  ): NewCommand => {
    const now = clock.now();
    return acceptedCommand({
      ...{ id, orgId: ORG, deviceId, type, payload: PAYLOADS[type] ?? {} },
      ...{ source: "api", createdAt: now, expiresAt: run.queue.expiryOf(now), simulated: false },
    });
  };
  /** Everything that was begun is on disk, or has failed. */
  const atRest = async (): Promise<void> => {
    const { writer } = run;
    for (let turn = 0; turn < 4; turn++) await writer.run(() => undefined).catch(() => undefined);
  };
  let ids = 0;
  return {
    ...ground,
    ...{ command, atRest },
    ...createReports(() => run.queue),
    // Of the latest start:
    get queue() {
      return run.queue;
    },
    get writer() {
      return run.writer;
    },
    get events() {
      return run.events;
    },
    get bus() {
      return run.bus;
    },
    /** What was sent to the controller. */
    get sent() {
      return run.sent;
    },
    /** Commands that were told to be final. */
    get ended() {
      return run.ended;
    },
    /** Accepts a command. @returns its id: `cmd_1`, `cmd_2` ... */
    async submit(type?: CommandType, deviceId?: string): Promise<string> {
      const accepted = command(`cmd_${++ids}`, type, deviceId);
      await run.writer.run((tx) => run.queue.accept(tx, accepted));
      await atRest();
      return accepted.id;
    },
    /** Starts again on the same database; the queue takes up what it finds there. */
    /** The timers of a run end with its process. */
    async restart(): Promise<void> {
      run.timers.clear();
      run = startQueue(ground);
      await run.queue.recover();
    },
    tick(ms: number): Promise<void> {
      clock.advance(ms);
      return atRest();
    },
    status: (id: string) => stores.commands.get(ORG, id)?.status,
    result: (id: string) => stores.commands.get(ORG, id)?.result,
    /** Commands that were handed out since the start, as "dispatch <id>" and "resolve <id>". */
    out: () => run.sent.flatMap(handedOut),
  };
}

function handedOut(message: ToController): string[] {
  if (message.type !== "command.dispatch" && message.type !== "command.resolve") return [];
  return [`${message.type.slice(8)} ${message.command.id}`];
}
