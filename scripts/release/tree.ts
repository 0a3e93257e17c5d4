/** A folder with the files of one commit and the packages that it names, and nothing else. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "../..");

/** What `git` calls a commit, and its time in Unix seconds. */
export interface Commit {
  readonly id: string;
  readonly epoch: number;
}

/** A tree of a commit. */
export interface Tree {
  readonly folder: string;
  remove(): void;
}

/** @throws Error when git knows no such commit */
export async function commitOf(name: string): Promise<Commit> {
  const said = await run(["git", "log", "-1", "--format=%H %ct", name, "--"], ROOT);
  const [id = "", epoch = ""] = said.trim().split(" ");
  return { id, epoch: Number(epoch) };
}

/** Files that differ from what is committed, one a line; they are in no release. */
export function uncommitted(): Promise<string> {
  return run(["git", "status", "--short"], ROOT);
}

/**
 * Lays out a commit, and installs the packages for every architecture as the lock files pin them.
 * @param change is done to the files first; for proofs of a version that is not there yet
 */
export async function layOut(
  { id }: Commit,
  change: (folder: string) => void = () => {},
): Promise<Tree> {
  const folder = mkdtempSync(join(tmpdir(), "fiscald-tree-"));
  await run(["sh", "-c", 'git archive "$1" | tar -x -C "$2"', "-", id, folder], ROOT);
  change(folder);
  const install = ["install", "--frozen-lockfile", "--ignore-scripts", "--cpu=*", "--os=linux"];
  await run([process.execPath, ...install, "--production"], folder);
  await run([process.execPath, ...install], join(folder, "scripts/release/runtimes"));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Runs a command to its end. @returns what it wrote @throws Error with that when it fails */
export async function run(command: readonly string[], cwd: string): Promise<string> {
  const child = Bun.spawn([...command], { cwd, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}:\n${out}${err}`);
  return out;
}
