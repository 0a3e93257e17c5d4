/** Lines to type that commands print, typed literally: on a state that is another user's. */

import { beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { boxForEachTest } from "../e2e/harness/box-for-each-test.ts";
import { asRoot } from "../e2e/harness/other-runtime.ts";
import { type Ended, runToEnd } from "../e2e/harness/run-to-end.ts";

/** Somebody who is not root. */
const KEEPER = 65_534;
const PATH = "/usr/sbin:/usr/bin:/sbin:/bin";
const PASSPHRASE = "a long passphrase\n";
const QUICK = ["--passphrase-stdin", "--backup-work-factor", "10"];

/** Machines, by the words in front of a command line there. */
const MACHINES = [
  ["", []],
  [
    " without sudo",
    ["unshare", "--mount", "sh", "-ec", 'mount --bind /dev/null /usr/bin/sudo; exec "$@"', "sh"],
  ],
] as const;

const box = boxForEachTest();

// Nobody else may be another user.
const ROOT = asRoot("lines that make another user of root");
describe.each(ROOT)("as %s, on the state of another user", () => {
  beforeEach(() => {
    chmodSync(box.folder, 0o755);
    for (const folder of [box.stateDir, `${box.stateDir}-starts`]) {
      mkdirSync(folder, { mode: 0o700 });
      chownSync(folder, KEEPER, KEEPER);
    }
    // Where a line that names no state would begin a shop of its own.
    mkdirSync(work());
    chmodSync(work(), 0o777);
  });
  const work = () => join(box.folder, "work");
  const told = ({ err }: Ended) =>
    err.split("\n").flatMap((line) => (line.startsWith("  ") ? [line.trim()] : []));

  describe.each(MACHINES)("on a machine%s", (_, machine) => {
    const run = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
      runToEnd([...machine, ...words], { cwd: work(), env: { PATH, ...env }, stdin: PASSPHRASE });
    /** Each as a new terminal has it: without what the first one had in its environment. */
    const typed = async (lines: readonly string[]) => {
      expect(lines.length).toBeGreaterThan(0);
      const script = ["set -e", ...lines].join("\n");
      return run(["sh", "-c", script]);
    };

    test("a line says what the environment has set", async () => {
      const env = { FISCALD_STATE_DIR: box.stateDir, FISCALD_BACKUP_KEEP: "3" };
      const first = await run([box.program, "migrate"], env);
      expect(first.code).toBe(3);
      expect(await typed(told(first))).toMatchObject({ code: 0, err: "" });
      expect([readdirSync(work()), existsSync(join(box.stateDir, "fiscald.db"))]).toEqual([
        [],
        true,
      ]);
      // An address is among the words, and a secret is not.
      const secret = { ...env, FISCALD_SMTP_PASSWORD: "hunter2hunter2" };
      const refused = await run([box.program, "serve"], {
        ...secret,
        FISCALD_HTTP_LISTEN: "192.0.2.1:80",
      });
      expect([refused.code, refused.err]).toEqual([3, expect.not.stringContaining("hunter2")]);
      const serve = await typed(told(refused));
      expect([serve.code, serve.err]).toEqual([4, expect.stringContaining("192.0.2.1:80")]);
      expect(readdirSync(work())).toEqual([]);
      // The next step of what makes no files there.
      const { err } = await run([box.program, "status"], env);
      expect(err).toMatch(/start it with .* FISCALD_BACKUP_KEEP=3 \S+ serve --state-dir /);
    });

    test("a controller's line says what the environment has set, but for its key", async () => {
      const refused = await run([box.program, "controller", "--id", "c"], {
        ...{ FISCALD_STATE_DIR: box.stateDir, FISCALD_CONTROLLER_KEY: "hunter2hunter2" },
        ...{ FISCALD_CONTROLLER_URL: "http://127.0.0.1:9", FISCALD_CONTROLLER_ID: "other" },
      });
      expect([refused.code, refused.err]).toEqual([3, expect.not.stringContaining("hunter2")]);
      const state = `--state-dir ${box.stateDir}`;
      expect(refused.err).toContain(` controller --id c --url http://127.0.0.1:9 ${state}\n`);
      const typedThere = await typed(told(refused));
      expect(typedThere.err).toContain(
        "has to be told --key-file <FILE> (FISCALD_CONTROLLER_KEY);",
      );
    });

    test("a folder that a backup may not go to is told with one that it may", async () => {
      const as = ["setpriv", `--reuid=${KEEPER}`, "--clear-groups"];
      const here = ["--state-dir", box.stateDir];
      expect(await run([...as, box.program, "migrate", ...here])).toMatchObject({ code: 0 });
      const stick = join(box.folder, "stick");
      mkdirSync(stick);
      chmodSync(stick, 0o755);
      const backup = (to: string) =>
        run([...as, box.program, "backup", "--to", to, ...QUICK, ...here]);
      const refused = await backup(stick);
      const [, own = "", line = ""] =
        /may write to, as (\S+), which (.+) makes$/m.exec(refused.err) ?? [];
      expect([refused.code, own]).toEqual([3, join(stick, "fiscald")]);
      // Where there is no sudo, root's password is asked for, which root is not.
      expect((await typed([line.replace(/^su -c '(.*)'$/, "$1")])).err).toBe("");
      expect(await backup(own)).toMatchObject({ code: 0 });
    });

    test("a backup that only root may read is handed over", async () => {
      const as = ["setpriv", `--reuid=${KEEPER}`, "--clear-groups"];
      const here = ["--state-dir", box.stateDir];
      expect(await run([...as, box.program, "migrate", ...here])).toMatchObject({ code: 0 });
      const backups = join(box.folder, "backups");
      mkdirSync(backups, { mode: 0o700 });
      const elsewhere = ["--state-dir", join(box.folder, "roots")];
      expect(await run([box.program, "migrate", ...elsewhere])).toMatchObject({ code: 0 });
      const made = await run([box.program, "backup", "--to", backups, ...QUICK, ...elsewhere]);
      expect(made.code).toBe(0);
      const words = ["restore", made.out.trim(), "--passphrase-stdin", ...here];
      const env = { TMPDIR: work() };
      const refused = await run([box.program, ...words], env);
      expect([refused.code, told(refused).length]).toEqual([3, 3]);
      // That of an empty state wants a person's eye, and the next line is typed all the same.
      const restored = await run(["sh", "-c", told(refused).join("\n")]);
      expect(restored.out).toContain(`into ${box.stateDir}`);
      // The copy is gone again.
      expect(readdirSync(work())).toEqual([]);
    });
  });
});
