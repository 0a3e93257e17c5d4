/** The machine that is updated: its files and its services. */

import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DATABASE_NAME } from "../backup/manifest.ts";
import { errorText } from "../platform/thrown.ts";
import { UpdateRefused, UpdateStuck } from "./failures.ts";
import { otherWay, PACKAGE_LINE, pathsOf } from "./machine-paths.ts";
import { requireRoom } from "./room.ts";
import { mustRun, type Run, run } from "./run-program.ts";
import { servicesIn, UpdatedServices } from "./services.ts";
import type { Service } from "./unit-state.ts";
import { isBrokenOff, UpgradeLock } from "./upgrade-lock.ts";

const USER = "fiscald";

/** What is noted of an update while it is under way. */
export interface UpdateBegun {
  readonly from: string;
  readonly to: string;
}

/**
 * `back`: the former version is in its place; `saved`: and the saved database; `stays`: the new version
 * stays, for the shop has worked with it; `kept`: the former version was in its place, and does not work on the
 * database, which stays for what was taken since; `open`: what is in its place stays, and the note, for nobody
 * could tell. As `choose_way` of systemd/under-way.sh.
 */
const WAYS = ["back", "saved", "stays", "kept", "open"] as const;

/** What became of a machine that was to go back to the former version. */
export interface WayBack {
  readonly way: (typeof WAYS)[number];
  /** Whether the former version is in its place. */
  readonly isFormer: boolean;
  /** What was found out of it; may be empty. */
  readonly why: string;
}

export class Machine {
  readonly #root: string;
  readonly #paths: ReturnType<typeof pathsOf>;
  /** Those that are to run. */
  readonly services: UpdatedServices;
  #lock: UpgradeLock | undefined;

