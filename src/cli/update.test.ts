/**
 * `fiscald update` on a folder that stands for a machine: real archives, signatures, databases and
 * gateways; a script in the place of systemctl starts and stops them.
 */

import { afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packArchive } from "../../scripts/archive.ts";
import { publicKeyText, type SecretKey, signFile } from "../../scripts/release/sign.ts";
import { startOwnProcess } from "../e2e/harness/own-process.ts";
import { executable } from "../e2e/harness/program.ts";
import { type Ended, runToEnd } from "../e2e/harness/run-to-end.ts";
import { VERSION } from "../version.ts";
import { installedAt, readUpdateNote } from "./update-note.ts";

const SYSTEMD = join(import.meta.dir, "../../systemd");
const FORMER = "0.0.1";
const ARCH = process.arch;

let program: string;
beforeAll(async () => {
  program = await executable();
});

let folder: string;
let root: string;
let secret: SecretKey;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-update-"));
  root = join(folder, "root");
  secret = makeKey();
  install(FORMER);
});
afterEach(async () => {
  await run([join(folder, "bin/systemctl"), "stop", "fiscald"]);
  rmSync(folder, { recursive: true, force: true });
});

const inRoot = (path: string): string => join(root, path);
const run = (command: readonly string[]) =>
  runToEnd(command, { env: { PATH: `${join(folder, "bin")}:/usr/sbin:/usr/bin:/sbin:/bin` } });

function makeKey(): SecretKey {
  const { d = "", x = "" } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
  const [seed, key] = [Buffer.from(d, "base64url"), Buffer.from(x, "base64url")];
  return { id: Buffer.from("12345678"), seed, key };
}

function place(path: string, text: string): void {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, 0o755);
}

/** The real gateway, but for what it is called; it does what the lines say first. */
function gatewayCalled(version: string, ...lines: readonly string[]): string {
  const named = `[ "$1" != version ] || { echo "fiscald ${version} (test)"; exit; }`;
  return ["#!/bin/sh", named, ...lines, `exec ${program} "$@"`, ""].join("\n");
}

/** A machine with systemd on which that version is installed and runs. */
function install(version: string): void {
  place(inRoot("usr/local/bin/fiscald"), gatewayCalled(version));
  place(inRoot("etc/fiscald/release.pub"), publicKeyText(secret));
  place(inRoot("etc/systemd/system/fiscald.service"), `# of ${version}\n`);
  mkdirSync(inRoot("run/systemd/system"), { recursive: true });
  const state = inRoot("var/lib/fiscald");
  const serve = `${inRoot("usr/local/bin/fiscald")} serve --state-dir ${state}`;
  const [pid, url] = [join(folder, "pid"), join(state, "fiscald.url")];
  place(
    join(folder, "bin/systemctl"),
    `#!/bin/sh
lives() { [ -f ${pid} ] && kill -0 "$(cat ${pid})" 2>/dev/null; }
case $1 in
  is-active) [ "$3" = fiscald ] && lives ;;
  stop) ! lives || { kill "$(cat ${pid})"; while lives; do sleep 0.05; done; } ;;
  start)
    ${serve} --http-listen 127.0.0.1:0 >> ${folder}/log 2>&1 & echo $! > ${pid}
    while ! [ -f ${url} ]; do lives || exit 1; sleep 0.05; done ;;
esac
`,
  );
}

/** Packs and signs a release whose executable is that script. */
async function pack(version: string, script: string, architecture: string = ARCH): Promise<string> {
  const name = `fiscald-${version}-linux-${architecture}`;
  for (const file of readdirSync(SYSTEMD)) {
    mkdirSync(join(folder, name), { recursive: true });
    copyFileSync(join(SYSTEMD, file), join(folder, name, file));
  }
  place(join(folder, name, "fiscald"), script);
  const archive = await packArchive(join(folder, `${name}.tar.gz`), { folder, name });
  await signFile(archive, secret, `fiscald ${version} ${name}.tar.gz`);
  return archive;
}

const update = (...args: readonly string[]): Promise<Ended> =>
  run([program, "update", "--root", root, "--watch-seconds", "0", ...args]);
