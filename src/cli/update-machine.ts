/** The machine that is updated: its files and its services. */

import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from "node:fs";
import { basename, join } from "node:path";
import { damageNote } from "#db/connection.ts";
import { DATABASE_NAME } from "../backup/manifest.ts";
import { flush, flushAll, putInPlace, writeDurably } from "../platform/durable-file.ts";
import { CliFailure, EXIT } from "./exit.ts";
import { pathsOf, SERVICES } from "./update-paths.ts";
import { mustRun, run } from "./update-run.ts";

const USER = "fiscald";
/** What an update unpacks and keeps, without databases. */
const ROOM_BYTES = 512 * 1_048_576;
/** The database, and what SQLite keeps beside it. */
const DATABASE_PARTS = [DATABASE_NAME, `${DATABASE_NAME}-wal`, `${DATABASE_NAME}-shm`] as const;

export class Machine {
  readonly #root: string;
  readonly #paths: ReturnType<typeof pathsOf>;

  /** @param root folder that stands for the root; empty for this machine */
  constructor(root: string) {
    this.#root = root;
    this.#paths = pathsOf(root);
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

  /** @throws CliFailure with code 2 unless an archive installed what is here, and root asks */
  requireOwn(): void {
    if (this.#root === "" && process.getuid?.() !== 0) {
      throw new CliFailure(EXIT.usage, "run it as root: sudo fiscald update FILE");
    }
    if (existsSync(this.#paths.binary)) return;
    const deb = ": apt install ./fiscald_<version>_<architecture>.deb";
    const how = existsSync(this.#paths.packaged) ? deb : "";
    throw new CliFailure(EXIT.usage, `no archive of fiscald is installed on this machine${how}`);
  }

  /** The version that is installed, such as 1.2.3. @throws CliFailure with code 2 when none is */
  async version(): Promise<string> {
    const { binary, packaged } = this.#paths;
    const program = [binary, packaged].find((path) => existsSync(path));
    if (program !== undefined) return (await mustRun([program, "version"])).split(" ")[1] ?? "";
    throw new CliFailure(EXIT.usage, "no fiscald is installed on this machine");
  }

  /** A new folder that root alone may write to. @throws CliFailure where there is no room */
  makeWork(): string {
    const { work, home, state } = this.#paths;
    rmSync(work, { recursive: true, force: true });
    mkdirSync(work, { recursive: true, mode: 0o711 });
    const sizes = DATABASE_PARTS.map((name) => sizeOf(join(state, name)));
    const wanted = ROOM_BYTES + 3 * sizes.reduce((sum, size) => sum + size, 0);
    const { bavail, bsize } = statfsSync(home);
    if (bavail * bsize >= wanted) return work;
    const megabytes = Math.ceil(wanted / 1_048_576);
    throw new CliFailure(EXIT.usage, `an update needs ${megabytes} MB of room on the disk`);
  }

  removeWork(): void {
    rmSync(this.#paths.work, { recursive: true, force: true });
  }

  async runningServices(): Promise<readonly string[]> {
    if (!existsSync(this.#paths.systemd)) return [];
    const found: string[] = [];
    for (const name of SERVICES) {
      const { code } = await run(["systemctl", "is-active", "--quiet", name]);
      if (code === 0) found.push(name);
    }
    return found;
  }

  async stop(services: readonly string[]): Promise<void> {
    if (services.length > 0) await mustRun(["systemctl", "stop", ...services]);
  }

  /** Returns once each takes work. @throws Error when one does not */
  async start(services: readonly string[]): Promise<void> {
    if (services.length > 0) await mustRun(["systemctl", "start", ...services]);
  }

  /**
   * Saves the database, while nothing writes to it: as an upgrade by `install.sh` does, with the same
   * steps.
   * @param release folder of the unpacked archive
   */
  async saveDatabase(release: string): Promise<void> {
    const script = 'root=$1 state=$2 user=$3; . "$4/steps.sh"; save_database';
    await mustRun(["sh", "-euc", script, "sh", this.#root, this.state, USER, release]);
  }

  /** Has the new version bring a copy of the database to its schema. @throws Error when it cannot */
  async tryMigration(release: string): Promise<void> {
    const { saved, work } = this.#paths;
    if (!existsSync(saved)) return;
    const trial = join(work, "trial");
    mkdirSync(trial, { mode: 0o700 });
    cpSync(saved, join(trial, "state"), { recursive: true });
    await this.#giveToUser(trial);
    await this.#migrate(join(release, "fiscald"), join(trial, "state"), trial);
    rmSync(trial, { recursive: true });
  }

  /** Keeps the files that are about to be replaced. */
  keepFormer(): void {
    const { former, placed } = this.#paths;
    rmSync(former, { recursive: true, force: true });
    mkdirSync(former, { recursive: true });
    for (const path of placed) {
      if (existsSync(path)) copyFileSync(path, join(former, basename(path)));
    }
    flushAll(former);
  }

  /** Puts the files of a version in place, by its own installer. */
  async place(release: string): Promise<void> {
    const where = this.#root === "" ? [] : ["--root", this.#root];
    const which = existsSync(this.#paths.unitOf("fiscald")) ? [] : ["--controller"];
    await mustRun(["sh", join(release, "install.sh"), "--no-start", ...which, ...where]);
  }

  /** Puts the files of the former version back in place. */
  async placeFormer(): Promise<void> {
    for (const path of this.#paths.placed) {
      const former = join(this.#paths.former, basename(path));
      rmSync(`${path}.new`, { force: true });
      if (!existsSync(former)) continue;
      copyFileSync(former, `${path}.new`);
      putInPlace(`${path}.new`, path);
    }
    if (existsSync(this.#paths.systemd)) await mustRun(["systemctl", "daemon-reload"]);
  }

  /**
   * Puts the saved database back, where the former version does not work on the one that the new
   * version left. What the new version did meanwhile is in the printers: the former one finds the
   * state restored at its start and asks them.
   * @returns whether it did
   */
  async restoreDatabase(): Promise<boolean> {
    const { saved, failed, work, binary } = this.#paths;
    if (!existsSync(saved)) return false;
    const natives = join(work, "natives");
    mkdirSync(natives, { mode: 0o700 });
    await this.#giveToUser(natives);
    const isFit = await this.#migrate(binary, this.state, natives).then(
      () => true,
      () => false,
    );
    if (isFit) return false;
    rmSync(failed, { recursive: true, force: true });
    mkdirSync(failed, { mode: 0o700 });
    const { uid, gid } = statSync(saved);
    const note = damageNote(join(this.state, DATABASE_NAME));
    const text = `an update was broken off as it went back; the database of before is in ${saved}\n`;
    // A gateway that starts after a power cut in here must not begin with none, or with half of one.
    writeDurably(note, text, { uid, gid, mode: 0o600 });
    for (const name of DATABASE_PARTS) {
      const [path, copy] = [join(this.state, name), join(saved, name)];
      if (existsSync(path)) renameSync(path, join(failed, name));
      if (!existsSync(copy)) continue;
      await mustRun(["cp", "-p", copy, path]);
      flush(path);
    }
    flush(failed);
    flush(this.state);
    rmSync(note);
    flush(this.state);
    await this.#giveToUser(failed);
    return true;
  }

  /**
   * Brings a database to the schema of a program, as the service's user, so that no file becomes
   * root's.
   * @param natives a folder of the user's that is removed later, for the program's native parts
   */
  async #migrate(program: string, stateDir: string, natives: string): Promise<void> {
    const user = ["setpriv", `--reuid=${USER}`, `--regid=${USER}`, "--init-groups"];
    const inside = ["env", `BUN_TMPDIR=${natives}`, program, "migrate", "--state-dir", stateDir];
    await mustRun(this.#root === "" ? [...user, ...inside] : inside);
  }

  async #giveToUser(folder: string): Promise<void> {
    if (this.#root === "") await mustRun(["chown", "-R", `${USER}:${USER}`, folder]);
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
