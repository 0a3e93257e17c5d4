import { beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { boxForEachTest } from "../e2e/harness/box-for-each-test.ts";
import { asRoot } from "../e2e/harness/other-runtime.ts";
import { startOwnProcess, textOf } from "../e2e/harness/own-process.ts";
import { runToEnd } from "../e2e/harness/run-to-end.ts";
import { follow } from "../http/testing/openapi-faults.ts";
import { userName } from "../platform/user-name.ts";

/** Somebody who is not root. */
const KEEPER = 65_534;
const AS_KEEPER = ["setpriv", `--reuid=${KEEPER}`, "--clear-groups"];

const box = boxForEachTest();
beforeEach(() => {
  // Who is not root has to find the way to the state.
  chmodSync(box.folder, 0o755);
  mkdirSync(box.stateDir, { mode: 0o700 });
});

const run = (words: readonly string[], as: readonly string[] = []) =>
  runToEnd([...as, box.program, ...words, "--state-dir", box.stateDir], {
    ...{ cwd: "/", stdin: "a long password\n" },
  });
/** What belongs to somebody else than the state's user. */
const strange = () =>
  readdirSync(box.stateDir, { recursive: true, encoding: "utf8" }).filter(
    (path) => lstatSync(join(box.stateDir, path)).uid !== KEEPER,
  );

const OWNER = ["--owner-name", "Ana", "--owner-email", "ana@shop.example", "--shop", "Corner Shop"];
const SETUP = ["setup", ...OWNER, "--currency", "EUR", "--timezone", "Europe/Sofia"];
const SET_UP = [...SETUP, "--password-stdin"];

// Nobody else may write into what belongs to another user.
const ROOT = asRoot("commands of root in another user's state");
describe.each(ROOT)("%s, in a state directory of another user", () => {
  beforeEach(() => {
    chownSync(box.stateDir, KEEPER, KEEPER);
    // The folder of its starts lies beside it.
    mkdirSync(`${box.stateDir}-starts`);
    chownSync(`${box.stateDir}-starts`, KEEPER, KEEPER);
  });

  test("is told the line to type, and leaves nothing there", async () => {
    for (const words of [SET_UP, ["migrate"]]) {
      const { err, out, code } = await run(words);
      expect([code, out, readdirSync(box.stateDir)]).toEqual([3, "", []]);
      expect(err).toContain(`belongs to ${userName(KEEPER)}`);
      expect(err).toContain(`\n  sudo -u ${userName(KEEPER)} `);
      expect(err).toMatch(new RegExp(` ${words[0]} .*--state-dir ${box.stateDir}\n`));
      expect(err).toEndWith(`\nOr, in a container, run it as that user: --user ${KEEPER}\n`);
    }
    expect(await run(SET_UP, AS_KEEPER)).toMatchObject({ code: 0 });
    const backups = join(box.folder, "backups");
    mkdirSync(backups);
    chownSync(backups, KEEPER, KEEPER);
    const quick = ["--passphrase-stdin", "--backup-work-factor", "10"];
    const made = await run(["backup", "--to", backups, ...quick], AS_KEEPER);
    expect(made.code).toBe(0);
    for (const words of [
      ["setup"],
      ["migrate"],
      ["repair"],
      ["restore", made.out.trim(), "--passphrase-stdin"],
      ["backup", "--passphrase-stdin"],
    ]) {
      const { err, code } = await run(words);
      expect([words, code, err]).toEqual([words, 3, expect.stringContaining("\n  sudo -u ")]);
      expect(strange()).toEqual([]);
    }
    // What makes no files that stay works for root too, and names the user that the next line needs.
    const { out, code } = await run(["plan"]);
    expect([code, strange()]).toEqual([0, []]);
    expect(out).toContain(`For API keys of tills: sudo -u ${userName(KEEPER)} `);
  });

  test("is not bare where there is none yet, and its folder is another user's", async () => {
    rmSync(box.stateDir, { recursive: true });
    rmSync(`${box.stateDir}-starts`, { recursive: true });
    for (const words of [["serve", "--http-listen", "127.0.0.1:0"], ["migrate"]]) {
      const { err, code } = await run(words, AS_KEEPER);
      expect([words, code]).toEqual([words, 3]);
      expect(err).toContain(`${userName(KEEPER)} may not make it: ${box.folder} belongs to root.`);
      const made = `${box.stateDir} ${box.stateDir}-starts`;
      expect(err).toEndWith(`\n  sudo install -d -m 700 -o ${userName(KEEPER)} ${made}\n`);
    }
    const [, line = ""] =
      /\n {2}sudo (install .*)\n$/.exec((await run(["migrate"], AS_KEEPER)).err) ?? [];
    expect(await runToEnd(line.split(" "))).toMatchObject({ code: 0 });
    // The folder of its starts lies beside it, and was made there too.
    expect(await run(["migrate"], AS_KEEPER)).toMatchObject({ code: 0 });
    expect(readdirSync(`${box.stateDir}-starts`)).toEqual(["starts"]);
  });

  test("and the folder of its starts cannot be made beside it, all tell, until it is", async () => {
    expect(await run(SET_UP, AS_KEEPER)).toMatchObject({ code: 0 });
    rmSync(`${box.stateDir}-starts`, { recursive: true });
    const serve = ["serve", "--http-listen", "127.0.0.1:0", "--state-dir", box.stateDir];
    const gateway = box.keep(startOwnProcess([...AS_KEEPER, box.program, ...serve]));
    const url = textOf(await gateway.line("listening"), "url");
    const database = async (): Promise<unknown> =>
      follow(await (await fetch(`${url}/health`)).json(), "#/checks/database");
    expect(await database()).toMatchObject({
      status: "degraded",
      findings: [{ code: "starts_uncounted" }],
    });
    const line = `sudo install -d -m 700 -o ${userName(KEEPER)} ${box.stateDir}-starts`;
    expect((await run(["status"], AS_KEEPER)).out).toContain(`${box.stateDir}-starts`);
    const { out } = await run(["doctor"], AS_KEEPER);
    const made = `may not make ${box.stateDir}-starts (in a container mount a volume there): `;
    expect(out).toContain(`could print twice: ${userName(KEEPER)} ${made}`);
    expect(out).toContain(`\n        -> ${line}\n`);
    expect(await runToEnd(line.split(" ").slice(1))).toMatchObject({ code: 0 });
    expect(await database()).toEqual({ status: "ok" });
  });

  test("that keeps the settings is told the limits, which the state's user may not write there", async () => {
    expect(await run(SET_UP, AS_KEEPER)).toMatchObject({ code: 0 });
    const settings = join(box.stateDir, "fiscald.toml");
    writeFileSync(settings, "# of root\n");
    chmodSync(settings, 0o644);
    chownSync(settings, 0, 0);
    const { out, code } = await run(["setup"], AS_KEEPER);
    expect(code).toBe(0);
    expect(out).toContain(`${settings} lacks limits for one shop; add below limits:`);
    expect(out).toContain("globalMax = 20000");
    expect(readFileSync(settings, "utf8")).toBe("# of root\n");
    expect(readdirSync(box.stateDir).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  test("that has left files there is found by doctor, and by whatever cannot read them", async () => {
    expect(await run(["migrate"], AS_KEEPER)).toMatchObject({ code: 0 });
    const [pid, settings] = [join(box.stateDir, "fiscald.pid"), join(box.stateDir, "fiscald.toml")];
    writeFileSync(pid, "");
    chownSync(pid, 0, 0);
    const chown = `sudo chown -R ${userName(KEEPER)}: ${box.stateDir}`;
    const backups = join(box.stateDir, "backups");
    mkdirSync(backups, { mode: 0o700 });
    const status = await run(["status"], AS_KEEPER);
    expect([status.code, status.err]).toEqual([3, expect.stringContaining("no gateway runs on")]);
    const listed = await run(["backup", "--list"], AS_KEEPER);
    expect([listed.code, listed.err]).toEqual([3, expect.stringContaining("cannot be listed")]);
    const unread = await run(["restore", join(backups, "b.age")], AS_KEEPER);
    expect([unread.code, unread.err]).toEqual([
      2,
      expect.stringContaining(`b.age cannot be read by ${userName(KEEPER)}`),
    ]);
    const { out } = await run(["doctor"], AS_KEEPER);
    expect(out).toContain(`State: backups, fiscald.pid: not of ${userName(KEEPER)}`);
    expect(out).toContain(`-> ${chown}\n`);
    chownSync(settings, 0, 0);
    const { err, code } = await run(["serve"], AS_KEEPER);
    expect([code, err]).toEqual([
      2,
      expect.stringContaining(`belongs to root, not ${userName(KEEPER)}: ${chown}`),
    ]);
  });

  test("that has copied the database there has not made the state its own", async () => {
    expect(await run(SET_UP, AS_KEEPER)).toMatchObject({ code: 0 });
    chownSync(join(box.stateDir, "fiscald.db"), 0, 0);
    const chown = `sudo chown -R ${userName(KEEPER)}: ${box.stateDir}`;
    const { err, code } = await run(["repair"]);
    expect([code, err]).toEqual([3, expect.stringContaining(`belongs to ${userName(KEEPER)}`)]);
    for (const words of [["serve", "--http-listen", "127.0.0.1:0"], ["check"], ["status"]]) {
      const told = await run(words, AS_KEEPER);
      expect([words, told.code, told.err]).toEqual([words, 3, expect.stringContaining(chown)]);
    }
    const { out } = await run(["doctor"], AS_KEEPER);
    expect(out).toContain(`State: fiscald.db: not of ${userName(KEEPER)}`);
    expect(out).not.toMatch(/restore|repair/);
  });

  test("makes no state in a folder of that user either", async () => {
    const there = join(box.stateDir, "shop");
    for (const words of [["serve", "--http-listen", "192.0.2.1:80"], ["migrate"], SET_UP]) {
      const { err, code } = await runToEnd([box.program, ...words, "--state-dir", there], {
        ...{ cwd: "/", stdin: "a long password\n" },
      });
      expect([words[0], code, readdirSync(box.stateDir)]).toEqual([words[0], 3, []]);
      expect(err).toContain(`\n  sudo -u ${userName(KEEPER)} `);
      expect(err).toEndWith(` --user ${KEEPER}\n`);
    }
  });

  test("runs neither gateway nor controller there", async () => {
    for (const [words, line] of [
      [["serve", "--http-listen", "192.0.2.1:80"], `--state-dir ${box.stateDir}\n`],
      [
        ["controller", "--url", "http://127.0.0.1:9", "--id", "c", "--key", "fk_secret"],
        "--key-file FILE",
      ],
    ] as const) {
      const { err, out, code } = await run(words);
      expect([code, out, readdirSync(box.stateDir)]).toEqual([3, "", []]);
      expect(err).toMatch(new RegExp(`\n  sudo -u ${userName(KEEPER)} \\S+ ${words[0]} .*${line}`));
      expect(err).not.toContain("...");
      expect(err).not.toContain("fk_secret");
    }
  });

  test("runs the gateway on, and all else, where the database is of root, as in a container", async () => {
    expect(await run(["migrate"], AS_KEEPER)).toMatchObject({ code: 0 });
    for (const name of readdirSync(box.stateDir)) chownSync(join(box.stateDir, name), 0, 0);
    const serve = [
      box.program,
      "serve",
      "--http-listen",
      "127.0.0.1:0",
      "--state-dir",
      box.stateDir,
    ];
    const gateway = box.keep(startOwnProcess(serve));
    await gateway.line("listening");
    expect(await run(SET_UP)).toMatchObject({ code: 0 });
    await gateway.stop();
    expect(await run(["migrate"])).toMatchObject({ code: 0 });
  });
});
