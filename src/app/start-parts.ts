/** Starts the parts of a gateway on its foundation: they take up what the last run left. */

import { isFinal } from "#core/command/command.ts";
import { waitsForHand } from "#core/device/complaints.ts";
import { portKeys } from "#drivers/transport/same-port.ts";
import { AddressLookUps } from "../gateway/address-look-ups.ts";
import { Controllers } from "../gateway/controllers.ts";
import { endLeftOnline } from "../gateway/left-online.ts";
import { AlertWatch } from "../modules/devices/alert-watch.ts";
import { ClosingWatch, type ClosingWatchOptions } from "../modules/devices/closing-watch.ts";
import { mailServer } from "../platform/mail-server.ts";
import { createOutbox, type Outbox } from "../platform/outbox.ts";
import { logCommandEnds } from "../queue/command-log.ts";
import { CommandQueue } from "../queue/command-queue.ts";
import { type DocumentCheckOptions, DocumentChecks } from "../queue/document-check.ts";
import { FirstNumbers } from "../queue/first-number.ts";
import { nameInstallation } from "../queue/installation.ts";
import type { ControllerPort } from "../queue/ports.ts";
import { createRecordKeeper } from "../queue/record-keeper.ts";
import { RestoredState } from "../queue/restored-state.ts";
import { createWaiter } from "../queue/waiter.ts";
import { BackupPlaces } from "./backup-places.ts";
import { createBackups, watchReplica } from "./backups.ts";
import {
  followDevices,
  followSimulated,
  liveDevices,
  startBuiltinController,
} from "./controllers.ts";
import { createFeed } from "./event-records.ts";
import { CommandEnds } from "./metrics.ts";
import type { Foundation } from "./parts.ts";
import { startPush } from "./push.ts";
import { StartCount } from "./start-count.ts";
import { purgeRegularly, watchClock, watchOtherWriters } from "./upkeep.ts";
import { createWebhooks } from "./webhooks.ts";
import { checkBeside } from "./whole-check.ts";

/** After these another printer may stand behind a device. */
const HOLDS_MAY_CHANGE: ReadonlySet<string> = new Set([
  "device.updated",
  "device.released",
  "device.online",
]);

export type Parts = Awaited<ReturnType<typeof startParts>>;

/** The queue, the gateway and the built-in controller, at work on what the last run left. */
export async function startParts(foundation: Foundation) {
  const { config, log, clock, time, random, stores, writer, timers, bus, events } = foundation;
  const { disk, loss } = foundation;
  logCommandEnds(bus, log);
  const webhooks = createWebhooks(foundation);
  const waiter = createWaiter(bus, clock);
  const records = createRecordKeeper(stores, random);
  const queue = new CommandQueue({
    ...{ stores, writer, clock, time, log, timers, records },
    closed: () => disk.problem()?.text,
    times: {
      pushWaitMs: config["commands.pushWaitSeconds"] * 1_000,
      overallMs: config["commands.overallSeconds"] * 1_000,
    },
    controllers: controllerPort(() => controllers),
  });
  const controllers = new Controllers({
    ...{ stores, writer, clock, log, reports: queue },
    onDeviceChange: (deviceId) => alerts.changed(deviceId),
    onFault: (error) => loss.failed(error),
  });
  const live = liveDevices(controllers, queue, disk);
  const alerts = new AlertWatch({ stores, writer, clock, log, timers, live });
  const lookUps = new AddressLookUps({
    ...{ stores, writer, addressKeys: (address) => portKeys(address, clock) },
  });
  await lookUps.all();
  const restored = new RestoredState({
    ...{ stores, writer, clock, log, random, timers, records, queue, controllers },
  });
  const starts = await countStart(foundation, restored);
  await writer.run((tx) => endLeftOnline({ stores, tx }, clock.now()));
  const checks = await checkDocuments(foundation, { queue, controllers, alerts });
  await queue.recover();
  const builtin = startBuiltinController(foundation, controllers);
  alerts.begin();
  disk.onChange(() => alerts.allChanged());
  const closings = await watchClosings(foundation, { live, queue, alerts });
  bus.subscribe(({ event }) => alerts.heard(event));
  followHolds(foundation, { askers: [restored, checks], queue, lookUps });
  followDevices(bus, controllers, builtin.roster);
  followSimulated(foundation);
  watchOtherWriters(foundation, () => {
    events.catchUp();
    queue.reconcile();
  });
  const outbox = startOutbox(foundation);
  const push = startPush(foundation, {
    isConnected: (key) => controllers.isConnected(key),
    waiting: () => queue.waiting(),
    woken: (deviceId, controllerId) => queue.woken(deviceId, controllerId),
  });
  await webhooks.deliveries.start();
  purgeRegularly(foundation);
  watchClock(foundation, () => queue.lookAtClock());
  const feed = createFeed(foundation);
  const backupPlaces = new BackupPlaces(foundation);
  const backups = createBackups(foundation, backupPlaces);
  backups.start();
  const replica = watchReplica(foundation);
  replica.start(foundation.stopping);
  checkBeside(foundation);
  const ended = new CommandEnds(bus);
  const tellers = { alerts, closings, outbox, push, webhooks, feed, ended };
  const copies = { backups, backupPlaces, replica };
  return { waiter, starts, queue, controllers, live, builtin, ...copies, ...tellers };
}

