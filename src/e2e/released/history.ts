/**
 * A small shop's history, told through the doors of the executable: a row in every table, a command
 * in every state, a hold, a delivery that waits. What a release leaves behind for later versions.
 */

import { Database } from "bun:sqlite";
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { startsFile } from "../../config/state-files.ts";
import { ScriptedController } from "../../modules/controllers/testing/scripted-controller.ts";
import { SALE } from "../crash/documents.ts";
import { quieten } from "../crash/run.ts";
import { ApiClient } from "../harness/gateway.ts";
import { World } from "../harness/world.ts";
import { makeUnknown, run, sell, untilAlert } from "../outages/scene.ts";

/** What a later version has to know of it. */
export interface Facts {
  /** The version that wrote it. */
  readonly version: string;
  /** When it was written. UTC milliseconds. */
  readonly at: number;
  readonly key: string;
  /** A key that was revoked. */
  readonly revoked: string;
  readonly email: string;
  readonly password: string;
  /** A submission that was answered, and the command that it made. */
  readonly repeat: {
    readonly idempotencyKey: string;
    readonly body: object;
    readonly commandId: string;
  };
  /** What each command ended as, or waits as, by its id. */
  readonly commands: Readonly<Record<string, string>>;
  /** Answers of the API to this login, by path. */
  readonly answers: Readonly<Record<string, unknown>>;
}

/** Every path of which the answer is compared. */
const PATHS: readonly string[] = [
  ...["/org", "/org/members", "/org/locations", "/org/api-keys", "/org/webhooks"],
  ...["/billing", "/receipts", "/reports", "/audit"],
];

const PASSWORD = "a member's long password";
const MEMBER = "member@shop.example";

/** A history, and where it is. */
export interface History {
  readonly facts: Omit<Facts, "version">;
  /** Names of tables without a row. */
  readonly empty: readonly string[];
}

/**
 * Writes a history into a file.
 * @param file that is not there yet
 */
export async function writeHistory(file: string): Promise<History> {
  // The queue gives up what nobody serves, and what waits is there at the end.
  const world = await World.open({
    args: ["--webhooks-allow-loopback=true", "--commands-push-wait-seconds=2"],
  });
  try {
    await quieten(world);
    const told = await live(world);
    await world.killGateway();
    await world.printer.kill();
    const database = new Database(world.database);
    database.run(`VACUUM INTO '${file}'`);
    const empty = emptyTables(database);
    const commands = commandsOf(database);
    database.close();
    return { facts: { ...told, commands, at: Date.now() }, empty };
  } finally {
    await world.close();
  }
}

type Told = Omit<Facts, "version" | "at" | "commands">;

async function live(world: World): Promise<Told> {
  const { owner, revoked } = await staff(world);
  const repeat = await trade(world, owner);
  await makeUnknown(world, "x");
  const devices = await addRemote(world, ["Served", "Second", "Unserved", "Never seen"]);
  await putBack(world, [world.deviceId, ...devices.slice(0, 3)]);
  await leaveUnfinished(world, devices);
  const answers: Record<string, unknown> = {};
  const member = await loggedIn(world.gateway.url, { email: MEMBER, password: PASSWORD });
  for (const path of PATHS) answers[path] = await member.expect("GET", path);
  return {
    key: world.till.credential ?? "",
    revoked,
    email: MEMBER,
    password: PASSWORD,
    repeat,
    answers,
  };
}

/** Logs in. @throws Error when that is refused */
export async function loggedIn(
  url: string,
  { email, password }: Pick<Facts, "email" | "password">,
): Promise<ApiClient> {
  const login = { email, password };
  const { accessToken } = await new ApiClient(url).expect<{ accessToken: string }>(
    ...(["POST", "/auth/login", login] as const),
  );
  return new ApiClient(url, accessToken);
}

/** People, keys and places. @returns the owner's client, also after a restart, and a revoked key */
async function staff(world: World) {
  const owner = () => new ApiClient(world.gateway.url, world.ownerToken);
  const post = <T>(path: string, body: object) => owner().expect<T>("POST", path, body);
  await owner().expect("PATCH", "/org", { closingTime: "23:59", closingAutomatic: true });
  await post("/org/locations", { name: "Market hall", timezone: "Europe/Sofia" });
  await post("/org/members", { email: MEMBER, name: "Bob", role: "admin", password: PASSWORD });
  await post("/org/members", { email: "new@shop.example", name: "Cleo", role: "operator" });
  const label = { label: "Lost", scopes: ["receipts:read"] };
  const lost = await post<{ id: string; key: string }>("/org/api-keys", label);
  await owner().expect("DELETE", `/org/api-keys/${lost.id}`);
  const login = (password: string) =>
    owner().call("POST", "/auth/login", { body: { email: MEMBER, password } });
  await login("wrong, and noticed");
  await login(PASSWORD);
  return { owner, revoked: lost.key };
}

