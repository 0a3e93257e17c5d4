/** The executable on a disk as a power cut left it, beside the printers as they were. */

import { Database } from "bun:sqlite";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { seededDice } from "#drivers/testing/dice.ts";
import { stateFiles } from "../../config/state-files.ts";
import { errorText } from "../../platform/thrown.ts";
import { Box } from "../harness/box.ts";
import { ApiClient, type ShownCommand, startGateway } from "../harness/gateway.ts";
import { startRemoteController } from "../harness/remote-controller.ts";
import { type SimulatedPrinter, startPrinter } from "../harness/simulator.ts";
import { Disk, type Leftover } from "./disk.ts";
import type { Recording } from "./recording.ts";
import { bodyOf, GATEWAY_ARGS, type StorySale, type Told } from "./story.ts";

/** A power cut. */
export interface Cut {
  /** Of the calls: what has begun by then has been issued. */
  readonly position: number;
  readonly leftover: Leftover;
  readonly seed: number;
  /** The printers have done what was on its way to them. */
  readonly isLater: boolean;
}

/** What a cut came to, for a count. */
export interface Aftermath {
  /** How many answers of before had to hold. */
  readonly told: number;
  /** How many receipts the printers had. */
  readonly printed: number;
}

/**
 * Makes the disk of a cut, starts the executable on it, lets it and a till go on, and looks.
 * @throws Error that says what was lost, printed twice or told wrongly
 */
export async function goOnAfter(recording: Recording, cut: Cut): Promise<Aftermath> {
  const box = new Box();
  const scene = new Scene(recording, cut, box);
  try {
    scene.makeDisk();
    return await scene.goOn();
  } catch (error) {
    const reason = errorText(error);
    throw new Error(`${nameOf(cut)}: ${reason}\n${scene.logs()}`, { cause: error });
  } finally {
    await box.clear();
  }
}

export function nameOf({ position, leftover, seed, isLater }: Cut): string {
  return `cut at ${position}, left of what was not synced: ${leftover}, seed ${seed}${isLater ? ", printers later" : ""}`;
}

/** Above the totals of all other sales. */
const FURTHER_TOTAL = 90_000;

class Scene {
  readonly #recording: Recording;
  readonly #cut: Cut;
  readonly #box: Box;
  readonly #disk: string;
  readonly #stateDir: string;
  readonly #told: readonly Told[];
  #logs: (() => string)[] = [];

  constructor(recording: Recording, cut: Cut, box: Box) {
    this.#recording = recording;
    this.#cut = cut;
    this.#box = box;
    this.#disk = join(box.folder, "disk");
    this.#stateDir = this.#there(recording.story.stateDir);
    this.#told = recording.told.filter(({ at }) => at <= cut.position).map(({ what }) => what);
  }

  logs(): string {
    return this.#logs.map((output) => output()).join("\n");
  }

