/** An appliance on a disk as a power cut left it amid an update, a restore, a repair or a backup. */

import { Database } from "bun:sqlite";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { seededDice } from "#drivers/testing/dice.ts";
import { MachineFolder } from "../../cli/testing/machine-folder.ts";
import { stateFiles } from "../../config/state-files.ts";
import { errorText } from "../../platform/thrown.ts";
import { VERSION } from "../../version.ts";
import { Box } from "../harness/box.ts";
import { ApiClient, type ShownCommand, startGateway } from "../harness/gateway.ts";
import { NO_POLLING } from "../harness/premises.ts";
import { executable } from "../harness/program.ts";
import { runToEnd } from "../harness/run-to-end.ts";
import { type SimulatedPrinter, startPrinter } from "../harness/simulator.ts";
import { until } from "../harness/until.ts";
import { type Cut, nameOf } from "./aftermath.ts";
import { Disk } from "./disk.ts";
import { type Watched, watch } from "./recording.ts";
import { bodyOf, type StorySale } from "./story.ts";
import type { Deed } from "./system-calls.ts";
import {
  BACKUPS,
  type Chore,
  FORMER,
  markOf,
  PASSPHRASE,
  STATE,
  type UpkeepStory,
} from "./upkeep-story.ts";

/** An appliance's upkeep. */
export interface Upkeep extends Watched {
  readonly story: UpkeepStory;
}

/** Watches all chores, one after the other. @param folder of its own, empty */
export async function recordUpkeep(folder: string): Promise<Upkeep> {
  const watched = await watch("upkeep-workload.ts", folder);
  const story: UpkeepStory = JSON.parse(readFileSync(join(folder, "story.json"), "utf8"));
  return { ...watched, story };
}

/** What was done for one chore. */
export function partOf(upkeep: Upkeep, chore: Chore): Upkeep {
  const { calls, folder } = upkeep;
  const positionOf = (when: "begins" | "ends"): number => {
    const path = join(folder, markOf(chore, when));
    const found = calls.find(({ deed }) => deed.kind === "open" && deed.path === path);
    if (found === undefined) throw new Error(`nobody was seen making ${path}`);
    return found.begin;
  };
  const [from, to] = [positionOf("begins"), positionOf("ends")];
  return { ...upkeep, calls: calls.filter(({ begin, end }) => begin > from && end < to) };
}

/** Of a part, the calls after which another name counts, or what was written does. */
export function turningPointsOf(part: Upkeep): Upkeep {
  const calls = part.calls.filter(
    ({ deed }) => !["open", "write", "copy", "seek"].includes(deed.kind) && !isWork(deed),
  );
  return { ...part, calls };
}

/** A database that is made beside the state. */
function isWork(deed: Deed): boolean {
  return "path" in deed && /\/fiscald\.(repair|restore|backup)\//.test(deed.path);
}

/** Which of the two states a cut left, and whether a person had to run the chore again for it. */
export interface UpkeepAftermath {
  readonly state: "old" | "new";
  readonly wasHeld: boolean;
}

/**
 * Makes the disk of a cut, boots the appliance on it, and looks.
 * @throws Error that says what was lost, or is neither as before nor as after
 */
export async function goOnAfterUpkeep(
  upkeep: Upkeep,
  chore: Chore,
  cut: Cut,
): Promise<UpkeepAftermath> {
  const box = new Box();
  const scene = new Scene(upkeep, { chore, cut, box, program: await executable() });
  try {
    scene.makeDisk();
    return await scene.goOn();
  } catch (error) {
    const reason = errorText(error);
    throw new Error(`${chore}, ${nameOf(cut)}: ${reason}`, { cause: error });
  } finally {
    await box.clear();
  }
}

interface SceneParts {
  readonly chore: Chore;
  readonly cut: Cut;
  readonly box: Box;
  readonly program: string;
}

class Scene {
  readonly #upkeep: Upkeep;
  readonly #o: SceneParts;
  readonly #machine: MachineFolder;
  readonly #stateDir: string;
  readonly #printers: string;

  constructor(upkeep: Upkeep, parts: SceneParts) {
    this.#upkeep = upkeep;
    this.#o = parts;
    const { folder } = parts.box;
    const root = join(folder, "disk");
    this.#machine = new MachineFolder({ folder, root, program: parts.program });
    this.#stateDir = join(root, STATE);
    this.#printers = join(folder, "printers");
  }

