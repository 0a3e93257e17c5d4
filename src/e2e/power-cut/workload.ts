/**
 * A shop's first hour, to be watched while its files are written: set-up, sales at a printer of the
 * gateway's own, at one behind a controller and at a simulated one, a kill, a start, a backup, a
 * clean stop. Run as a program of its own, so that whatever it starts is watched with it.
 *
 * Arguments: a folder, in which `disk` is what is watched, and the number of sales of each till.
 */

import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Box } from "../harness/box.ts";
import {
  type Answer,
  ApiClient,
  type Gateway,
  type ShownCommand,
  startGateway,
} from "../harness/gateway.ts";
import { executable } from "../harness/program.ts";
import { startRemoteController } from "../harness/remote-controller.ts";
import { runToEnd } from "../harness/run-to-end.ts";
import { type SimulatedPrinter, startPrinter } from "../harness/simulator.ts";
import { until } from "../harness/until.ts";
import {
  bodyOf,
  GATEWAY_ARGS,
  type Story,
  type StorySale,
  type Told,
  type Witness,
} from "./story.ts";

const [, , folder = "", sales = "6"] = process.argv;
const disk = join(folder, "disk");
const stateDir = join(disk, "state");
const controllerDir = join(disk, "far");
const DRIVER = "vendorA.isl";
const EMAIL = "owner@shop.example";
const PASSWORD = "a long password";

const told: { by: Witness; what: Told }[] = [];
let requests = 0;
let marks = 0;
let sold = 0;

mkdirSync(join(folder, "marks"));
writeFileSync(join(folder, "passphrase"), "a passphrase for tests\n", { flush: true });

/** Notes what is known from here on. */
function mark(what: Told): void {
  marks += 1;
  const path = join(folder, "marks", String(marks));
  writeFileSync(path, "");
  told.push({ by: { mark: path }, what });
}

/** Calls the API, and notes what the answer tells. @throws Error when it is no success */
async function ask<T>(
  client: ApiClient,
  request: readonly [method: string, path: string, body?: unknown],
  options: {
    readonly headers?: Readonly<Record<string, string>>;
    readonly tells?: (body: T) => Told | undefined;
  } = {},
): Promise<T> {
  const [method, path, body] = request;
  requests += 1;
  const requestId = `story-${requests}`;
  const headers = { ...options.headers, "x-request-id": requestId };
  const answer: Answer<T> = await client.call(method, path, { body, headers });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  const what = options.tells?.(answer.body);
  if (what !== undefined) told.push({ by: { requestId }, what });
  return answer.body;
}

type Answered = { readonly command: ShownCommand };

function accepted(client: ApiClient, sale: StorySale): Promise<Answered> {
  return ask(client, ["POST", "/commands", bodyOf(sale)], {
    headers: { "idempotency-key": sale.idempotencyKey },
    tells: ({ command }) => ({ kind: "accepted", sale, commandId: command.id }),
  });
}

function newSale(deviceId: string): StorySale {
  sold += 1;
  return { deviceId, idempotencyKey: `sale-${sold}`, total: 100 + sold };
}

/** Sells one after the other, each to its end. */
async function sellAll(client: ApiClient, deviceId: string, count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) {
    const { command } = await accepted(client, newSale(deviceId));
    const { command: last } = await ended(client, command.id);
    if (last.status !== "completed") throw new Error(`a sale failed: ${JSON.stringify(last)}`);
  }
}

function ended(client: ApiClient, commandId: string): Promise<Answered> {
  return ask(client, ["GET", `/commands/${commandId}?wait=60`], {
    tells: ({ command }) => ({
      ...{ kind: "ended", commandId, status: command.status },
      outcome: String(command.result?.data?.outcome),
    }),
  });
}

/** `fiscald setup` on a new machine. @returns the till's key */
async function setUp(printer: SimulatedPrinter): Promise<{ key: string; deviceId: string }> {
  const words = [
    ...[await executable(), "setup", "--state-dir", stateDir, "--json", "--password-stdin"],
    ...["--owner-name", "Ann", "--owner-email", EMAIL, "--shop", "Corner Shop"],
    ...["--plan", "enterprise", "--key", "Till 1", "--printer-driver", DRIVER],
    ...["--printer", `${printer.host}:${printer.port}`],
  ];
  const { out, err, code } = await runToEnd(words, { stdin: `${PASSWORD}\n` });
  if (code !== 0) throw new Error(`setup ended with ${code}:\n${err}`);
  const { made }: { made: { key: { key: string }; deviceId: string } } = JSON.parse(out);
  mark({ kind: "there", path: `/devices/${made.deviceId}`, fields: { driver: DRIVER } });
  return { key: made.key.key, deviceId: made.deviceId };
}

