/**
 * One upgrade of a machine at a time, whether by `fiscald update`, `install.sh` or the way back at a
 * boot: each takes the lock of one file first, and writes into it what it is about. What lies there
 * while nobody has the lock was broken off; where it names services alone, the upgrade ended, and those
 * do not start.
 */

import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  writeSync,
} from "node:fs";
import { isLockedElsewhere, tryLock } from "../platform/file-lock.ts";
import { errorText } from "../platform/thrown.ts";
import { UpdateRefused, UpdateStuck } from "./failures.ts";
import type { pathsOf } from "./machine-paths.ts";

type Paths = Pick<ReturnType<typeof pathsOf>, "home" | "lock" | "state" | "underWay">;

/** Whoever only looks has the lock for an instant; so has what a killed upgrade has started last. */
const WAIT_MS = 2_000;
const STEP_MS = 50;

/** What an upgrade notes of itself; what it has not noted, or nobody can read, is absent. */
export interface UpgradeNote {
  /** ISO 8601. */
  readonly since?: string | undefined;
  readonly pid?: string | undefined;
  /** Path of the archive, or of the installer. */
  readonly file?: string | undefined;
  /** Version that it brings. */
  readonly to?: string | undefined;
  /** Names of those that it has stopped, with blanks between. */
  readonly services?: string | undefined;
}

/**
 * Whether an upgrade is under way on a machine, or was broken off; `unstarted`: the last one has ended, and
 * services do not start that it, or one before, had stopped.
 */
export type UpgradeState =
  | { readonly kind: "none" }
  | { readonly kind: "under_way"; readonly note: UpgradeNote }
  | { readonly kind: "unstarted"; readonly note: UpgradeNote }
  | {
      readonly kind: "broken_off";
      readonly note: UpgradeNote;
      /** Whether files were replaced, so that somebody has to go back. */
      readonly isBetween: boolean;
    };

/** How a line of a note has to look: root alone writes there, but power may fail as it does. */
const FORMS = {
  since: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
  pid: /^\d{1,10}$/,
  file: /^\/\P{Cc}{1,4095}$/u,
  to: /^[\w.+-]{1,100}$/,
  services: /^[a-z -]{1,100}$/,
} as const satisfies Record<keyof UpgradeNote, RegExp>;

/** A lock that this process holds, with what it starts and hands the descriptor to. */
export class UpgradeLock {
  /** For the programs that work on the machine's files. */
  readonly descriptor: number;
  /** What an upgrade that was broken off has left. */
  readonly left: UpgradeNote;
  readonly #path: string;
  #note: UpgradeNote;

  private constructor(path: string, descriptor: number, note: UpgradeNote) {
    this.#path = path;
    this.descriptor = descriptor;
    this.left = readNote(path);
    // What it had stopped is to run again, whatever becomes of this one.
    const { services } = this.left;
    this.#note = services === undefined ? note : { ...note, services };
    this.add({});
  }

  /**
   * Takes the lock.
   * @throws UpdateRefused where its file cannot be made
   * @throws UpdateStuck while another upgrade has it
   */
  static async take(paths: Paths, note: UpgradeNote): Promise<UpgradeLock> {
    makeHome(paths);
    const descriptor = openSync(paths.lock, "r");
    const deadline = performance.now() + WAIT_MS;
    while (!tryLock(descriptor)) {
      if (performance.now() > deadline) {
        closeSync(descriptor);
        const where = "fiscald status tells when it has ended, and what it came to";
        const message = `${underWayText(readNote(paths.lock))}; nothing was changed: ${where}`;
        throw new UpdateStuck(message);
      }
      await Bun.sleep(STEP_MS);
    }
    return new UpgradeLock(paths.lock, descriptor, note);
  }

