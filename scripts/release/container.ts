/** A Debian with a systemd of its own, in a folder: what a release is tried on. */

import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { basename, join } from "node:path";
import { until } from "#src/e2e/harness/until.ts";
import { run } from "./tree.ts";

const MIRROR = "http://deb.debian.org/debian";
const BOOT_MS = 120_000;
const ENVIRONMENT = ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"];

/** A Debian to be made. */
export interface DebianKind {
  /** Debian 12 or 13: what a shop's machine has. */
  readonly suite: "bookworm" | "trixie";
  /** As Debian calls it. */
  readonly architecture: "amd64" | "arm64";
  readonly packages: readonly string[];
}

/**
 * Makes a folder with a small Debian, unless it is there.
 * @param place the folder that it is made in
 * @returns its path
 */
export async function makeDebian(place: string, kind: DebianKind): Promise<string> {
  const { suite, architecture, packages } = kind;
  const folder = join(place, `debian-${suite}-${architecture}`);
  if (existsSync(`${folder}.whole`)) return folder;
  rmSync(folder, { recursive: true, force: true });
  // Of another architecture only the files are needed, and none of its programs can run here.
  const how = architecture === "arm64" ? ["--foreign"] : [];
  const options = [
    `--arch=${architecture}`,
    "--variant=minbase",
    `--include=${packages.join()}`,
    ...how,
  ];
  await run(["debootstrap", ...options, suite, folder, MIRROR], "/");
  await unmountProc(join(folder, "proc"));
  // An emulator prefers what is there to what the machine has, and these are of no use.
  if (architecture === "arm64")
    for (const name of ["dev", "proc", "sys"])
      rmSync(join(folder, name), { recursive: true, force: true });
  mkdirSync(`${folder}.whole`);
  return folder;
}

/**
 * The debootstrap of Debian 12 leaves it mounted where it makes a Debian 13. Where it may mount nothing
 * it makes a link to the /proc of this machine instead: that one stays.
 */
async function unmountProc(place: string): Promise<void> {
  if (lstatSync(place, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  await run(["sh", "-c", '! mountpoint -q "$1" || umount "$1"', "-", place], "/");
}

/** A booted Debian. */
export interface Container {
  /** Runs a command line of the shell inside. @returns what it wrote @throws Error when it fails */
  sh(line: string): Promise<string>;
  /** Puts a file into `/root`. */
  give(path: string): void;
  /** What is in a file; undefined while it is not there. */
  read(path: string): string | undefined;
  /** Ends everything inside at once. What it wrote stays, for it is the disk of this machine. */
  cutPower(): Promise<void>;
  /** Boots the same tree again. */
  bootAgain(): Promise<Container>;
  stop(): Promise<void>;
}

/** Boots a copy of a Debian with systemd, in namespaces of its own and without a network. */
export async function boot(debian: string, folder: string): Promise<Container> {
  rmSync(folder, { recursive: true, force: true });
  // Of one file system: a /proc in it would bring kcore, which fills every disk.
  await run(["cp", "-a", "-x", "--reflink=auto", debian, folder], "/");
  return bootTree(folder);
}

async function bootTree(folder: string): Promise<Container> {
  const options = ["--quiet", "--boot", "--register=no", "--keep-unit", "--private-network"];
  const nspawn = Bun.spawn(["systemd-nspawn", ...options, "--console=read-only", "-D", folder], {
    stdio: ["ignore", "ignore", "ignore"],
  });
  // Looked up each time: the first child of all only prepares the place for systemd.
  const sh = (line: string) => {
    const inside = ["nsenter", "-t", String(childOf(nspawn.pid)), "-a", "env", "-i"];
    return run([...inside, ...ENVIRONMENT, "sh", "-ec", line], "/");
  };
  await until(
    "the system to be up",
    () => sh("systemctl is-system-running --wait").catch(() => false),
    BOOT_MS,
  );
  return {
    sh,
    read(path) {
      const place = join(folder, path);
      return existsSync(place) ? readFileSync(place, "utf8") : undefined;
    },
    async cutPower() {
      // With the first process of its namespace all others are gone.
      const first = childOf(nspawn.pid);
      if (first !== undefined) process.kill(first, "SIGKILL");
      await nspawn.exited;
    },
    bootAgain: () => bootTree(folder),
    give: (path) => copyFileSync(path, join(folder, "root", basename(path))),
    async stop() {
      if (nspawn.exitCode !== null || nspawn.signalCode !== null) return;
      await sh("systemctl poweroff --force --force").catch(() => undefined);
      await nspawn.exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function childOf(pid: number): number | undefined {
  const tasks = `/proc/${pid}/task`;
  const children = readdirSync(tasks).flatMap((task) =>
    readFileSync(join(tasks, task, "children"), "utf8")
      .trim()
      .split(" "),
  );
  return children.map(Number).find((child) => child > 0);
}
