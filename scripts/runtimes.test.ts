import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NOT_TRIED } from "../src/e2e/harness/other-runtime.ts";
import { runToEnd } from "../src/e2e/harness/run-to-end.ts";

/** Whoever is not root installs nothing. */
const asRoot = (lines: readonly string[]) => (process.getuid?.() === 0 ? lines : []);

const WITHOUT_NET = "echo 'E: Unable to locate package' >&2; exit 100";

let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-runtimes-"));
  await place("minisign");
  await place("pebble");
  await place("strace");
  await place("sudo");
  await place("certutil");
  await place("xmllint");
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Puts a program on the path of the step, on which there is nothing else. */
async function place(name: string, script = ""): Promise<void> {
  const path = join(folder, name);
  await Bun.write(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

/** Debian's programs. @param installed a package that is there; @param end of each run of apt-get */
async function placeDebian(installed: string, end = "exit 0"): Promise<void> {
  await place("dpkg-query", `case "$4" in ${installed}) printf installed ;; *) exit 1 ;; esac`);
  await place("apt-get", `echo "$DEBIAN_FRONTEND" "$@" >> ${folder}/asked\n${end}`);
  await Bun.write(join(folder, "asked"), "");
}

/** Runs the step. @returns the lines that it wrote */
async function run(): Promise<string[]> {
  const command = [process.execPath, join(import.meta.dir, "runtimes.ts")];
  const { out, err, code } = await runToEnd(command, { cwd: folder, env: { PATH: folder } });
  expect({ err, code }).toEqual({ err: "", code: 0 });
  return out.split("\n").filter((line) => line !== "");
}

/** What apt-get was asked, without its settings. */
function asked(): string[] {
  const lines = readFileSync(join(folder, "asked"), "utf8").trim().split("\n");
  return lines.map((line) => line.replaceAll(/ -o \S+/g, "")).filter((line) => line !== "");
}

test("installs what is missing without a question or a word", async () => {
  await placeDebian("libmono-system-*");
  rmSync(join(folder, "minisign"));
  rmSync(join(folder, "strace"));
  rmSync(join(folder, "sudo"));
  rmSync(join(folder, "certutil"));
  expect(await run()).toEqual([]);
  const quietly = "noninteractive --quiet --yes";
  expect(asked()).toEqual([
    ...asRoot([
      `${quietly} update`,
      `${quietly} install --no-install-recommends php-cli`,
      `${quietly} install --no-install-recommends minisign`,
      `${quietly} install --no-install-recommends strace`,
      `${quietly} install --no-install-recommends sudo`,
      `${quietly} install --no-install-recommends libnss3-tools`,
      `${quietly} install --no-install-recommends mono-mcs`,
      `${quietly} install --no-install-recommends chromium-headless-shell`,
    ]),
  ]);
});

test("asks for nothing where all is there", async () => {
  await placeDebian("*mono-*");
  await place("php");
  await place("chromium-headless-shell");
  expect(await run()).toEqual([]);
  expect(asked()).toEqual([]);
});

test("takes .NET for Mono", async () => {
  await placeDebian("none");
  await place("php");
  await place("dotnet");
  await place("chromium-headless-shell");
  expect(await run()).toEqual([]);
  expect(asked()).toEqual([]);
});

test("goes on where it cannot be installed, and says why", async () => {
  await placeDebian("*mono-*", WITHOUT_NET);
  await place("chromium");
  const why = "what needs php-cli, because apt-get says E: Unable to locate package";
  expect(await run()).toEqual([...asRoot([`${NOT_TRIED}${why}`])]);
});

test("takes the whole browser where its engine alone cannot be had", async () => {
  await placeDebian("*mono-*", `case "$*" in *-shell) ${WITHOUT_NET} ;; esac`);
  await place("php");
  expect(await run()).toEqual([]);
  const installed = asked().map((line) => line.split(" ").at(-1) ?? "");
  expect(installed).toEqual([...asRoot(["update", "chromium-headless-shell", "chromium"])]);
});

test("leaves a system without apt-get alone", async () => {
  expect(await run()).toEqual([]);
});
