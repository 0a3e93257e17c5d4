/**
 * An upgrade that ends at any of its steps, as by a power cut: whoever comes next, the boot or another
 * run of the installer, finds one version or goes back to one. Programs that count keep what is on the
 * disk behind each step, or kill the script there, which leaves the same.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runToEnd } from "../src/e2e/harness/run-to-end.ts";

const SYSTEMD = join(import.meta.dir, "..", "systemd");
const PATH = "/usr/sbin:/usr/bin:/sbin:/bin";
const UNIT = "etc/systemd/system/fiscald.service";
const UNDER_WAY = "usr/local/lib/fiscald/under-way";
const GO_BACK = "usr/local/lib/fiscald/former/go-back.sh";
/** Programs that change files. */
const STEPS = ["chmod", "cp", "ln", "mkdir", "mv", "rm", "sync"] as const;

const folder = mkdtempSync(join(tmpdir(), "fiscald-broken-off-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const unpacked = join(folder, "unpacked");
const before = join(folder, "before");
const root = join(folder, "root");
const count = join(folder, "count");

/** A release; its executable works on the database of its own version. */
function makeRelease(version: string): void {
  mkdirSync(unpacked, { recursive: true });
  for (const name of readdirSync(SYSTEMD)) copyFileSync(join(SYSTEMD, name), join(unpacked, name));
  const migrate = `[ "$4" != --try ] || exit 0; /bin/mkdir -p "$3"; [ ! -f "$3/fiscald.db.damaged" ] || exit 3;
    [ ! -f "$3/fiscald.db" ] || grep -q "of ${version}" "$3/fiscald.db"`;
  const check = `[ "$2" != --help ] || exit 0; ! grep -q torn "$3/fiscald.db" || exit 1
    [ "$4" != --taken-beyond ] || [ "$(grep -o '[0-9]*$' "$3/fiscald.db")" -gt "\${9:-0}" ] || exit 6`;
  const program = `case $1 in version) echo "fiscald ${version} (x)" ;; migrate) ${migrate} ;;
    check) ${check} ;; esac`;
  writeFileSync(join(unpacked, "fiscald"), `#!/bin/sh\n${program}\n`);
  chmodSync(join(unpacked, "fiscald"), 0o755);
  writeFileSync(join(unpacked, "fiscald.service"), `# of ${version}\n`);
}

const run = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runToEnd(["sh", ...words], { cwd: folder, env: { PATH, ...env } });
const install = (env?: Readonly<Record<string, string>>) =>
  run([join(unpacked, "install.sh"), "--root", root], env);
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const place = (path: string, text: string): void => writeFileSync(join(root, path), text);

/** An environment in which the script that does the given step is killed behind it. */
function stoppedAt(step: number): Readonly<Record<string, string>> {
  writeFileSync(count, "0");
  return { PATH: `${join(folder, "bin")}:${PATH}`, STOP_AT: String(step) };
}

/** One in so many steps at which a script is killed too. */
const KILLED_IN = 9;

/**
 * Runs a script to its end.
 * @param from the machine that it finds
 * @returns the machine as it stood behind each of its steps, a folder each
 */
async function behindEachStep(words: readonly string[], from?: string): Promise<readonly string[]> {
  const kept = mkdtempSync(join(folder, "kept-"));
  startOver(from);
  const ended = await run(words, { ...stoppedAt(0), KEEP_IN: kept });
  expect(ended).toMatchObject({ code: 0, err: "" });
  const steps = Number(readFileSync(count, "utf8"));
  const machines = Array.from({ length: steps }, (_, index) => join(kept, String(index + 1)));
  for (const [index, machine] of machines.entries()) {
    if (index % KILLED_IN !== 0) continue;
    startOver(from);
    expect((await run(words, stoppedAt(index + 1))).code).not.toBe(0);
    expect([index + 1, filesOf(root)]).toEqual([index + 1, filesOf(machine)]);
  }
  return machines;
}

/** What is on a machine, but for times and numbers of processes. */
function filesOf(machine: string): readonly string[] {
  const paths = readdirSync(machine, { recursive: true, encoding: "utf8" }).sort();
  return paths.map((path) => {
    const file = lstatSync(join(machine, path));
    const text = file.isFile() ? readFileSync(join(machine, path), "utf8") : "";
    const lasting = text.replace(/^(since|pid|begun|back)=.*$|"at":"[^"]*"/gm, "$1");
    return `${path} ${file.mode} ${lasting}`;
  });
}

/** What a boot does before it starts the gateway. */
async function boot(): Promise<void> {
  const unit = "etc/systemd/system/fiscald-go-back.service";
  if (existsSync(join(root, unit)) && existsSync(join(root, UNDER_WAY))) {
    expect(await run([join(root, GO_BACK), root])).toMatchObject({ code: 0, err: "" });
  }
  expect(existsSync(join(root, UNDER_WAY))).toBe(false);
}

/** The versions of executable and unit. */
const versions = (): readonly (string | undefined)[] =>
  ["usr/local/bin/fiscald", UNIT].map((path) => /1\.\d\.0/.exec(read(path))?.[0]);

beforeAll(async () => {
  mkdirSync(join(folder, "bin"));
  for (const name of STEPS) {
    const lines = [
      ...["#!/bin/sh", `/bin/${name} "$@" || exit`],
      ...[`read -r n < ${count}`, `echo $((n + 1)) > ${count}`],
      `[ -z "$KEEP_IN" ] || /bin/cp -a ${root} "$KEEP_IN/$((n + 1))" || exit`,
      '[ $((n + 1)) != "$STOP_AT" ] || kill -9 $PPID',
    ];
    writeFileSync(join(folder, "bin", name), `${lines.join("\n")}\n`);
    chmodSync(join(folder, "bin", name), 0o755);
  }
  makeRelease("1.0.0");
  expect(await install()).toMatchObject({ code: 0, err: "" });
  place("var/lib/fiscald/fiscald.db", "books of 1.0.0");
  cpSync(root, before, { recursive: true });
  makeRelease("1.1.0");
});

/** The machine as it was before the upgrade, or as that folder has it. */
function startOver(from = before): void {
  rmSync(root, { recursive: true, force: true });
  cpSync(from, root, { recursive: true });
}

/** The machine that stands in that folder, which is gone then. */
function goOnWith(machine: string): void {
  rmSync(root, { recursive: true, force: true });
  renameSync(machine, root);
}

const started = join(folder, "started");

/** The machine with an upgrade under way that has started the new version. */
async function beginAndStart(): Promise<void> {
  if (existsSync(started)) return startOver(started);
  startOver();
  for (let at = 1; versions()[1] !== "1.1.0"; at += 3) await install(stoppedAt(at));
  place(UNDER_WAY, `${read(UNDER_WAY)}started=yes\n`);
  cpSync(root, started, { recursive: true });
}

describe("an upgrade that is broken off", () => {
  test("at any step leaves one version, or is gone back from at the next boot", async () => {
    const found: string[] = [];
    const installer = [join(unpacked, "install.sh"), "--root", root];
    for (const [step, machine] of (await behindEachStep(installer)).entries()) {
      goOnWith(machine);
      const mixed = new Set(versions()).size > 1 ? "mixed" : "whole";
      await boot();
      const [program, unit] = versions();
      expect([step, unit]).toEqual([step, program]);
      found.push(`${mixed} ${program}`);
    }
    expect([...new Set(found)].sort()).toEqual(["mixed 1.0.0", "whole 1.0.0", "whole 1.1.0"]);
  });

  test("is gone back from by the next run of the installer, which then upgrades", async () => {
    startOver();
    for (let step = 1; versions()[0] !== "1.1.0"; step += 1) await install(stoppedAt(step));
    expect(versions()).toEqual(["1.1.0", "1.0.0"]);
    const { out, code } = await install();
    expect([code, out]).toEqual([0, expect.stringContaining("upgraded fiscald 1.0.0")]);
    expect(versions()).toEqual(["1.1.0", "1.1.0"]);
    expect(existsSync(join(root, UNDER_WAY))).toBe(false);
  });

  test("may be broken off as it goes back, at any step, and loses neither database", async () => {
    startOver();
    for (let at = 1; versions()[1] !== "1.1.0"; at += 3) await install(stoppedAt(at));
    // Its database came to a schema that the former version does not know.
    place(UNDER_WAY, `${read(UNDER_WAY)}started=yes\n`);
    place("var/lib/fiscald/fiscald.db", "books of 1.1.0");
    const begun = join(folder, "begun");
    cpSync(root, begun, { recursive: true });
    const machines = await behindEachStep([join(root, GO_BACK), root], begun);
    const done = join(folder, "done");
    startOver(begun);
    expect((await run([join(root, GO_BACK), root])).code).toBe(0);
    renameSync(root, done);
    for (const [step, machine] of [...machines, done].entries()) {
      goOnWith(machine);
      const state = readdirSync(join(root, "var/lib/fiscald"));
      if (!state.includes("fiscald.db.damaged")) {
        expect(read("var/lib/fiscald/fiscald.db")).toMatch(/^books of 1\.[01]\.0$/);
      }
      await boot();
      expect([step, ...versions()]).toEqual([step, "1.0.0", "1.0.0"]);
      expect(read("var/lib/fiscald/fiscald.db")).toBe("books of 1.0.0");
      expect(read("var/lib/fiscald/failed-update/fiscald.db")).toBe("books of 1.1.0");
      expect(JSON.parse(read("usr/local/lib/fiscald/update.json"))).toMatchObject({
        ...{ from: "1.0.0", to: "1.1.0", outcome: "went_back", databaseRestored: true },
      });
    }
    expect(machines.length).toBeGreaterThan(20);
  });

  test.each([
    ["is of another schema", "books of 1.1.0"],
    ["is damaged elsewhere", "books of 1.0.0, torn"],
    ["is gone", undefined],
  ])("gets the saved database back where the one in its place %s", async (_, left) => {
    await beginAndStart();
    if (left === undefined) rmSync(join(root, "var/lib/fiscald/fiscald.db"));
    else place("var/lib/fiscald/fiscald.db", left);
    await boot();
    expect(read("var/lib/fiscald/fiscald.db")).toBe("books of 1.0.0");
  });

  test.each([
    { when: "in the watch", seconds: 20, version: "1.0.0", books: "books of 1.0.0" },
    { when: "later than it is watched", seconds: 400, version: "1.1.0", books: undefined },
  ])("that has sold $when", async ({ seconds, version, books }) => {
    await beginAndStart();
    const soldAt = Math.floor(statSync(join(root, UNDER_WAY)).mtimeMs / 1_000) + seconds;
    const sold = `books of 1.1.0, a command at ${soldAt}`;
    place("var/lib/fiscald/fiscald.db", sold);
    const failed = join(root, "var/lib/fiscald/failed-update");
    rmSync(failed, { recursive: true, force: true });
    await boot();
    expect(versions()).toEqual([version, version]);
    expect(read("var/lib/fiscald/fiscald.db")).toBe(books ?? sold);
    expect(existsSync(failed)).toBe(books !== undefined);
    expect(JSON.parse(read("usr/local/lib/fiscald/update.json"))).toMatchObject({
      ...{ from: "1.0.0", to: "1.1.0", databaseRestored: books !== undefined },
      outcome: books === undefined ? "updated" : "went_back",
    });
  });

  /** A new version that tells its number, and does nothing else. */
  const BROKEN = '#!/bin/sh\n[ "$1" != version ] || exec echo "fiscald 1.1.0 (x)"\nexit 1\n';

  test("is gone back from where the service's user cannot get to the former version", async () => {
    await beginAndStart();
    writeFileSync(join(root, "usr/local/bin/fiscald"), BROKEN);
    const refusal = 'as_user() { case "$*" in *former/fiscald*) return 126 ;; esac; "$@"; }\n';
    appendFileSync(join(root, "usr/local/lib/fiscald/former/steps.sh"), refusal);
    await boot();
    expect(versions()).toEqual(["1.0.0", "1.0.0"]);
    expect(readdirSync(join(root, "usr/local/lib/fiscald"))).not.toContain("natives");
  });

  test("has the room again that a copy began to take for which there was too little", async () => {
    await beginAndStart();
    writeFileSync(join(root, "usr/local/bin/fiscald"), BROKEN);
    const refusal = 'as_user() { case "$*" in *former/fiscald*) return 126 ;; esac; "$@"; }\n';
    appendFileSync(join(root, "usr/local/lib/fiscald/former/steps.sh"), refusal);
    const tools = join(folder, "full");
    mkdirSync(tools);
    const full = 'case $2 in */natives/*) echo half > "$2"; echo no space left >&2; exit 1 ;; esac';
    writeFileSync(join(tools, "cp"), `#!/bin/sh\n${full}\nexec /bin/cp "$@"\n`, { mode: 0o755 });
    const { code, err } = await run([join(root, GO_BACK), root], { PATH: `${tools}:${PATH}` });
    expect([code, err]).toEqual([1, expect.stringContaining("no space left")]);
    expect(readdirSync(join(root, "usr/local/lib/fiscald"))).not.toContain("natives");
  });

  test("keeps the former version where every user can run it, whatever root's umask is", async () => {
    startOver();
    const line = 'umask 077; chmod 700 "$1"; shift; exec sh "$@"';
    const words = ["sh", "-c", line, "sh", join(root, "usr/local/bin/fiscald")];
    await runToEnd([...words, join(unpacked, "install.sh"), "--root", root], { env: { PATH } });
    const former = join(root, "usr/local/lib/fiscald/former");
    const modes = [former, join(former, "fiscald")].map((path) => statSync(path).mode & 0o777);
    expect(modes).toEqual([0o755, 0o755]);
  });

  test("keeps the database that the new version left where the former one works on it", async () => {
    await beginAndStart();
    place("var/lib/fiscald/fiscald.db", "books of 1.0.0 and a sale");
    await boot();
    expect(read("var/lib/fiscald/fiscald.db")).toBe("books of 1.0.0 and a sale");
  });
});