const installed = async (): Promise<string> =>
  (await run([inRoot("usr/local/bin/fiscald"), "version"])).out;
const unit = (): string => readFileSync(inRoot("etc/systemd/system/fiscald.service"), "utf8");
const health = async () => {
  const url = readFileSync(inRoot("var/lib/fiscald/fiscald.url"), "utf8").trim();
  return (await fetch(`${url}/health`)).status;
};
/** What the gateway tells of it, as it finds it by its state directory. */
const note = () => readUpdateNote(installedAt(inRoot("var/lib/fiscald")).note);
const start = () => run([join(folder, "bin/systemctl"), "start", "fiscald"]);

describe("an update", () => {
  test("puts the new version in place, started and well, and saves the database", async () => {
    await start();
    const archive = await pack(VERSION, gatewayCalled(VERSION));
    const { out, err, code } = await update(archive);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toBe(`verified ${VERSION}\nupdated ${FORMER} to ${VERSION}\n`);
    const about = { from: FORMER, to: VERSION, databaseRestored: false };
    expect(note()).toMatchObject({ ...about, outcome: "updated", reason: null });
    expect(await installed()).toContain(VERSION);
    expect(await health()).toBe(200);
    expect(unit()).toContain("WatchdogSec=");
    expect(existsSync(inRoot("var/lib/fiscald/before-upgrade/fiscald.db"))).toBe(true);
    expect(readdirSync(inRoot("usr/local/lib/fiscald")).toSorted()).toEqual([
      "former",
      "update.json",
    ]);
  });

  test("goes back by itself from a version that is not well, database included", async () => {
    // It answers as this version, which a gateway that came back has to.
    install(VERSION);
    await start();
    // It leaves a database that the former one does not know, and ends.
    const ruin = `[ "$1" != serve ] || { echo ruined > "$3/fiscald.db"; rm -f "$3"/*-wal; exit 1; }`;
    const { out, err, code } = await update(await pack("9.9.9", gatewayCalled("9.9.9", ruin)));
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(`not updated, ${VERSION} runs as before`),
    ]);
    expect(out).toContain("the database is the one that was saved");
    expect(note()).toMatchObject({
      ...{ from: VERSION, to: "9.9.9", outcome: "went_back", databaseRestored: true },
      reason: expect.stringContaining("systemctl start"),
    });
    expect(await installed()).toContain(VERSION);
    expect(unit()).toBe(`# of ${VERSION}\n`);
    expect(await health()).toBe(200);
    expect(readFileSync(inRoot("var/lib/fiscald/failed-update/fiscald.db"), "utf8")).toBe(
      "ruined\n",
    );
  });

  test("broken off as it puts the database back, no gateway starts on none or half of one", async () => {
    install(VERSION);
    await start();
    const state = inRoot("var/lib/fiscald");
    const isBack = `[ "$3" = ${join(state, "fiscald.db")} ]`;
    place(join(folder, "bin/cp"), `#!/bin/sh\n! ${isBack} || exit 1\nexec /bin/cp "$@"\n`);
    const ruin = `[ "$1" != serve ] || { echo ruined > "$3/fiscald.db"; rm -f "$3"/*-wal; exit 1; }`;
    const { code } = await update(await pack("9.9.9", gatewayCalled("9.9.9", ruin)));
    expect([code, note()?.outcome]).toEqual([3, "broken"]);
    const serve = [inRoot("usr/local/bin/fiscald"), "serve", "--http-listen", "127.0.0.1:0"];
    const gateway = startOwnProcess([...serve, "--state-dir", state], { PATH: "/usr/bin:/bin" });
    const became = await gateway.line("listening").then(
      () => "listening",
      () => gateway.exited,
    );
    await gateway.kill();
    expect([became, gateway.output()]).toEqual([3, expect.stringContaining("damaged")]);
    expect(existsSync(join(state, "before-upgrade/fiscald.db"))).toBe(true);
  });

  test("killed as the new version starts, is gone back from by the next one", async () => {
    await start();
    // It leaves a database that the former one does not know, and takes its starter's starter along.
    const kill = "kill -9 $(ps -o ppid= -p $PPID)";
    const ruin = `[ "$1" != serve ] || { echo ruined > "$3/fiscald.db"; rm -f "$3"/*-wal; ${kill}; exit 1; }`;
    const killed = await update(await pack("9.9.8", gatewayCalled("9.9.8", ruin)));
    expect([killed.code, await installed()]).toEqual([137, expect.stringContaining("9.9.8")]);
    const { out, err, code } = await update(await pack(VERSION, gatewayCalled(VERSION)));
    expect([code, err]).toEqual([0, ""]);
    expect(out).toStartWith(
      "the last update was broken off: first back to the version of before\n",
    );
    expect(out).toContain(`updated ${FORMER} to ${VERSION}`);
    const failed = join(inRoot("var/lib/fiscald"), "failed-update/fiscald.db");
    expect(readFileSync(failed, "utf8")).toBe("ruined\n");
    expect([await installed(), await health()]).toEqual([expect.stringContaining(VERSION), 200]);
    expect(existsSync(inRoot("usr/local/lib/fiscald/under-way"))).toBe(false);
  });

  test("touches nothing for a version that cannot bring the database to its schema", async () => {
    await start();
    const script = gatewayCalled(
      "9.9.9",
      '[ "$1" != migrate ] || { echo "no such column"; exit 3; }',
    );
    const { err, code } = await update(await pack("9.9.9", script));
    expect([code, err]).toEqual([1, expect.stringContaining("no such column")]);
    expect(note()).toMatchObject({ outcome: "refused", to: "9.9.9" });
    expect(await installed()).toContain(FORMER);
    expect(existsSync(inRoot("usr/local/lib/fiscald/former"))).toBe(false);
    expect(await health()).toBe(200);
  });

  test("is refused unless it is newer, for this machine, and signed as what it is", async () => {
    const [newer, other] = [gatewayCalled("9.9.9"), ARCH === "x64" ? "arm64" : "x64"];
    const refusals: [archive: string, why: string][] = [
      [await pack("0.0.1", newer), "is installed already"],
      [await pack("0.0.0", newer), "which is newer"],
      [await pack("9.9.8", newer, other), `is for linux-${other}`],
    ];
    const archive = await pack("9.9.9", newer);
    await signFile(archive, secret, "fiscald 9.9.9 SHA256SUMS");
    refusals.push([archive, "signed, but as something else"]);
    for (const [path, why] of refusals) {
      const { err, code } = await update(path);
      expect([code, err]).toEqual([2, expect.stringContaining(why)]);
    }
    const again = await pack("9.9.9", `${newer}#\n`);
    await signFile(again, { ...makeKey(), id: secret.id }, `fiscald 9.9.9 fiscald-9.9.9`);
    expect(await update(again)).toMatchObject({ code: 2, out: "" });
    rmSync(`${again}.minisig`);
    expect((await update(again)).err).toContain("ENOENT");
    rmSync(inRoot("etc/fiscald/release.pub"));
    expect((await update(again)).err).toContain("whose releases this machine takes");
    expect(await installed()).toContain(FORMER);
  });

  test("with --check changes nothing, and looks for newer versions where it is told", async () => {
    const archive = await pack("9.9.9", gatewayCalled("9.9.9"));
    expect((await update(archive, "--check")).out).toStartWith("9.9.9 can be installed");
    const list = join(folder, "SHA256SUMS");
    writeFileSync(list, "");
    await signFile(list, secret, "fiscald 9.9.9 SHA256SUMS");
    const found = `newer: 9.9.9, ${folder}/fiscald-9.9.9-linux-${ARCH}.tar.gz\n`;
    const { out } = await update("--check", "--from", folder);
    expect(out).toBe(`installed: ${FORMER}\n${found}`);
    await signFile(list, secret, `fiscald ${FORMER} SHA256SUMS`);
    expect((await update("--check", "--from", folder)).out).toContain("nothing newer");
    expect(await installed()).toContain(FORMER);
  });
});
