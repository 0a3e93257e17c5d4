/** The product where it sees other mounts than the machine has: sticks, and disks that hang. Needs root. */

import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { executable } from "./program.ts";

/** What it takes, of the machine's programs. */
export const MOUNTING = ["unshare", "mount"] as const;

/**
 * Makes a command that runs the executable with mounts of its own, which go with it.
 * @param folder where the command is put; it is `$0` of the lines
 * @param lines of a shell, which mount them
 * @returns its path
 */
export async function withMounts(folder: string, lines: readonly string[]): Promise<string> {
  const [setup, program] = [join(folder, "mounts.sh"), join(folder, "fiscald-mounted")];
  writeFileSync(setup, `set -e\n${lines.join("\n")}\nexec '${await executable()}' "$@"\n`);
  const begin = `. '${setup}'`;
  writeFileSync(program, `#!/bin/sh\nexec unshare --mount sh -c "${begin}" '${folder}' "$@"\n`);
  chmodSync(program, 0o755);
  return program;
}

/** The line that mounts a disk that never answers: a file system of user space that nobody serves. */
export function hungAt(folder: string): string {
  const options = "fd=9,rootmode=40000,user_id=0,group_id=0";
  return `exec 9<>/dev/fuse\nmount -i -t fuse -o ${options} hung '${folder}'`;
}
