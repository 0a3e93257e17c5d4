/** A shop with one device, the real queue, and a controller that the test plays itself. */

import { Type } from "@sinclair/typebox";
import type { Scope } from "#core/access.ts";
import type { CommandType } from "#core/command/catalogue.ts";
import type { CommandResult } from "#core/command/command.ts";
import type { ToController } from "#core/controller/messages.ts";
import type { Database } from "#db/connection.ts";
import { createEventBus } from "../../../events/bus.ts";
import type { ApiAnswer, ApiClient } from "../../../http/testing/api-client.ts";
import { CommandQueue } from "../../../queue/command-queue.ts";
import { createReceiptKeeper } from "../../../queue/receipt-keeper.ts";
import { TimerQueue } from "../../../queue/timer-queue.ts";
import { createWaiter } from "../../../queue/waiter.ts";
import { createRunOnce } from "../../idempotency/once.ts";
import { type BenchOptions, type BenchParts, createApiBench } from "../../testing/api-bench.ts";
import { commandRoutes } from "../routes.ts";
import { createCommandService } from "../service.ts";

export const COMMANDS = "/api/v1/commands";
export const CONTROLLER = "c1";

/** A sale that is right. */
export const SALE = {
  items: [{ name: "Bread", quantity: 2, price: 1.5, vatGroup: "VAT1" }],
  payments: [{ method: "cash", amount: 3 }],
};

/** What a document in doubt ends with when its device cannot tell. */
export const UNKNOWN: CommandResult = {
  success: false,
  errorCode: "E102",
  errorMessage: "The line was lost",
  data: { outcome: "unknown" },
};

/** What a test may change of the world while it runs. */
interface Levers {
  /** Whether a controller serves the device. */
  connected: boolean;
  /** Thrown inside the operation, after the command was inserted. */
  insertFault: Error | undefined;
  readonly sent: ToController[];
}

/** Rows whose number tells whether a request left anything behind. */
export interface StoredRows {
  readonly commands: number;
  readonly receipts: number;
  readonly keys: number;
}

export type CommandsBench = Awaited<ReturnType<typeof createCommandsBench>>;

/** Builds the shop. Call `close` at the end. */
export async function createCommandsBench(options: Omit<BenchOptions, "groups"> = {}) {
  const levers: Levers = { connected: true, insertFault: undefined, sent: [] };
  const made: { queue?: CommandQueue; database?: Database } = {};
  const api = createApiBench({
    registration: "open",
    ...options,
    groups(parts) {
      const { queue, routes } = createCommandsModule(parts, levers);
      Object.assign(made, { queue, database: parts.database });
      return [routes];
    },
  });
  const { queue, database } = made;
  if (!queue || !database) throw new Error("the module was not made");
  const { client: owner, orgId } = await api.owner();
  await api.setPlan(orgId, "enterprise");
  const deviceId = await addDevice(owner, "Till");
  const till = owner.as(await makeKey(owner, ["commands"]));

  /** Everything that was begun is on disk. */
  const settled = async (): Promise<void> => {
    for (let turn = 0; turn < 4; turn++) await api.writer.run(() => undefined);
  };
  const rows = (): StoredRows => countRows(database);
  const submit = (type: CommandType, payload: unknown = {}): Promise<ApiAnswer> =>
    till.post(COMMANDS, { deviceId, type, payload });

  return {
    ...api,
    ...{ queue, database, levers, owner, orgId, deviceId, till, settled, rows, submit },

    /** Queues a command. @returns its id */
    async queued(type: CommandType = "print_receipt", payload: unknown = SALE): Promise<string> {
      const id = commandIdOf(await submit(type, payload));
      await settled();
      return id;
    },

    /** The controller reports the end of a command. */
    async finish(commandId: string, result: CommandResult): Promise<void> {
      await queue.finished(CONTROLLER, commandId, result);
      await settled();
    },

    /** A second shop on the same appliance. */
    async otherShop() {
      const other = await api.owner("other@example.com");
      await api.setPlan(other.orgId, "enterprise");
      return { ...other, deviceId: await addDevice(other.client, "Other till") };
    },

    makeKey: (scopes: readonly Scope[], expiresAt?: string) => makeKey(owner, scopes, expiresAt),
    addDevice: (name: string) => addDevice(owner, name),
  };
}

/** The id of `{ command }`. @throws Error with the answer when it is something else */
export function commandIdOf(answer: ApiAnswer): string {
  return commandOf(answer).id;
}

/** What tests look at of `{ command }`. @throws Error with the answer when it is something else */
export function commandOf(answer: ApiAnswer): { id: string; status: string } {
  if (answer.status >= 300) throw new Error(`refused: ${answer.text}`);
  const shape = Type.Object({ id: Type.String(), status: Type.String() });
  return answer.as(Type.Object({ command: shape })).command;
}

function countRows({ sqlite }: Database): StoredRows {
  const count = (table: string): number =>
    Number(sqlite.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
  return {
    commands: count("commands"),
    receipts: count("receipts"),
    keys: count("idempotency_keys"),
  };
}

function createCommandsModule(parts: BenchParts, levers: Levers) {
  const { stores, writer, clock, random, log } = parts;
  const bus = createEventBus((error) => {
    throw error;
  });
  const waiter = createWaiter(bus, clock);
  const receipts = createReceiptKeeper(stores, random);
  const queue = new CommandQueue({
    ...{ stores, writer, bus, clock, log, receipts },
    timers: new TimerQueue(clock),
    times: { pushWaitMs: 60_000, overallMs: 180_000 },
    controllers: {
      controllerOf: () => (levers.connected ? CONTROLLER : undefined),
      send: (_, message) => levers.sent.push(message),
      deviceConfig: (orgId, deviceId) => {
        const device = stores.devices.get(orgId, deviceId);
        return device && { ...device, timezone: "UTC", currency: "RON" };
      },
    },
  });
  const service = createCommandService({
    ...{ stores, writer, clock, random },
    queue: {
      accept(command) {
        const onDisk = queue.accept(command);
        if (levers.insertFault) throw levers.insertFault;
        return onDisk;
      },
      expiryOf: (createdAt) => queue.expiryOf(createdAt),
      cancel: (orgId, commandId) => queue.cancel(orgId, commandId),
      released: (deviceId) => queue.released(deviceId),
      waitFinal: (commandId, ms) => waiter.final(commandId, ms),
    },
    keepReceipt(command, fiscalId, now) {
      const result = { success: true, ...(fiscalId === undefined ? {} : { fiscalId }) };
      receipts.keep(command, result, now);
    },
  });
  const runOnce = createRunOnce({ store: stores.idempotency, writer, clock });
  return { queue, routes: commandRoutes(service, runOnce) };
}

async function addDevice(client: ApiClient, name: string): Promise<string> {
  const answer = await client.post("/api/v1/devices", {
    name,
    driver: "vendorA.isl",
    transport: "tcp",
    locationId: "shop",
    connectionParams: { host: "192.168.1.20", port: 9100 },
  });
  return answer.field("id");
}

async function makeKey(
  client: ApiClient,
  scopes: readonly Scope[],
  expiresAt?: string,
): Promise<string> {
  const body = { label: "Till", scopes, ...(expiresAt === undefined ? {} : { expiresAt }) };
  return (await client.post("/api/v1/org/api-keys", body)).field("key");
}