/** A day's documents, one of them under a key and one that was not printed. */
async function trade(world: World, owner: () => ApiClient): Promise<Facts["repeat"]> {
  await owner().expect("POST", "/org/webhooks", {
    ...{ url: "https://127.0.0.1:9/in", events: ["command.completed"] },
  });
  await run(world, "cash_in", { amount: 900 });
  await sell(world);
  const { receipts } = await world.till.expect<{ receipts: { id: string }[] }>("GET", "/receipts");
  const storno = { reason: "operator-error" };
  const path = `/receipts/${receipts[0]?.id}/storno`;
  const { command } = await world.till.expect<{ command: { id: string } }>("POST", path, storno);
  await world.till.wait(command.id);
  await run(world, "x_report");
  await run(world, "z_report");
  await world.printer.fault({ kind: "paper_out" });
  await sell(world);
  await world.printer.clear();
  const body = { deviceId: world.deviceId, type: SALE.type, payload: SALE.payload };
  const headers = { "Idempotency-Key": "kept" };
  const answer = await world.till.call<{ command: { id: string } }>("POST", "/commands", {
    ...{ body, headers },
  });
  await world.till.wait(answer.body.command.id);
  return { idempotencyKey: "kept", body, commandId: answer.body.command.id };
}

/** Devices that nobody drives, or a tablet does. @returns their ids */
async function addRemote({ gateway, ownerToken }: World, names: readonly string[]) {
  const owner = new ApiClient(gateway.url, ownerToken);
  const ids: string[] = [];
  for (const [index, name] of names.entries()) {
    const { id } = await owner.expect<{ id: string }>("POST", "/devices", {
      ...{ name, driver: "vendorA.isl", locationId: "shop", managedBy: "remote" },
      ...{ transport: "tcp", connectionParams: { host: "127.0.0.1", port: 10 + index } },
    });
    ids.push(id);
  }
  return ids;
}

/** A start after which the printers are asked what they have printed since; some are accepted. */
async function putBack(world: World, accepted: readonly string[]): Promise<void> {
  await world.killGateway();
  rmSync(dirname(startsFile(join(world.folder, "state"))), { recursive: true });
  await world.restartGateway();
  await untilAlert(world, "state_restored");
  const owner = new ApiClient(world.gateway.url, world.ownerToken);
  for (const id of accepted) await owner.expect("POST", `/devices/${id}/accept-state`);
}

/** What is under way when the history ends: given up, in doubt, sent, and waiting. */
async function leaveUnfinished(world: World, devices: readonly string[]): Promise<void> {
  const [served = "", second = "", unserved = ""] = devices;
  const given = await world.till.submit(unserved, "get_status");
  if ((await world.till.wait(given.id)).status !== "timeout")
    throw new Error("it did not time out");
  const connect = () =>
    ScriptedController.connect(world.gateway.url, { credential: world.till.credential ?? "" });
  const before = await connect();
  before.announce(served);
  const { id: commandId } = await world.till.submit(served, SALE.type, SALE.payload);
  const { epoch } = await before.next("command.dispatch");
  const about = { deviceId: served, commandId, epoch };
  before.say({ type: "command.ack", ...about });
  before.say({ type: "command.mark", ...about, mark: "baseline", baseline: { last: 26 } });
  before.say({ type: "command.mark", ...about, mark: "committing" });
  await before.next("mark.stored");
  await before.next("mark.stored");
  await world.killGateway();
  await world.restartGateway();
  const after = await connect();
  after.announce(served);
  await after.next("command.resolve");
  after.announce(second);
  await world.till.submit(second, "get_status");
  await after.next("command.dispatch");
  await world.till.submit(second, "x_report");
}

function emptyTables(database: Database): string[] {
  const tables = database
    .query<{ name: string }, []>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'",
    )
    .all();
  return tables
    .map(({ name }) => name)
    .filter((name) => database.query(`SELECT 1 FROM ${name} LIMIT 1`).get() === null);
}

function commandsOf(database: Database): Record<string, string> {
  const rows = database
    .query<{ id: string; status: string }, []>("SELECT id, status FROM commands ORDER BY seq")
    .all();
  return Object.fromEntries(rows.map(({ id, status }) => [id, status]));
}
