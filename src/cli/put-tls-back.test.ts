/** The authority that tills trust, damaged or gone, comes back from a backup by the line that is told. */

import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { boxForEachTest } from "../e2e/harness/box-for-each-test.ts";
import { hasPrograms } from "../e2e/harness/other-runtime.ts";
import { startOwnProcess } from "../e2e/harness/own-process.ts";
import { runToEnd } from "../e2e/harness/run-to-end.ts";

const PASSPHRASE = "long enough for a backup\n";
const HERE = ["--http-listen", "127.0.0.1:0"];
const OWN = ["--https-certificate", "own", "--https-listen", "127.0.0.1:0"];
const FROM_STDIN = ["--passphrase-stdin", "--backup-work-factor", "10"];

const box = boxForEachTest();
const words = (...given: readonly string[]) => [
  ...[box.program, ...given],
  ...["--state-dir", box.stateDir],
];
const run = (...given: readonly string[]) =>
  runToEnd(words(...given), { cwd: "/", stdin: PASSPHRASE });
const madeBackup = async () => (await run("backup", ...FROM_STDIN)).out.trim();

/** A gateway on the state, until it has a certificate. */
async function serve() {
  const gateway = box.keep(startOwnProcess(words("serve", ...HERE, ...OWN)));
  await gateway.line("listening");
  return gateway;
}

test("a lost authority is put back by the line that doctor and tls print, and nothing else is", async () => {
  const gateway = await serve();
  await gateway.stop();
  const trusted = (await run("tls", "--ca", ...OWN)).out;
  expect(trusted).toContain("BEGIN CERTIFICATE");
  const backup = await madeBackup();
  const [pem, database] = ["tls/ca.pem", "fiscald.db"].map((name) => join(box.stateDir, name)) as [
    string,
    string,
  ];
  const passphrase = join(box.folder, "passphrase");
  writeFileSync(passphrase, PASSPHRASE);
  for (const lose of [() => rmSync(pem), () => writeFileSync(pem, "damaged")]) {
    lose();
    const before = readFileSync(database);
    const findings: { about: string; cure?: string }[] = JSON.parse(
      (await run("doctor", "--json", ...OWN)).out,
    );
    const cure = findings.find(({ about }) => about === "HTTPS")?.cure ?? "";
    const [, line = ""] = /^with the gateway stopped: (.*)$/.exec(cure) ?? [];
    expect(line).toContain(`restore --only tls ${backup} --state-dir`);
    const shown = await run("tls", ...OWN);
    expect(shown.out + shown.err).toContain(line);
    const typed = `FISCALD_BACKUP_PASSPHRASE_FILE=${passphrase} ${line}`;
    const { out, code } = await runToEnd(["sh", "-c", typed], { cwd: "/" });
    expect([code, out]).toEqual([0, expect.stringMatching(/^Restored +the keys and cert/m)]);
    expect((await run("tls", "--ca", ...OWN)).out).toBe(trusted);
    expect(readFileSync(database)).toEqual(before);
    const [, aside = ""] = /are kept in (\S+);/.exec(out.replaceAll(/\s+/g, " ")) ?? [];
    expect(readdirSync(join(aside, "tls"))).toContain("server.pem");
    rmSync(aside, { recursive: true });
  }
  expect(readdirSync(box.stateDir).filter((name) => name.includes("restore"))).toEqual([]);
  await (await serve()).stop();
});