  makeDisk(): void {
    const { calls, disk, printers } = this.#recording;
    const { position, leftover, seed, isLater } = this.#cut;
    const cutDisk = new Disk(disk, calls);
    cutDisk.advance(position);
    cutDisk.writeTo(this.#disk, leftover, seededDice(seed));
    // Paper is not lost with the power. What was on the line has been done before the next frame.
    const books = new Disk(printers, calls);
    books.advance(isLater ? this.#nextFrame() : position);
    books.writeTo(join(this.#box.folder, "printers"), "all", seededDice(seed));
  }

  async goOn(): Promise<Aftermath> {
    const { story } = this.#recording;
    this.#expectWholeFiles();
    const printers = await this.#switchOn();
    const passphrase = `--backup-passphrase-file=${join(this.#recording.folder, "passphrase")}`;
    const args = [...GATEWAY_ARGS, passphrase];
    const gateway = this.#box.keep(await startGateway(this.#stateDir, { args }));
    this.#logs.push(gateway.output);
    const till = new ApiClient(gateway.url, story.key);
    for (const what of this.#told) await this.#expectStill(till, what);
    let printed = 0;
    if ((await till.call("GET", "/devices")).status === 200) {
      printed = await this.#trade(till, printers);
    } else if (this.#told.length > 0) throw new Error("the till's key is unknown");
    if ((await gateway.stop()) !== 0) throw new Error("the gateway did not end well");
    for (const name of ["state/fiscald.db", "far/controller.db"]) this.#expectSound(name);
    return { told: this.#told.length, printed };
  }

  /** Sells on: what was not answered is submitted again, and everything comes to its end. */
  async #trade(till: ApiClient, printers: readonly SimulatedPrinter[]): Promise<number> {
    const devices = await till.expect<{ id: string }[]>("GET", "/devices");
    const known = new Set(devices.map(({ id }) => id));
    const { controllerKey, printers: places } = this.#recording.story;
    const controller = new ApiClient(till.url, controllerKey);
    if ((await controller.call("GET", "/devices")).status === 200) {
      await this.#startController(till.url);
    } else {
      // Nobody could serve it.
      known.delete(places[1]?.deviceId ?? "");
    }
    for (const sale of [...this.#unanswered(), ...this.#further()]) {
      if (known.has(sale.deviceId)) await submit(till, sale);
    }
    const commands: ShownCommand[] = [];
    for (const { id } of await till.list()) commands.push(await till.wait(id));
    const alerts = await till.expect<object>("GET", "/devices/alerts");
    if (JSON.stringify(alerts).includes("state_restored")) {
      throw new Error("a printer is held as after a restore");
    }
    const { simulatedId } = this.#recording.story;
    const further = commands.filter(({ deviceId }) => deviceId === simulatedId).at(-1);
    if (further !== undefined && further.status !== "completed") {
      throw new Error(`the simulated printer prints no more: ${JSON.stringify(further)}`);
    }
    let printed = 0;
    for (const [index, printer] of printers.entries()) {
      const deviceId = this.#recording.story.printers[index]?.deviceId;
      const totals = (await printer.books()).receipts.map(({ total }) => total);
      printed += totals.length;
      compare(
        totals,
        commands.filter((command) => command.deviceId === deviceId),
      );
    }
    return printed;
  }

  /** Of each till the sale that it would go on with. */
  #unanswered(): readonly StorySale[] {
    const { told } = this.#recording;
    const next = new Map<string, StorySale>();
    for (const { at, what } of told) {
      if (what.kind !== "accepted" || at <= this.#cut.position) continue;
      if (!next.has(what.sale.deviceId)) next.set(what.sale.deviceId, what.sale);
    }
    return [...next.values()];
  }

  /** One more sale at each printer, the simulated one among them. */
  #further(): readonly StorySale[] {
    const { printers, simulatedId } = this.#recording.story;
    return [...printers.map(({ deviceId }) => deviceId), simulatedId].map((deviceId, index) => {
      return { deviceId, idempotencyKey: `further-${index}`, total: FURTHER_TOTAL + index };
    });
  }

  async #expectStill(till: ApiClient, what: Told): Promise<void> {
    switch (what.kind) {
      case "accepted": {
        const { status, body } = await submit(till, what.sale);
        if (status !== 202 || body.command.id !== what.commandId) {
          throw new Error(`a repeat of ${what.commandId} was answered ${status}`);
        }
        return;
      }
      case "ended": {
        const { command } = await till.expect<{ command: ShownCommand }>(
          "GET",
          `/commands/${what.commandId}`,
        );
        const outcome = String(command.result?.data?.outcome);
        if (command.status === what.status && outcome === what.outcome) return;
        throw new Error(`${what.commandId} ended ${what.status}, now ${JSON.stringify(command)}`);
      }
      case "there":
        await expectFields(till, what);
        return;
      case "revoked": {
        const { status } = await new ApiClient(till.url, what.key).call("GET", "/receipts");
        if (status !== 401) throw new Error(`a revoked key is answered ${status}`);
        return;
      }
      case "authority": {
        const pem = await (await fetch(`${till.url}/ca.pem`)).text();
        if (pem !== what.pem) throw new Error("there is another authority than the trusted one");
        return;
      }
      case "backup":
        if (!existsSync(this.#there(what.path))) throw new Error(`${what.path} is gone`);
        return;
      default:
        what satisfies never;
    }
  }

  /** What is replaced as a whole is there as a whole, or not at all. */
  #expectWholeFiles(): void {
    const { settings, tls, backups } = stateFiles(this.#recording.story.stateDir);
    const paths = [settings, ...[tls, backups].flatMap((folder) => filesIn(folder))];
    for (const path of paths) {
      const now = this.#there(path);
      if (/\.(part|new)$/.test(path) || !existsSync(now)) continue;
      if (!readFileSync(now).equals(readFileSync(path))) {
        throw new Error(
          `${basename(path)} has ${readFileSync(now).length} bytes, and is not whole`,
        );
      }
    }
  }

  async #switchOn(): Promise<readonly SimulatedPrinter[]> {
    const printers: SimulatedPrinter[] = [];
    for (const { stateFile, ...place } of this.#recording.story.printers) {
      const copy = join(this.#box.folder, "printers", basename(stateFile));
      // As it was at the cut: not yet switched on for the first time, perhaps.
      rmSync(`${copy}.new`, { force: true });
      const printer = this.#box.keep(await startPrinter({ stateFile: copy, place }));
      printers.push(printer);
    }
    return printers;
  }

  async #startController(url: string): Promise<void> {
    const { controllerKey, controllerId, controllerDir, printers } = this.#recording.story;
    const [, far] = printers;
    const controller = await startRemoteController({
      ...{ line: { url }, key: controllerKey, controllerId },
      ...{ stateDir: this.#there(controllerDir), args: [`--device=${far?.deviceId}`] },
    });
    this.#logs.push(controller.output);
    this.#box.keep(controller);
  }

  /** Where a path of the workload's disk is on this one. */
  #there(path: string): string {
    return join(this.#disk, path.slice(this.#recording.disk.length));
  }

  /** Position of the first frame that was sent after the cut. */
  #nextFrame(): number {
    const { calls, story } = this.#recording;
    const ports = new Set(story.printers.map(({ port }) => port));
    const next = calls.find(
      ({ begin, deed }) =>
        begin > this.#cut.position && deed.kind === "send" && ports.has(deed.port),
    );
    return next === undefined ? Number.POSITIVE_INFINITY : next.begin - 1;
  }

  #expectSound(name: string): void {
    const file = join(this.#disk, name);
    if (!existsSync(file)) return;
    const database = new Database(file);
    try {
      const [row] = database.query<{ integrity_check: string }, []>("PRAGMA integrity_check").all();
      if (row?.integrity_check !== "ok") throw new Error(`${name}: ${row?.integrity_check}`);
    } finally {
      database.close();
    }
  }
}

function submit(till: ApiClient, sale: StorySale) {
  return till.call<{ command: ShownCommand }>("POST", "/commands", {
    body: bodyOf(sale),
    headers: { "idempotency-key": sale.idempotencyKey },
  });
}

async function expectFields(
  till: ApiClient,
  { path, fields }: Extract<Told, { kind: "there" }>,
): Promise<void> {
  const { status, body } = await till.call<Record<string, unknown>>("GET", path);
  for (const [name, value] of Object.entries(fields)) {
    if (status !== 200 || body[name] !== value) {
      throw new Error(`${path} is answered ${status} ${JSON.stringify(body)}`);
    }
  }
}

function filesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

/** What the gateway says of the sales at a printer, beside what is in its books. */
function compare(totals: readonly number[], all: readonly ShownCommand[]): void {
  // The gateway itself asks the printer what it printed last.
  const commands = all.filter(({ type }) => type !== "get_last_receipt_info");
  for (const command of commands) {
    const { items } = command.payload as { readonly items: readonly { readonly price: number }[] };
    const total = Math.round((items[0]?.price ?? 0) * 100);
    const count = totals.filter((each) => each === total).length;
    // One that waited for too long while the power was off is given up.
    const isNotPrinted = command.result?.data?.outcome === "not_printed";
    const isTrue = command.status === "completed" ? count === 1 : isNotPrinted && count === 0;
    if (!isTrue) throw new Error(`printed ${count} times: ${JSON.stringify(command)}`);
  }
  if (totals.length > commands.length) throw new Error(`receipts of nobody: ${totals.join(", ")}`);
}
