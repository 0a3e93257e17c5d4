/**
 * What an appliance goes through besides selling, to be watched: a backup, an update that stays, one
 * that goes back, a repair, a restore. The state directory is that of a folder which stands for a
 * machine. The argument is a folder; what no power cut harms is beside `disk` in it.
 */

import { Database } from "bun:sqlite";
import {
  closeSync,
  copyFileSync,
  fsyncSync,
  mkdirSync,
  openSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { MachineFolder } from "../../cli/testing/machine-folder.ts";
import { flushAll } from "../../platform/durable-file.ts";
import { VERSION } from "../../version.ts";
import { Box } from "../harness/box.ts";
import { ApiClient, type Gateway, startGateway } from "../harness/gateway.ts";
import { NO_POLLING } from "../harness/premises.ts";
import { executable } from "../harness/program.ts";
import { runToEnd } from "../harness/run-to-end.ts";
import { startPrinter } from "../harness/simulator.ts";
import { bodyOf, type StorySale } from "./story.ts";
import {
  BACKUPS,
  BROKEN,
  type Chore,
  FORMER,
  markOf,
  PASSPHRASE,
  STATE,
  type UpkeepStory,
} from "./upkeep-story.ts";

const [, , folder = ""] = process.argv;
const disk = join(folder, "disk");
const stateDir = join(disk, STATE);
const passphrase = join(folder, PASSPHRASE);
const program = await executable();
const box = new Box();
const machine = new MachineFolder({ folder: join(folder, "beside"), root: disk, program });

writeFileSync(passphrase, "a passphrase for tests\n");
for (const name of ["marks", "printers", "beside"]) mkdirSync(join(folder, name));

async function fiscald(words: readonly string[], stdin = ""): Promise<string> {
  const ended = await runToEnd([program, ...words, "--state-dir", stateDir], { stdin });
  // A restore ends with 1 where a person has to look.
  if (ended.code > 1) throw new Error(`${words.join(" ")}: ${ended.code}\n${ended.err}`);
  return ended.out;
}

const secret = ["--backup-passphrase-file", passphrase, "--backup-work-factor", "10"];
const printer = box.keep(await startPrinter({ stateFile: join(folder, "printers", "near") }));
const sales: StorySale[] = [];

async function setUp(): Promise<{ key: string; deviceId: string }> {
  const owner = ["--owner-name", "Ann", "--owner-email", "owner@shop.example", "--shop", "Corner"];
  const out = await fiscald(
    [
      ...["setup", ...owner, "--plan", "pro", "--key", "Till 1", "--json", "--password-stdin"],
      ...["--printer-driver", "vendorA.isl", "--printer", `${printer.host}:${printer.port}`],
    ],
    "a long password\n",
  );
  const { made }: { made: { key: { key: string }; deviceId: string } } = JSON.parse(out);
  return { key: made.key.key, deviceId: made.deviceId };
}

const { key, deviceId } = await setUp();

/** Sells once, to the end. */
async function sell(gateway: Gateway): Promise<void> {
  const till = new ApiClient(gateway.url, key);
  const at = sales.length + 1;
  const sale = { deviceId, idempotencyKey: `sale-${at}`, total: 100 + at };
  const { body } = await till.call<{ command: { id: string } }>("POST", "/commands", {
    body: bodyOf(sale),
    headers: { "idempotency-key": sale.idempotencyKey },
  });
  const { status } = await till.wait(body.command.id);
  if (status !== "completed") throw new Error(`a sale ended ${status}`);
  sales.push(sale);
}

const open = (): Promise<Gateway> => startGateway(stateDir, { args: [NO_POLLING] });
/** What systemd starts at boot. */
const WANTED = "etc/systemd/system/multi-user.target.wants";
const known: Partial<Record<Chore, number>> = {};

/** Does a chore between two marks. */
async function watched(chore: Chore, work: () => Promise<unknown>): Promise<void> {
  known[chore] = sales.length;
  writeFileSync(join(folder, markOf(chore, "begins")), "");
  await work();
  writeFileSync(join(folder, markOf(chore, "ends")), "");
}

/** Where a page is whose loss costs nothing: an index can be made anew. */
function pageOfIndex(file: string): { readonly at: number; readonly bytes: number } {
  const database = new Database(file);
  const look = (query: string): number => Object.values(database.query(query).get() ?? {})[0];
  const page = look("SELECT rootpage FROM sqlite_master WHERE name = 'users_by_org'");
  const bytes = look("PRAGMA page_size");
  database.close();
  return { at: (page - 1) * bytes, bytes };
}

/** Leaves a database of which a page is ruined, and a log beside it that holds a sale. */
async function damage(): Promise<void> {
  const file = join(stateDir, "fiscald.db");
  const { at, bytes } = pageOfIndex(file);
  const gateway = box.keep(await open());
  await sell(gateway);
  await gateway.kill();
  const descriptor = openSync(file, "r+");
  writeSync(descriptor, Buffer.alloc(bytes, 0xff), 0, bytes, at);
  fsyncSync(descriptor);
  closeSync(descriptor);
}

async function sellOnce(): Promise<void> {
  const gateway = box.keep(await open());
  await sell(gateway);
  await gateway.stop();
}

/** Updates while the service runs. @param code that the update ends with */
async function update(version: string, code: number, ...lines: readonly string[]): Promise<void> {
  const archive = await machine.pack(version, machine.gatewayCalled(version, ...lines));
  const chore = code === 0 ? "update" : "failed update";
  await machine.systemctl("start");
  await watched(chore, async () => {
    const ended = await machine.update(archive);
    if (ended.code !== code) throw new Error(`${chore}: ${ended.code}\n${ended.out}${ended.err}`);
  });
  await machine.systemctl("stop");
}

async function live(): Promise<UpkeepStory> {
  mkdirSync(join(disk, BACKUPS), { recursive: true });
  machine.install(FORMER, [NO_POLLING]);
  // What every Debian has.
  for (const path of ["usr/local/lib", "etc/udev/rules.d", WANTED]) {
    mkdirSync(machine.at(path), { recursive: true });
  }
  await sellOnce();
  const backup = ["backup", "--to", join(disk, BACKUPS), ...secret];
  const file = (await fiscald(backup)).trim();
  const kept = join(folder, "kept.tar.gz.age");
  copyFileSync(file, kept);
  const restored = { sales: sales.length, file: kept };
  await sellOnce();
  flushAll(disk);
  await watched("backup", () => fiscald(backup));
  await update(VERSION, 0);
  // It brings the database to a schema that the former one does not know, and ends.
  const migration = "INSERT INTO schema_migrations (name, hash, applied_at) VALUES ('9999', '', 0)";
  const migrate = `new (require("bun:sqlite").Database)(process.argv[1]).run("${migration}")`;
  const run = `${process.execPath} -e '${migrate.replaceAll("'", `'"'"'`)}' "$3/fiscald.db"`;
  await update(BROKEN, 1, `[ "$1" != serve ] || { ${run}; exit 1; }`);
  await damage();
  await watched("repair", () => fiscald(["repair"]));
  await sellOnce();
  await watched("restore", () => fiscald(["restore", kept, ...secret.slice(0, 2)]));
  const { host, port, number, stateFile } = printer;
  return {
    ...{ key, sales, restored, printer: { deviceId, host, port, number, stateFile } },
    known: knownTo(known),
  };
}

function knownTo(counts: Partial<Record<Chore, number>>): UpkeepStory["known"] {
  const of = (chore: Chore): number => counts[chore] ?? 0;
  return {
    ...{ backup: of("backup"), update: of("update"), "failed update": of("failed update") },
    ...{ repair: of("repair"), restore: of("restore") },
  };
}

try {
  writeFileSync(join(folder, "story.json"), JSON.stringify(await live()));
} finally {
  await machine.systemctl("stop");
  await box.clear();
}