  /** @param root folder that stands for the root; empty for this machine */
  constructor(root: string) {
    this.#root = root;
    this.#paths = pathsOf(root);
    const note = (services: string): void => this.#lock?.noteServices(services);
    this.services = new UpdatedServices(this.#paths.systemd, note);
  }

  get state(): string {
    return this.#paths.state;
  }

  /** Where it is noted what the last update came to. */
  get note(): string {
    return this.#paths.note;
  }

  get publicKey(): string {
    return this.#paths.publicKey;
  }

  /** @throws UpdateRefused unless an archive installed what is here */
  requireArchive(): void {
    if (existsSync(this.#paths.binary)) return;
    const how = existsSync(this.#paths.packaged) ? `: ${PACKAGE_LINE}` : "";
    throw new UpdateRefused(`no archive of fiscald is installed on this machine${how}`);
  }

  /** How a newer version comes here for which nobody has a key. */
  get otherWay(): string {
    return otherWay(this.#paths);
  }

  get isInstalled(): boolean {
    const { binary, packaged } = this.#paths;
    return existsSync(binary) || existsSync(packaged);
  }

  /** The version that is installed, such as 1.2.3. @throws UpdateRefused when none is */
  async version(): Promise<string> {
    const { binary, packaged } = this.#paths;
    const program = [binary, packaged].find((path) => existsSync(path));
    if (program !== undefined)
      return (await mustRun([program, "version"])).answer.split(" ")[1] ?? "";
    throw new UpdateRefused("no fiscald is installed on this machine");
  }

  /**
   * Keeps every other upgrade away until `free`, or until this process and what it has started on the
   * machine's files have ended.
   * @param file archive that is asked for
   * @throws UpdateStuck while another one is under way
   */
  async reserve(file: string): Promise<void> {
    const about = { since: new Date().toISOString(), pid: String(process.pid), file };
    this.#lock = await UpgradeLock.take(this.#paths, about);
  }

  /** Lets others in. What was stopped and did not start again stays noted, for whoever puts that right. */
  free(): void {
    // As `leave_lock` of systemd/under-way.sh: who goes back needs to know what it was about.
    if (!existsSync(this.#paths.underWay)) this.#lock?.keep(this.services.missing.join(" "));
    this.#lock?.leave();
    this.#lock = undefined;
  }

  /** Tells whoever meets the lock which version is coming. */
  announce(to: string): void {
    this.#lock?.add({ to });
  }

  /** A new folder that root alone may write to. @throws UpdateRefused where there is no room */
  async makeWork(): Promise<string> {
    const { work } = this.#paths;
    // Of one that was killed.
    rmSync(work, { recursive: true, force: true });
    // What saves the database looks again, once the gateway stands still.
    await requireRoom(this.#paths);
    mkdirSync(work, { recursive: true, mode: 0o711 });
    return work;
  }

  removeWork(): void {
    rmSync(this.#paths.work, { recursive: true, force: true });
  }

  /** Whether systemd runs the machine, and what is on it. */
  get hasSystemd(): boolean {
    return existsSync(this.#paths.systemd);
  }

  /** Whether the gateway is a service of the machine, whether it runs or not. */
  get hasGateway(): boolean {
    return this.hasSystemd && existsSync(this.#paths.unitOf("fiscald"));
  }

  /**
   * Saves the database, while nothing writes to it: as an upgrade by `install.sh` does, with the same
   * steps.
   * @param release folder of the unpacked archive
   */
  async saveDatabase(release: string): Promise<void> {
    await this.#run(release, "save_database");
  }

  /** Has the new version bring a copy of the database to its schema. @throws Error when it cannot */
  async tryMigration(release: string): Promise<void> {
    const step = 'try_migration "$1" || echo tried=$?';
    const { answer, said } = await this.#steps(release, step, [join(release, "fiscald")]);
    const [, tried] = /^tried=(\d)$/m.exec(answer) ?? [];
    if (tried === undefined) return;
    const why = said.replace(/^tried=\d$/m, "").trim();
    throw new Error(
      tried === "1"
        ? `the new version cannot bring the database to its schema, as a copy has shown: ${why}`
        : `whether the new version brings the database to its schema could not be tried: ${why}`,
    );
  }

  /**
   * Keeps the files that are about to be replaced, and notes that an update is under way: whoever
   * finds the note, the next boot among them, goes back first.
   */
  async begin(release: string, { from, to }: UpdateBegun): Promise<void> {
    const words = [release, from, to, this.services.all.join(" ")];
    const script = 'keep_former "$1"; begin_upgrade "$2" "$3" "$4"';
    await this.#run(release, script, words);
  }

  /**
   * Notes that the database may become one that the former version does not work on, as anybody may
   * start what is placed from now on. Without systemd a gateway may still run, whose database stays.
   */
  async noteStart(): Promise<void> {
    if (!this.hasSystemd) return;
    // Without one nothing was saved: what an earlier update has saved must not come back.
    if (!existsSync(join(this.state, DATABASE_NAME))) return;
    await this.#run(this.#paths.former, "add_to_note started=yes");
  }

  /** Takes the note away: what does not run stays noted. */
  async end(): Promise<void> {
    const missing = this.services.missing.join(" ");
    await this.#run(this.#paths.former, 'end_upgrade "$1"', [missing]);
  }

  /** Puts the files of a version in place, by its own installer. */
  async place(release: string): Promise<void> {
    const where = this.#root === "" ? [] : ["--root", this.#root];
    const which = existsSync(this.#paths.unitOf("fiscald")) ? [] : ["--controller"];
    const installer = ["sh", join(release, "install.sh"), "--no-start", "--within-update"];
    await mustRun([...installer, ...which, ...where], this.#lock?.descriptor);
  }

  /**
   * Puts the files of the former version back in place, and the saved database where it does not work
   * on the one that the new version left; neither where that would take back what the shop has sold since.
   * Broken off, it is done again by whoever finds the note.
   * @throws Error also where it does not say what became of them
   */
  async goBack(): Promise<WayBack> {
    const tells = `echo "way=$way"; ! has_former || echo is=former; echo "why=$why"`;
    const told = await this.#run(this.#paths.former, `go_back; ${tells}`);
    if (this.hasSystemd) await mustRun(["systemctl", "daemon-reload"]);
    const way = WAYS.find((one) => told.split("\n").includes(`way=${one}`));
    if (way === undefined) throw new Error(`it does not say what became of the files: ${told}`);
    const isFormer = told.split("\n").includes("is=former");
    return { way, isFormer, why: told.split("why=").slice(1).join("why=").trim() };
  }

  /**
   * Puts the saved database back where the former version does not run on the one in the place,
   * though that is whole, and has taken nothing on it.
   * @returns whether it is in the place now
   */
  async putSavedBack(): Promise<boolean> {
    await this.#run(this.#paths.former, "put_saved_back");
    return this.isRestored();
  }

  /** Where what was sold is of which the saved database that came back knows nothing, in words; may be empty. */
  async soldAside(): Promise<string> {
    return this.#run(this.#paths.former, "tell_aside").catch(() => "");
  }

  /** Whether the saved database has come back; false also where nobody can tell. */
  async isRestored(): Promise<boolean> {
    const told = this.#run(this.#paths.former, "! is_restored || echo restored");
    return (await told.catch(() => "")).split("\n").includes("restored");
  }

  /** True where an update was broken off, and nobody has put right what it left. */
  get isBroken(): boolean {
    return existsSync(this.#paths.underWay) || Object.keys(this.#lock?.left ?? {}).length > 0;
  }

  /**
   * Puts right what an update has left that was broken off: its services run again, in the version of
   * before, or in the new one where the shop has worked with that since. One that does not start is no
   * hindrance to an update: it is tried again with what comes.
   * @returns what was found and done, in words
   * @throws UpdateStuck where going back does not work: what is to run stays noted until it does
   */
  async mend(): Promise<string> {
    const left = this.#lock?.left ?? {};
    const stopped = servicesIn(left.services ?? "");
    const brokenOff = "the last update was broken off";
    try {
      if (existsSync(this.#paths.underWay)) {
        return `${brokenOff}: ${await this.#mendBetween(stopped)}`;
      }
      // Before the first file is replaced it has stopped them, and no more.
      await this.services.add(stopped, isBrokenOff(left) ? "broken_off" : "ended");
      const isAny = this.services.missing.length > 0;
      const why = await this.services.try();
      if (!isBrokenOff(left)) {
        if (why !== "") return why;
        return isAny
          ? "what the last update had stopped runs"
          : "nothing is left of the last update";
      }
      return why === "" ? brokenOff : `${brokenOff}: ${why}`;
    } catch (error) {
      const message = `${brokenOff}, and its way back too: ${errorText(error)}`;
      throw new UpdateStuck(message, { cause: error });
    }
  }

  async #mendBetween(stopped: readonly Service[]): Promise<string> {
    const { former } = this.#paths;
    const noted = servicesIn(await this.#run(former, "noted services"));
    await this.services.look();
    await this.services.add([...stopped, ...noted], "broken_off");
    await this.services.stop();
    const line = ["sh", join(former, "go-back.sh"), this.#root, "--within-update"];
    const told = await mustRun(line, this.#lock?.descriptor).catch(async (error: unknown) => {
      // A shop that sells meanwhile goes on, with the note; a database that is half back holds the gateway.
      await this.services.try();
      throw error;
    });
    // That of an older version has emptied the lock.
    this.services.note();
    const why = await this.services.try();
    return why === "" ? told.said : `${told.said}; ${why}`;
  }

  /** As `#steps`. @returns what it answers */
  async #run(folder: string, step: string, words: readonly string[] = []): Promise<string> {
    return (await this.#steps(folder, step, words)).answer;
  }

  /** Does one of the steps that `install.sh` and the next boot do too. @throws Error with what it says */
  async #steps(folder: string, step: string, words: readonly string[]): Promise<Run> {
    const begin =
      'root=$1 state=$2 user=$3 from=$4; shift 4; . "$from/steps.sh"; . "$from/under-way.sh"';
    const about = [this.#root, this.state, USER, folder];
    const line = ["sh", "-euc", `${begin}; ${step}`, "sh", ...about, ...words];
    const ended = await run(line, this.#lock?.descriptor);
    if (ended.code === 0) return ended;
    throw new Error(ended.said || `a step of it ended with ${ended.code}: ${step}`);
  }
}