/** Counts this start, and says what follows where the state was put back from a copy. */
async function countStart(
  { config, stores, writer, random, log, bus }: Foundation,
  restored: RestoredState,
): Promise<StartCount> {
  const starts = new StartCount({ stateDir: config["state.dir"], stores, log });
  const isRestored = starts.count();
  // From the first event on: a database without it is an older one.
  bus.subscribe(({ seq }) => starts.noteEvent(seq));
  if (isRestored) await restored.begin();
  await writer.run(() => nameInstallation(stores, random));
  await restored.takeUp();
  return starts;
}

/** @param controllers they are made with the queue, which uses them later alone */
function controllerPort(controllers: () => Controllers): ControllerPort {
  return {
    controllerOf: (deviceId) => controllers().controllerOf(deviceId),
    reaches: (deviceId) => controllers().reaches(deviceId),
    mayAnswer(deviceId) {
      const status = controllers().live(deviceId)?.reading?.status;
      return controllers().reaches(deviceId) && !waitsForHand(status);
    },
    reasonOf: (deviceId) => controllers().reasonOf(deviceId),
    send: (key, message) => controllers().send(key, message),
    deviceConfig: (orgId, deviceId) => controllers().deviceConfig(orgId, deviceId),
  };
}

/** Says which printers are to be asked what they printed last. */
async function checkDocuments(
  foundation: Foundation,
  parts: Pick<DocumentCheckOptions, "queue" | "controllers"> & { readonly alerts: AlertWatch },
): Promise<DocumentChecks> {
  const { queue, controllers, alerts } = parts;
  const checks = new DocumentChecks({
    ...{ ...foundation, queue, controllers },
    whenAhead: foundation.config["printers.whenAhead"],
    onChange: (deviceId) => alerts.changed(deviceId),
  });
  await checks.begin();
  return checks;
}

interface HoldParts {
  /** Who asks printers for their last document, and holds them until they tell. */
  readonly askers: readonly (RestoredState | DocumentChecks)[];
  readonly queue: CommandQueue;
  readonly lookUps: AddressLookUps;
}

/** Tells of what holds may follow from, and of what printers are asked. */
function followHolds(foundation: Foundation, { askers, queue, lookUps }: HoldParts): void {
  const { bus, config, log } = foundation;
  const isAsking = config["printers.whenAhead"] !== "ignore";
  const firstNumbers = isAsking ? [new FirstNumbers({ ...foundation, queue })] : [];
  const lookUp = async (deviceId: string) => {
    if (await lookUps.of(deviceId)) queue.holdsChanged();
  };
  bus.subscribe(({ event }) => {
    const { type } = event;
    for (const asker of [...askers, ...firstNumbers]) {
      if (type === "device.online") asker.reached(event.device.id);
      if (type === "command.updated" && isFinal(event.command.status)) asker.ended(event.command);
    }
    for (const asker of askers) {
      if (type === "device.updated") asker.changed(event.device.id);
    }
    if (HOLDS_MAY_CHANGE.has(type)) queue.holdsChanged();
    if (type === "device.online") {
      const deviceId = event.device.id;
      lookUp(deviceId).catch((error: unknown) => {
        log.error("what an address leads to was not stored", { deviceId, error });
      });
    }
  });
}

/** Looks after the shop's closing time. */
async function watchClosings(
  foundation: Foundation,
  parts: Pick<ClosingWatchOptions, "live" | "queue"> & { readonly alerts: AlertWatch },
): Promise<ClosingWatch> {
  const { alerts, live, queue } = parts;
  const closings = new ClosingWatch({
    ...{ ...foundation, live, queue },
    closed: () => foundation.disk.problem()?.text,
    onChange: (deviceId) => alerts.changed(deviceId),
  });
  await closings.start();
  return closings;
}

/** Undefined where no mail server is configured. */
function startOutbox({ config, clock, log }: Foundation): Outbox | undefined {
  const host = config["smtp.host"];
  if (host === "") return undefined;
  const user = config["smtp.user"];
  const deliver = mailServer({
    ...{ host, user, port: config["smtp.port"], security: config["smtp.security"] },
    ...{ password: config["smtp.password"], caFile: config["smtp.caFile"] },
    from: config["smtp.from"] || user,
  });
  return createOutbox({ deliver, clock, log });
}