test("a backup that lacks it is made and told, and removes none that has it", async () => {
  await (await serve()).stop();
  const trusted = (await run("tls", "--ca", ...OWN)).out;
  writeFileSync(join(box.stateDir, "fiscald.toml"), '[https]\ncertificate = "own"\n');
  const make = () => run("backup", "--nightly", "--backup-keep", "1", ...FROM_STDIN);
  const whole = await make();
  expect(whole.err).not.toContain("authority");
  const file = whole.out.trim();
  rmSync(join(box.stateDir, "tls/ca.pem"));
  for (const _ of [1, 2]) {
    const { code, out, err } = await make();
    expect([code, out.trim() === file]).toEqual([0, false]);
    expect(err).toMatch(/lacks the authority that tills trust: \S+tls\/ca\.pem is gone/);
    // Not those that were made since.
    expect(err).toContain(`restore --only tls ${file} `);
  }
  expect((await run("restore", "--only", "tls", file, "--passphrase-stdin")).code).toBe(0);
  expect((await run("tls", "--ca", ...OWN)).out).toBe(trusted);
  // Now older ones go again.
  expect((await make()).err).toContain("removed ");
});

test("with all of its folder gone, doctor and tls tell what a start costs before there is one", async () => {
  const fresh = await run("tls", ...OWN);
  expect([fresh.code, fresh.err]).toEqual([3, expect.stringContaining("there is none yet")]);
  await (await serve()).stop();
  rmSync(join(box.stateDir, "tls"), { recursive: true });
  for (const asked of ["doctor", "tls"]) {
    const { out, err } = await run(asked, ...OWN);
    expect((out + err).replaceAll(/\s+/g, " ")).toMatch(
      /the authority that tills trust is gone.* restore --only tls FILE .*; or start the gateway for a new/,
    );
  }
});

const CUT = "a restore of the keys of HTTPS that is killed between its two renames";
test.each(hasPrograms(CUT, ["strace"]) ? ["strace"] : [])(
  "killed between the two folders (%s), no start makes another authority, and done again it ends",
  async (strace) => {
    const gateway = await serve();
    await gateway.stop();
    const trusted = (await run("tls", "--ca", ...OWN)).out;
    const backup = await madeBackup();
    const line = words("restore", "--only", "tls", backup, "--passphrase-stdin");
    const tls = join(box.stateDir, "tls");
    // Its renames: the note, the folder that goes, the folder that comes.
    const kill = ["-e", "trace=/^rename", "-e", "inject=/^rename:signal=KILL:when=3"];
    const cut = await runToEnd([strace, "-f", "-o", "/dev/null", ...kill, ...line], {
      cwd: "/",
      stdin: PASSPHRASE,
    });
    expect([cut.code, existsSync(tls)]).not.toEqual([0, true]);
    expect(existsSync(tls)).toBe(false);

    const blind = await serve();
    await blind.line("HTTPS lacks a certificate");
    await blind.stop();
    expect(existsSync(join(tls, "ca.pem"))).toBe(false);
    expect((await run("doctor", ...OWN)).out).toContain(`restore --only tls ${backup}`);
    const again = await runToEnd(line, { cwd: "/", stdin: PASSPHRASE });
    expect(again.code).toBe(0);
    expect((await run("tls", "--ca", ...OWN)).out).toBe(trusted);
    await (await serve()).line("listening with TLS");
  },
);

test("nothing is put back under a gateway, from a database alone, or from a backup without keys", async () => {
  expect(await run("migrate")).toMatchObject({ code: 0 });
  const backup = await madeBackup();
  const only = (file: string) => run("restore", "--only", "tls", file, "--passphrase-stdin");
  const none = await only(backup);
  expect([none.code, none.err]).toEqual([3, expect.stringContaining("holds no keys of HTTPS")]);
  const bare = await only(join(box.stateDir, "fiscald.db"));
  expect([bare.code, bare.err]).toEqual([2, expect.stringContaining("name a backup")]);
  mkdirSync(join(box.stateDir, "tls"));
  const wrong = await runToEnd(words("restore", "--only", "tls", backup, "--passphrase-stdin"), {
    cwd: "/",
    stdin: "another passphrase\n",
  });
  expect([wrong.code, existsSync(join(box.stateDir, "tls"))]).toEqual([2, true]);
  const gateway = await serve();
  const served = await only(backup);
  expect([served.code, served.err]).toEqual([3, expect.stringContaining("in use by process")]);
  await gateway.stop();
});
