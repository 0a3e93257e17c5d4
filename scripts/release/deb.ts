/** Makes a Debian package of the folder that the archive holds. Source: `man 1 dpkg-deb`, `man 5 deb`. */

import {
  chmodSync,
  cpSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { Architecture } from "../build.ts";
import { type Packing, sumsOf } from "./contents.ts";

const SCRIPTS = join(import.meta.dir, "debian");

/** As Debian calls them. */
const DEBIAN_NAMES = { x64: "amd64", arm64: "arm64" } as const satisfies Record<
  Architecture,
  string
>;

/** Where files of the archive go; what is not named is documentation, or for `install.sh` alone. */
const PLACES: Readonly<Record<string, string>> = {
  fiscald: "usr/bin/fiscald",
  "fiscald.service": "usr/lib/systemd/system/fiscald.service",
  "fiscald-controller.service": "usr/lib/systemd/system/fiscald-controller.service",
  "70-fiscald.rules": "usr/lib/udev/rules.d/70-fiscald.rules",
  "controller.env": "etc/fiscald/controller.env",
  "release.pub": "etc/fiscald/release.pub",
  "LICENSES.txt": "usr/share/doc/fiscald/copyright",
  "sbom.cdx.json": "usr/share/doc/fiscald/sbom.cdx.json",
  doc: "usr/share/doc/fiscald/doc",
};
/** A person's, so an upgrade keeps it. */
const SETTINGS = ["/etc/fiscald/controller.env", "/etc/fiscald/release.pub"];
/** It is going to hold a key. */
const PRIVATE = "etc/fiscald/controller.env";

/** File name of the package. */
export function debName({ version, architecture }: Packing): string {
  return `fiscald_${version}_${DEBIAN_NAMES[architecture]}.deb`;
}

/**
 * Packs a filled folder; the same input gives the same bytes.
 * @param out the folder that the package is put into
 * @returns its path
 * @throws Error when dpkg-deb fails
 */
export async function packDeb(folder: string, packing: Packing, out: string): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), "fiscald-deb-"));
  try {
    const names = readdirSync(folder).filter((name) => Object.hasOwn(PLACES, name));
    for (const name of names) place(join(folder, name), join(root, PLACES[name] ?? ""));
    const sums = await sumsOf(root, "md5");
    const kilobytes = Math.ceil(sizeOf(root) / 1_024);
    mkdirSync(join(root, "DEBIAN"));
    const write = (name: string, text: string, mode = 0o644) => {
      writeFileSync(join(root, "DEBIAN", name), text);
      chmodSync(join(root, "DEBIAN", name), mode);
    };
    write("md5sums", sums);
    const settings = SETTINGS.filter((path) => names.includes(basename(path)));
    write("conffiles", settings.map((path) => `${path}\n`).join(""));
    write("control", controlText(packing, kilobytes));
    for (const name of readdirSync(SCRIPTS)) write(name, scriptText(folder, name), 0o755);
    settle(root, packing.epoch);
    const deb = join(out, debName(packing));
    await runDpkg(root, deb, packing.epoch);
    return deb;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** The units name the place of the executable, which is another one in a package. */
function place(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true });
  if (!to.endsWith(".service")) return;
  writeFileSync(to, readFileSync(to, "utf8").replaceAll("/usr/local/bin/", "/usr/bin/"));
}

/** What a script shares with `install.sh` is put into it. */
function scriptText(folder: string, name: string): string {
  const steps = readFileSync(join(folder, "steps.sh"), "utf8");
  return readFileSync(join(SCRIPTS, name), "utf8").replace(/^\. .*steps\.sh$/m, () => steps.trim());
}

/** A candidate comes before its version for dpkg too, which takes what is behind a hyphen for more of it. */
function controlText({ version, architecture }: Packing, kilobytes: number): string {
  return `Package: fiscald
Version: ${version.replace("-", "~")}
Architecture: ${DEBIAN_NAMES[architecture]}
Maintainer: fiscald <fiscald@localhost>
Installed-Size: ${kilobytes}
Depends: libc6 (>= 2.34), libstdc++6, libgcc-s1, passwd, init-system-helpers
Recommends: udev
Section: net
Priority: optional
Description: self-hosted fiscal device gateway
 Prints the fiscal receipt of every sale that a shop's tills and web shop send
 it, on the shop's own printer, and never one twice.
`;
}

function sizeOf(root: string): number {
  const paths = [...new Bun.Glob("**/*").scanSync({ cwd: root, dot: true })];
  return paths.reduce((sum, path) => sum + statSync(join(root, path)).size, 0);
}

/** The same modes and times, whatever the umask and the hour. */
function settle(root: string, epoch: number): void {
  for (const path of new Bun.Glob("**/*").scanSync({ cwd: root, dot: true, onlyFiles: false })) {
    const whole = join(root, path);
    const info = statSync(whole);
    const isRun = info.isDirectory() || (info.mode & 0o100) !== 0;
    chmodSync(whole, path === PRIVATE ? 0o600 : isRun ? 0o755 : 0o644);
    lutimesSync(whole, epoch, epoch);
  }
  chmodSync(root, 0o755);
  lutimesSync(root, epoch, epoch);
}

async function runDpkg(root: string, deb: string, epoch: number): Promise<void> {
  const options = ["--root-owner-group", "--threads-max=1", "-Zxz", "-z1"];
  const child = Bun.spawn(["dpkg-deb", "--build", ...options, root, deb], {
    env: { PATH: process.env.PATH ?? "/usr/bin:/bin", SOURCE_DATE_EPOCH: String(epoch) },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "inherit",
  });
  const code = await child.exited;
  if (code !== 0) throw new Error(`dpkg-deb ended with ${code}`);
}