  makeDisk(): void {
    const { calls, disk, folder } = this.#upkeep;
    const { position, leftover, seed } = this.#o.cut;
    const cutDisk = new Disk(disk, calls);
    cutDisk.advance(position);
    cutDisk.writeTo(this.#machine.root, leftover, seededDice(seed));
    // Modes are not followed.
    for (const path of ["usr/local/bin/fiscald", "usr/local/lib/fiscald/former/fiscald"]) {
      if (existsSync(this.#machine.at(path))) chmodSync(this.#machine.at(path), 0o755);
    }
    const books = new Disk(join(folder, "printers"), calls);
    books.advance(position);
    books.writeTo(this.#printers, "all", seededDice(seed));
  }

  async goOn(): Promise<UpkeepAftermath> {
    await this.#boot();
    const version = await this.#expectOneVersion();
    const wasHeld = await this.#doAgainIfHeld();
    const sold = await this.#trade();
    await this.#expectBackups();
    const { chore } = this.#o;
    const isNew =
      chore === "update" ? version !== FORMER : sold < this.#upkeep.story.known[chore] || wasHeld;
    return { state: isNew ? "new" : "old", wasHeld };
  }

  /** What the next boot does before the gateway starts. */
  async #boot(): Promise<void> {
    const { root } = this.#machine;
    if (!existsSync(this.#machine.at("usr/local/lib/fiscald/under-way"))) return;
    const units = this.#machine.at("etc/systemd/system");
    const link = join(units, "multi-user.target.wants/fiscald-go-back.service");
    if (!existsSync(link) || realpathSync(link) !== join(realpathSync(units), basename(link))) {
      throw new Error(`${link} is missing or leads elsewhere, and no boot would go back`);
    }
    const script = this.#machine.at("usr/local/lib/fiscald/former/go-back.sh");
    const { code, out, err } = await this.#machine.run(["sh", script, root]);
    if (code !== 0) throw new Error(`going back ended with ${code}: ${out}${err}`);
  }

  /** @returns the version that is installed, executable and unit alike */
  async #expectOneVersion(): Promise<string> {
    const version = (await this.#machine.installed()).split(" ")[1] ?? "none";
    const unit = readFileSync(this.#machine.at("etc/systemd/system/fiscald.service"), "utf8");
    const ofFormer = unit === `# of ${FORMER}\n`;
    const expected = this.#o.chore === "backup" ? [FORMER] : [VERSION];
    if (this.#o.chore === "update") expected.push(FORMER);
    if (!expected.includes(version) || ofFormer !== (version === FORMER)) {
      throw new Error(`fiscald ${version} is installed, with the unit ${unit.slice(0, 20)}`);
    }
    return version;
  }

  /** What a gateway says that refuses to start leads to; true when it was needed. */
  async #doAgainIfHeld(): Promise<boolean> {
    const { chore, program } = this.#o;
    const { database } = stateFiles(this.#stateDir);
    const where = ["--state-dir", this.#stateDir];
    const isHeld = existsSync(`${database}.damaged`);
    if (!isHeld && chore !== "repair") return false;
    const run = (...words: readonly string[]) => runToEnd([program, ...words, ...where]);
    // A database that is damaged as before shows when it is looked at.
    if (!isHeld && (await run("check")).code === 0) return false;
    if (chore !== "restore" && chore !== "repair") throw new Error("the database is held");
    if (isHeld) {
      const { code, err } = await run("serve", "--http-listen=127.0.0.1:0");
      if (code !== 3 || !err.includes(`a ${chore} was broken off`)) {
        throw new Error(`a gateway on half of a state ended with ${code}: ${err}`);
      }
    }
    const { story, folder } = this.#upkeep;
    const secret = ["--backup-passphrase-file", join(folder, PASSPHRASE)];
    const words = chore === "repair" ? [chore] : [chore, story.restored.file, ...secret];
    const { code, err } = await run(...words);
    if (code > 1) throw new Error(`${chore} again ended with ${code}: ${err}`);
    return isHeld;
  }

  /** Starts the gateway, and looks at what was sold before. @returns how many sales it knows */
  async #trade(): Promise<number> {
    const { story } = this.#upkeep;
    const { chore, box } = this.#o;
    const printer = await this.#switchOn();
    const program = this.#machine.at("usr/local/bin/fiscald");
    const gateway = box.keep(await startGateway(this.#stateDir, { args: [NO_POLLING], program }));
    const till = new ApiClient(gateway.url, story.key);
    const before = (await printer.books()).receiptCount;
    const { length } = await till.list("&type=print_receipt");
    const all = story.known[chore];
    const isCopy = chore === "restore" && length === story.restored.sales;
    if (before !== all || (length !== all && !isCopy)) {
      throw new Error(`${length} of ${all} sales are known, ${before} were printed`);
    }
    const { receipts } = await till.expect<{ receipts: object[] }>("GET", "/receipts");
    if (receipts.length !== length) throw new Error(`${receipts.length} receipts are known`);
    for (const sale of story.sales.slice(0, length)) {
      const { status, id } = await submit(till, sale);
      if (status !== "completed") throw new Error(`a repeat made ${id}, which is ${status}`);
    }
    const missing = story.sales.slice(length, all)[0];
    if (missing === undefined) await this.#expectToPrint(till, printer);
    else await this.#expectHeld(till, printer, missing);
    if (isCopy) this.#expectAside(all);
    if ((await gateway.stop()) !== 0) throw new Error("the gateway did not end well");
    return length;
  }

  async #expectToPrint(till: ApiClient, printer: SimulatedPrinter): Promise<void> {
    const { receiptCount: before } = await printer.books();
    const { deviceId } = this.#upkeep.story.printer;
    const sale = { deviceId, idempotencyKey: "further", total: 90_000 };
    const { status } = await till.wait((await submit(till, sale)).id);
    const { receiptCount } = await printer.books();
    if (status === "completed" && receiptCount === before + 1) return;
    throw new Error(`a further sale ended ${status}, ${receiptCount - before} were printed`);
  }

  /** A printer that knows more than the state prints nothing of what a till sends again. */
  async #expectHeld(till: ApiClient, printer: SimulatedPrinter, sale: StorySale): Promise<void> {
    const { receiptCount: before } = await printer.books();
    await until("the printer to be held", async () => {
      const alerts = await till.expect<object>("GET", "/devices/alerts");
      return JSON.stringify(alerts).includes('"state_restored"');
    });
    const { status } = await submit(till, sale);
    const { receiptCount } = await printer.books();
    if (status !== "pending" || receiptCount !== before) {
      throw new Error(`a repeat is ${status}, and ${receiptCount - before} were printed again`);
    }
  }

  /** What the backup does not know is still in the old state. */
  #expectAside(all: number): void {
    const folders = readdirSync(this.#stateDir).filter((name) => name.includes(".before-restore-"));
    const counts = folders.map((name) => receiptsIn(join(this.#stateDir, name, "fiscald.db")));
    if (!counts.includes(all)) {
      throw new Error(`the old state had ${all} receipts, and kept are ${JSON.stringify(counts)}`);
    }
  }

  /** Each file that has a backup's name is one. */
  async #expectBackups(): Promise<void> {
    const { chore, box, program } = this.#o;
    if (chore !== "backup") return;
    const folder = this.#machine.at(BACKUPS);
    const files = readdirSync(folder).filter((name) => name.endsWith(".age"));
    if (files.length === 0) throw new Error("the backup of before is gone");
    const secret = ["--backup-passphrase-file", join(this.#upkeep.folder, PASSPHRASE)];
    for (const name of files) {
      const where = join(box.folder, name);
      mkdirSync(where);
      const words = ["restore", join(folder, name), ...secret, "--state-dir", where];
      const { code, err } = await runToEnd([program, ...words]);
      if (code > 1) throw new Error(`${name} cannot be restored: ${err}`);
    }
    const again = ["backup", "--to", folder, "--backup-work-factor", "10", ...secret];
    const { code, err } = await runToEnd([program, ...again, "--state-dir", this.#stateDir]);
    if (code !== 0) throw new Error(`no further backup can be made: ${err}`);
  }

  async #switchOn(): Promise<SimulatedPrinter> {
    const { stateFile, ...place } = this.#upkeep.story.printer;
    const copy = join(this.#printers, basename(stateFile));
    return this.#o.box.keep(await startPrinter({ stateFile: copy, place }));
  }
}

async function submit(till: ApiClient, sale: StorySale): Promise<ShownCommand> {
  const { body } = await till.call<{ command: ShownCommand }>("POST", "/commands", {
    body: bodyOf(sale),
    headers: { "idempotency-key": sale.idempotencyKey },
  });
  const path = `/commands/${body.command.id}`;
  return (await till.expect<{ command: ShownCommand }>("GET", path)).command;
}

function receiptsIn(file: string): number | undefined {
  if (!existsSync(file)) return undefined;
  const database = new Database(file);
  try {
    return database.query<{ n: number }, []>("SELECT count(*) AS n FROM receipts").get()?.n;
  } finally {
    database.close();
  }
}
