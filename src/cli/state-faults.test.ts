/** What in a state directory its user cannot use is told wherever it is met, with the line that mends it. */

import { beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, chownSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { boxForEachTest } from "../e2e/harness/box-for-each-test.ts";
import { asRoot } from "../e2e/harness/other-runtime.ts";
import { startOwnProcess } from "../e2e/harness/own-process.ts";
import { runToEnd } from "../e2e/harness/run-to-end.ts";
import { userName } from "../platform/user-name.ts";

/** Somebody who is not root. */
const KEEPER = 65_534;
const AS_KEEPER = ["setpriv", `--reuid=${KEEPER}`, "--clear-groups"];
const PASSPHRASE = "long enough for a backup\n";

const box = boxForEachTest();
const chown = () => `sudo chown -R ${userName(KEEPER)}: ${box.stateDir}`;
const words = (...given: readonly string[]) => [
  ...[...AS_KEEPER, box.program, ...given],
  ...["--state-dir", box.stateDir],
];
const run = (...given: readonly string[]) =>
  runToEnd(words(...given), { cwd: "/", stdin: PASSPHRASE });
const HERE = ["--http-listen", "127.0.0.1:0"];
const OWN = ["--https-certificate", "own", "--https-listen", "127.0.0.1:0"];
/** A line as it was told, by root, who needs no sudo. */
const type = (line: string) => runToEnd(["sh", "-c", line.replace(/^sudo /, "")], { cwd: "/" });

// Nobody else may write into what belongs to another user.
describe.each(asRoot("what root has left in another user's state"))("%s", () => {
  beforeEach(async () => {
    chmodSync(box.folder, 0o755);
    for (const folder of [box.stateDir, `${box.stateDir}-starts`]) {
      mkdirSync(folder, { mode: 0o700 });
      chownSync(folder, KEEPER, KEEPER);
    }
    expect(await run("migrate")).toMatchObject({ code: 0 });
  });

  test("a folder of backups is told before the night, and by the backup that fails", async () => {
    const [backups, passphrase] = ["backups", "passphrase"].map((name) =>
      join(box.stateDir, name),
    ) as [string, string];
    writeFileSync(passphrase, PASSPHRASE);
    chownSync(passphrase, KEEPER, KEEPER);
    mkdirSync(backups, { mode: 0o700 });
    const withPassphrase = ["--backup-passphrase-file", passphrase];
    const told = expect.stringContaining(
      `${backups} cannot be written to: EACCES: permission denied, access '${backups}': ` +
        `it belongs to root, not ${userName(KEEPER)}: ${chown()}`,
    );
    const gateway = box.keep(startOwnProcess(words("serve", ...HERE, ...withPassphrase)));
    await gateway.line("listening");
    const looked = await run("doctor", "--json", ...withPassphrase);
    expect(JSON.parse(looked.out)).toContainEqual({
      ...{ about: "Gateway", state: "error", text: told, cure: chown() },
    });
    await gateway.stop();
    const still = await run("doctor", "--json", ...withPassphrase);
    expect(JSON.parse(still.out)).toContainEqual({
      ...{ about: "Backup", state: "error", text: told, cure: chown() },
    });
    const make = () => run("backup", "--backup-work-factor", "10", ...withPassphrase);
    const failed = await make();
    expect([failed.code, failed.err]).toEqual([3, told]);
    expect(await type(chown())).toMatchObject({ code: 0 });
    expect(await make()).toMatchObject({ code: 0 });
  });

  test("a lock, and the keys of HTTPS, are told by whatever cannot use them", async () => {
    const lock = join(box.stateDir, "fiscald.lock");
    chownSync(lock, 0, 0);
    for (const given of [["serve", ...HERE], ["migrate"]]) {
      const { code, err } = await run(...given);
      expect([given, code, err]).toEqual([
        ...[given, 3],
        expect.stringContaining(`fiscald.lock: not of ${userName(KEEPER)}, who has to use it`),
      ]);
      expect(err).toContain(`: ${chown()}`);
    }
    expect(await type(chown())).toMatchObject({ code: 0 });
    const [tls, pem] = [join(box.stateDir, "tls"), join(box.stateDir, "tls", "ca.pem")];
    mkdirSync(tls, { mode: 0o700 });
    writeFileSync(pem, "", { mode: 0o600 });
    for (const [path, name] of [
      [tls, "tls"],
      [pem, "tls/ca.pem"],
    ] as const) {
      chownSync(tls, KEEPER, KEEPER);
      chownSync(path, 0, 0);
      for (const given of [
        ["serve", ...HERE, ...OWN],
        ["tls", ...OWN],
      ]) {
        const { code, err } = await run(...given);
        expect([given, code, err]).toEqual([given, 3, expect.stringContaining(chown())]);
        expect(err).toContain(name);
      }
      expect((await run("doctor")).out).toContain(`not of ${userName(KEEPER)}`);
    }
  });

  test("a folder in the place of the lock is told with what puts it aside", async () => {
    const lock = join(box.stateDir, "fiscald.lock");
    rmSync(lock);
    mkdirSync(lock);
    writeFileSync(join(lock, "something"), "");
    const line = `mv ${lock} ${lock}.aside`;
    for (const given of [["serve", ...HERE], ["doctor"]]) {
      const { out, err } = await run(...given);
      expect(out + err).toContain("fiscald.lock is a folder, where a file belongs");
      expect(out + err).toContain(line);
    }
    expect(await type(line)).toMatchObject({ code: 0 });
    expect(await run("migrate")).toMatchObject({ code: 0 });
  });
});