  /** Notes more. */
  add(more: UpgradeNote): void {
    this.#note = { ...this.#note, ...more };
    const lines = Object.entries(this.#note).map(([name, value]) => `${name}=${value}\n`);
    this.#write(lines.join(""));
  }

  /** Notes those that are to be started, with blanks between, in the place of those that were noted. */
  noteServices(services: string): void {
    const { services: _, ...note } = this.#note;
    this.#note = note;
    this.add(services === "" ? {} : { services });
  }

  /** Forgets what was noted, but for services that are to be started: with blanks between, may be none. */
  keep(services: string): void {
    this.#note = {};
    this.noteServices(services);
  }

  /** Lets go. What is noted then, but for services alone, counts as broken off. */
  leave(): void {
    closeSync(this.descriptor);
  }

  /** The file itself stays: under another one of its name a second upgrade would have a lock too. */
  #write(text: string): void {
    const descriptor = openSync(this.#path, "r+");
    try {
      ftruncateSync(descriptor);
      writeSync(descriptor, text);
    } finally {
      closeSync(descriptor);
    }
  }
}

/** @throws UpdateRefused where nothing can be written there, as below a /usr that is read alone */
function makeHome(paths: Paths): void {
  try {
    mkdirSync(paths.home, { recursive: true });
    // As `make_home` of systemd/under-way.sh: the service's user goes through it.
    chmodSync(paths.home, 0o711);
    if (!existsSync(paths.lock)) makeFile(paths);
  } catch (error) {
    const message = `${paths.home} cannot be written to: ${errorText(error)}; nothing was changed`;
    throw new UpdateRefused(message, { cause: error });
  }
}

/** The service's user may look at it too, for `fiscald status`. */
function makeFile({ lock, state }: Paths): void {
  closeSync(openSync(lock, "a", 0o640));
  const group = statSync(state, { throwIfNoEntry: false })?.gid;
  if (group !== undefined && process.getuid?.() === 0) chownSync(lock, 0, group);
}

/** Looks, and changes nothing. This process must not have the lock. */
export function upgradeState(paths: Paths): UpgradeState {
  const isBetween = () => existsSync(paths.underWay);
  let descriptor: number;
  try {
    descriptor = openSync(paths.lock, "r");
  } catch {
    // There is none yet, or this user may not look at it.
    if (!isBetween()) return { kind: "none" };
    return { kind: "broken_off", note: readIfMay(paths.underWay), isBetween: true };
  }
  try {
    if (isLockedElsewhere(descriptor)) return { kind: "under_way", note: readNote(paths.lock) };
    // None can begin before the descriptor is closed.
    const left = { note: leftOf(paths), isBetween: isBetween() };
    if (left.isBetween || isBrokenOff(left.note)) return { kind: "broken_off", ...left };
    return left.note.services === undefined
      ? { kind: "none" }
      : { kind: "unstarted", note: left.note };
  } finally {
    closeSync(descriptor);
  }
}

/** True where an upgrade left the note that had not come to its end. */
export function isBrokenOff(note: UpgradeNote): boolean {
  return Object.keys(note).some((name) => name !== "services");
}

/** `an update to 1.3.0 is under way since 2026-11-27T20:31:00Z (process 812)`, as far as it is known. */
export function underWayText({ since, pid, file, to }: UpgradeNote): string {
  const what = to ?? (file === undefined ? undefined : `what is in ${file}`);
  return [
    "an update",
    ...(what === undefined ? [] : [`to ${what}`]),
    "is under way",
    ...(since === undefined ? [] : [`since ${since}`]),
    ...(pid === undefined ? [] : [`(process ${pid})`]),
  ].join(" ");
}

/** The installer's own note, which the way back works by, tells the version too. */
function leftOf({ lock, underWay }: Paths): UpgradeNote {
  return existsSync(underWay) ? { ...readIfMay(underWay), ...readNote(lock) } : readNote(lock);
}

/** That an update was broken off shows to who may not read, or cannot, what is noted of it. */
function readIfMay(path: string): UpgradeNote {
  try {
    return readNote(path);
  } catch {
    return {};
  }
}

function readNote(path: string): UpgradeNote {
  const lines = readFileSync(path, "utf8").split("\n");
  const found = Object.entries(FORMS).flatMap(([name, form]): [string, string][] => {
    const value = lines.findLast((line) => line.startsWith(`${name}=`))?.slice(name.length + 1);
    return value !== undefined && form.test(value) ? [[name, value]] : [];
  });
  return Object.fromEntries(found);
}
