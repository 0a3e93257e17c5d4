/** A queue over a database in memory, and a controller that does what a test says. */

import { acceptedCommand, type CommandResult } from "#core/command/command.ts";
import type { Baseline, Mark } from "#core/command/marks.ts";
import type { Reporter } from "#core/controller/judge.ts";
import type { ToController } from "#core/controller/messages.ts";
import { openDatabase } from "#db/connection.ts";
import { migrate } from "#db/migrate.ts";
import type { NewCommand } from "#db/stores/commands.ts";
import { createStores } from "#db/stores/index.ts";
import { Writer } from "#db/writer.ts";
import { createEventBus } from "../../events/bus.ts";
import { EventLog } from "../../events/event-log.ts";
import { FakeClock } from "../../platform/clock.ts";
import { createLog } from "../../platform/log.ts";
import { createRandom } from "../../platform/random.ts";
import { CommandQueue } from "../command-queue.ts";
import { takeUpTime } from "../kept-time.ts";
import { createReceiptKeeper } from "../receipt-keeper.ts";
import { TimerQueue } from "../timer-queue.ts";

export const ORG = "0123456789ab";
export const DEVICE = "dev_1";
const SALE = {
  items: [{ name: "Bread", quantity: 2, price: 1.5, vatGroup: "VAT1" }],
  payments: [{ method: "cash", amount: 3 }],
};

export type QueueBench = ReturnType<typeof createQueueBench>;

/** The queue over its database, and the far end of its controller. */
function startQueue() {
  const clock = new FakeClock();
  const database = openDatabase(":memory:");
  migrate(database, clock.now());
  const stores = createStores(database);
  stores.organizations.insert({
    ...{ id: ORG, name: "Shop", currency: "RON", timezone: "UTC", plan: "pro" },
    ...{ createdAt: 0, updatedAt: 0 },
  });
  const random = createRandom(clock);
  const bus = createEventBus((error) => {
    throw error;
  });
  const writer = new Writer(database, { events: new EventLog({ stores, bus, clock, random }) });
  /** What was sent to the controller. */
  const sent: ToController[] = [];
  const controller = { connected: true, remote: false };
  const queue = new CommandQueue({
    ...{ stores, writer, clock },
    time: takeUpTime(stores.appliance, clock),
    log: createLog({ level: "silent", clock }),
    timers: new TimerQueue(clock),
    times: { pushWaitMs: 60_000, overallMs: 180_000 },
    receipts: createReceiptKeeper(stores, random),
    controllers: {
      controllerOf() {
        if (!controller.connected) return undefined;
        return { orgId: controller.remote ? ORG : null, controllerId: "c1" };
      },
      reasonOf: () => undefined,
      send: (_, message) => sent.push(message),
      deviceConfig: (orgId, id) => ({
        ...{ id, orgId, name: "Till", driver: "vendorA.isl", transport: "tcp" },
        connectionParams: { host: "h", port: 1 },
        ...{ timezone: "UTC", currency: "RON" },
      }),
    },
  });
  return { clock, database, stores, writer, queue, sent, controller };
}

/** Makes one, with one organization and one device. */
export function createQueueBench() {
  const base = startQueue();
  const { clock, stores, writer, queue, sent } = base;
  /** A receipt that is about to be accepted. */
  const command = (id: string): NewCommand => {
    const now = clock.now();
    return acceptedCommand({
      ...{ id, orgId: ORG, deviceId: DEVICE, type: "print_receipt", payload: SALE },
      ...{ source: "api", createdAt: now, expiresAt: queue.expiryOf(now) },
    });
  };
  /** Everything that was begun is on disk, or has failed. */
  const atRest = async (): Promise<void> => {
    for (let turn = 0; turn < 4; turn++) await writer.run(() => undefined).catch(() => undefined);
  };
  let ids = 0;
  const submit = async (): Promise<string> => {
    const accepted = command(`cmd_${++ids}`);
    await writer.run((tx) => queue.accept(tx, accepted));
    await atRest();
    return accepted.id;
  };
  const reporter = (controllerId: string): Reporter => ({
    ...{ orgId: ORG, controllerId, reportsMarks: true },
  });
  const marked = (
    controllerId: string,
    commandId: string,
    { mark, baseline }: { readonly mark: Mark; readonly baseline: Baseline },
  ) =>
    queue.report(reporter(controllerId), {
      ...{ type: "command.mark", deviceId: DEVICE, commandId, mark, baseline },
    });
  /** A document that a driver printed: its mark goes before the result. */
  const finished = async (controllerId: string, commandId: string, result: CommandResult) => {
    await marked(controllerId, commandId, { mark: "committing", baseline: {} });
    return queue.report(reporter(controllerId), {
      ...{ type: "command.result", deviceId: DEVICE, commandId, result },
    });
  };
  return {
    ...base,
    ...{ command, submit, atRest, marked, finished },
    status: (id: string) => stores.commands.get(ORG, id)?.status,
    /** Commands that were handed out, as "dispatch <id>" and "resolve <id>". */
    out: () =>
      sent.flatMap((message) =>
        message.type === "command.dispatch" || message.type === "command.resolve"
          ? [`${message.type.slice(8)} ${message.command.id}`]
          : [],
      ),
  };
}
