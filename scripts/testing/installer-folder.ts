/** An unpacked release and a folder that stands for a machine, for tests of what installs it. */

import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Ended, runToEnd } from "../../src/e2e/harness/run-to-end.ts";

/** Where units and scripts of a release come from. */
export const SYSTEMD = join(import.meta.dir, "../../systemd");

export class InstallerFolder {
  /** Holds all of it; programs in `bin` come before the system's. */
  readonly folder = mkdtempSync(join(tmpdir(), "fiscald-install-"));
  /** Stands for the machine's root. It is made by whoever installs something. */
  readonly root = join(this.folder, "root");
  /** The release, whose executable is a script. */
  readonly unpacked = join(this.folder, "unpacked");

  /** @param others folders whose files lie beside those of the release */
  constructor(...others: readonly string[]) {
    for (const path of [this.unpacked, join(this.folder, "bin")]) mkdirSync(path);
    for (const from of [SYSTEMD, ...others]) {
      for (const name of readdirSync(from)) {
        copyFileSync(join(from, name), join(this.unpacked, name));
      }
    }
    this.placeExecutable("1.0.0");
  }

  /** A path of the machine. */
  at(path: string): string {
    return join(this.root, path);
  }

  /** The text of a file of the machine. */
  read(path: string): string {
    return readFileSync(this.at(path), "utf8");
  }

  /** A program in the release, or before the system's where its name begins with `bin/`. */
  script(name: string, ...lines: readonly string[]): void {
    const path = join(name.startsWith("bin/") ? this.folder : this.unpacked, name);
    writeFileSync(path, ["#!/bin/sh", ...lines, ""].join("\n"), { mode: 0o755 });
  }

  /**
   * The executable of that version: it tells it, and has made a database wherever it is to.
   * @param lines what it does first
   */
  placeExecutable(version: string, ...lines: readonly string[]): void {
    const answer = `case $1 in version) echo "fiscald ${version}" ;; migrate) mkdir -p "$3" ;; esac`;
    this.script("fiscald", ...lines, answer);
  }

  /** Runs a program beside the release's files. */
  run(
    words: readonly string[],
    environment: Readonly<Record<string, string>> = {},
  ): Promise<Ended> {
    const PATH = `${join(this.folder, "bin")}:/usr/sbin:/usr/bin:/sbin:/bin`;
    return runToEnd(words, { cwd: this.unpacked, env: { PATH, ...environment } });
  }

  /** Runs `install.sh` with exactly these words. */
  install(
    words: readonly string[],
    environment?: Readonly<Record<string, string>>,
  ): Promise<Ended> {
    return this.run(["sh", join(this.unpacked, "install.sh"), ...words], environment);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