async function settings(owner: ApiClient, deviceId: string): Promise<void> {
  const changes = { name: "Counter" };
  await ask(owner, ["PATCH", `/devices/${deviceId}`, changes], {
    tells: () => ({ kind: "there", path: `/devices/${deviceId}`, fields: changes }),
  });
  const scopes = ["receipts:read"];
  const { id, key } = await ask<{ id: string; key: string }>(owner, [
    ...(["POST", "/org/api-keys"] as const),
    { label: "Lost", scopes },
  ]);
  await ask(owner, ["DELETE", `/org/api-keys/${id}`], { tells: () => ({ kind: "revoked", key }) });
}

async function backUp(owner: ApiClient): Promise<void> {
  await ask(owner, ["POST", "/backups", {}]);
  await until("the backup", async () => {
    const { last } = await ask<{ last: object | null }>(owner, ["GET", "/backups"]);
    return last !== null;
  });
  const backups = join(stateDir, "backups");
  for (const name of readdirSync(backups)) mark({ kind: "backup", path: join(backups, name) });
}

/** A shop that is opened: what everything else is done in. */
interface Shop {
  readonly near: SimulatedPrinter;
  readonly far: SimulatedPrinter;
  readonly key: string;
  readonly nearId: string;
  /** With the till's key, and with the owner's login. */
  readonly till: ApiClient;
  readonly owner: ApiClient;
}

const args = [...GATEWAY_ARGS, `--backup-passphrase-file=${join(folder, "passphrase")}`];
const box = new Box();

async function openShop(): Promise<Shop & { readonly gateway: Gateway }> {
  const printer = async (name: string) =>
    box.keep(await startPrinter({ stateFile: join(folder, "printers", name), driver: DRIVER }));
  const [near, far] = [await printer("near"), await printer("far")];
  const { key, deviceId: nearId } = await setUp(near);
  const gateway = box.keep(await startGateway(stateDir, { args }));
  const till = new ApiClient(gateway.url, key);
  const credentials = { email: EMAIL, password: PASSWORD };
  const login = await ask<{ accessToken: string }>(till, ["POST", "/auth/login", credentials]);
  const pem = await (await fetch(`${gateway.url}/ca.pem`)).text();
  mark({ kind: "authority", pem });
  const owner = new ApiClient(gateway.url, login.accessToken);
  return { near, far, key, nearId, till, owner, gateway };
}

/** The device behind a controller, the simulated one, and the controller's key. */
async function furnish({ owner, far }: Shop) {
  const own = { driver: DRIVER, locationId: "shop" };
  const line = { transport: "tcp", connectionParams: { host: far.host, port: far.port } };
  const { id: farId } = await ask<{ id: string }>(
    owner,
    ["POST", "/devices", { ...own, ...line, name: "Far", managedBy: "remote" }],
    { tells: ({ id }) => ({ kind: "there", path: `/devices/${id}`, fields: { name: "Far" } }) },
  );
  const { id: simulatedId } = await ask<{ id: string }>(
    owner,
    ["POST", "/devices/simulated", { ...own, name: "Training" }],
    {
      tells: ({ id }) => ({ kind: "there", path: `/devices/${id}`, fields: { name: "Training" } }),
    },
  );
  const label = { label: "Far", scopes: ["all"] };
  const { key } = await ask<{ key: string }>(owner, ["POST", "/org/api-keys", label]);
  return { farId, simulatedId, controllerKey: key };
}

async function live(): Promise<Story> {
  const shop = await openShop();
  const { near, far, key, nearId, till, owner, gateway } = shop;
  const { farId, simulatedId, controllerKey } = await furnish(shop);
  const startController = () =>
    startRemoteController({
      ...{ line: { url: gateway.url }, key: controllerKey, controllerId: "far" },
      ...{ stateDir: controllerDir, args: [`--device=${farId}`] },
    });
  const controller = box.keep(await startController());
  const count = Number(sales);
  await Promise.all([
    sellAll(till, nearId, count),
    sellAll(till, farId, count),
    sellAll(till, simulatedId, 1),
    settings(owner, nearId),
  ]);
  // Both go down in the middle of a sale, and come back.
  const begun = [await accepted(till, newSale(nearId)), await accepted(till, newSale(farId))];
  await Promise.all([gateway.kill(), controller.kill()]);
  const { host: address } = new URL(gateway.url);
  const again = box.keep(await startGateway(stateDir, { args, address }));
  const controllerAgain = box.keep(await startController());
  for (const { command } of begun) await ended(till, command.id);
  await Promise.all([sellAll(till, nearId, count), backUp(owner)]);
  await controllerAgain.stop();
  await again.stop();
  const asPrinter = ({ host, port, number, stateFile }: SimulatedPrinter, deviceId: string) => {
    return { deviceId, host, port, number, stateFile };
  };
  return {
    ...{ stateDir, controllerDir, simulatedId, key, controllerKey, controllerId: "far", told },
    printers: [asPrinter(near, nearId), asPrinter(far, farId)],
  };
}

try {
  writeFileSync(join(folder, "story.json"), JSON.stringify(await live()));
} finally {
  await box.clear();
}
