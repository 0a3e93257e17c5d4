/** A shop with one device, the real queue, and a controller that the test plays itself. */

import { Type } from "@sinclair/typebox";
import type { Scope } from "#core/access.ts";
import type { CommandType } from "#core/command/catalogue.ts";
import type { CommandResult } from "#core/command/command.ts";
import type { Baseline, Mark } from "#core/command/marks.ts";
import type { ReportOutcome } from "#core/controller/judge.ts";
import type { CommandReport } from "#core/controller/messages.ts";
import type { Database } from "#db/connection.ts";
import type { ApiAnswer, ApiClient } from "../../../http/testing/api-client.ts";
import { type BenchOptions, createApiBench } from "../../testing/api-bench.ts";
import type { ApplianceCopy } from "../../testing/appliance-copy.ts";

const OUTAGE_MS = 10 * 3_600_000;
export const COMMANDS = "/api/v1/commands";

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

/** Rows whose number tells whether a request left anything behind. */
export interface StoredRows {
  readonly commands: number;
  readonly receipts: number;
  readonly keys: number;
}

export type CommandsBench = Awaited<ReturnType<typeof createCommandsBench>>;

/** A shop that stands on an appliance. */
interface MadeShop {
  readonly token: string;
  readonly orgId: string;
  readonly deviceId: string;
  readonly tillKey: string;
}

const OPEN = { registration: "open" } as const;
/** What a shop is made alike with, so that the one of all tests will do. */
const MAKES_NO_OTHER = new Set<string>([
  ...(["backups", "corsOrigins", "detect", "metricsKey", "network", "outbox"] as const),
  ...(["ports", "simulated", "trustProxy", "updates", "watchLine", "webhooks"] as const),
] satisfies (keyof BenchOptions)[]);

/** Builds the shop. Call `close` at the end. */
export async function createCommandsBench(options: BenchOptions = {}) {
  const known = await usualShop(options);
  const api = createApiBench({ ...OPEN, ...options, ...(known && { copyOf: known.copyOf }) });
  const { queue, database, levers } = api;
  const shop = known?.shop ?? (await makeShop(api));
  const { orgId, deviceId, tillKey } = shop;
  // As whoever made the shop has used it: the first look at a token takes turns of the event loop.
  await api.tokens.read(shop.token);
  const owner = api.client.as(shop.token);
  const till = owner.as(tillKey);

  /** Everything that was begun is on disk. */
  const atRest = async (): Promise<void> => {
    for (let turn = 0; turn < 4; turn++) await api.writer.run(() => undefined);
  };
  const report = (message: CommandReport, of: string | null = orgId) =>
    queue.report({ orgId: of, controllerId: levers.controllerId, reportsMarks: true }, message);
  const markOf = (commandId: string, mark: Mark, baseline: Baseline = {}): CommandReport => ({
    ...{ type: "command.mark", deviceId, commandId, mark, baseline },
  });
  const rows = (): StoredRows => countRows(database);
  const submit = (type: CommandType, payload: unknown = {}): Promise<ApiAnswer> =>
    till.post(COMMANDS, { deviceId, type, payload });

  return {
    ...api,
    ...{ queue, database, levers, owner, orgId, deviceId, till, tillKey, atRest, rows, submit },

    /** Takes a report of the controller as it stands. */
    reported: report,

    /** Queues a command. @returns its id */
    async queued(type: CommandType = "print_receipt", payload: unknown = SALE): Promise<string> {
      const id = commandIdOf(await submit(type, payload));
      await atRest();
      return id;
    },

    /** The controller reports how far a command is. */
    marked: (commandId: string, mark: Mark, baseline?: Baseline): Promise<ReportOutcome> =>
      report(markOf(commandId, mark, baseline)),

    /** The controller reports the end of a command. @param of null: it is inside the process */
    async finish(commandId: string, result: CommandResult, of: string | null = orgId) {
      if (result.success) await report(markOf(commandId, "committing"), of);
      await report({ type: "command.result", deviceId, commandId, result }, of);
      await atRest();
    },

    /** Time in which nobody could ask the printer passes. */
    outages: () => outages(api, deviceId).then(atRest),

    /** A person says what became of a command. */
    resolve: (commandId: string, body: unknown): Promise<ApiAnswer> =>
      till.post(`${COMMANDS}/${commandId}/resolve`, body),

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

interface UsualShop {
  readonly shop: MadeShop;
  readonly copyOf: ApplianceCopy;
}

let made: Promise<UsualShop> | undefined;

/** The one of all tests; undefined where the options ask for another. */
async function usualShop(options: BenchOptions): Promise<UsualShop | undefined> {
  if (!Object.keys(options).every((name) => MAKES_NO_OTHER.has(name))) return undefined;
  made ??= makeUsual();
  return made;
}

async function makeUsual(): Promise<UsualShop> {
  const api = createApiBench(OPEN);
  try {
    const shop = await makeShop(api);
    return { shop, copyOf: api.copy() };
  } finally {
    api.close();
  }
}

async function makeShop(api: ReturnType<typeof createApiBench>): Promise<MadeShop> {
  const { client, orgId, answer } = await api.owner();
  await api.setPlan(orgId, "enterprise");
  const deviceId = await addDevice(client, "Till");
  const tillKey = await makeKey(client, ["commands"]);
  return { token: answer.field("accessToken"), orgId, deviceId, tillKey };
}

/** Whether what is queued for a device now has to wait. @throws Error when it is not queued */
export async function waits(bench: CommandsBench, deviceId: string): Promise<boolean> {
  const { levers, till, atRest } = bench;
  const before = levers.sent.length;
  const answer = await till.post(COMMANDS, { deviceId, type: "z_report", payload: {} });
  if (answer.status !== 202) throw new Error(`refused: ${answer.text}`);
  await atRest();
  return levers.sent.length === before;
}

/** Records over which somebody was asked what became of a document. */
export function askedOver({ levers }: CommandsBench): string[] {
  return levers.sent.flatMap((one) => (one.type === "command.resolve" ? [one.device.id] : []));
}

/** The printer is out of the app's reach for ten hours, and then the app out of ours. */
async function outages(
  { clock, levers }: Pick<ReturnType<typeof createApiBench>, "clock" | "levers">,
  deviceId: string,
): Promise<void> {
  levers.down.add(deviceId);
  await clock.advanceAsync(OUTAGE_MS);
  levers.down.delete(deviceId);
  levers.connected = false;
  await clock.advanceAsync(OUTAGE_MS);
  levers.connected = true;
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

/** Makes a key of these scopes. */
export async function makeKey(
  client: ApiClient,
  scopes: readonly Scope[],
  expiresAt?: string,
): Promise<string> {
  const body = { label: "Till", scopes, ...(expiresAt === undefined ? {} : { expiresAt }) };
  return (await client.post("/api/v1/org/api-keys", body)).field("key");
}
