import { describe, expect, test } from "bun:test";
import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { boxForEachTest } from "../e2e/harness/box-for-each-test.ts";
import { asRoot } from "../e2e/harness/other-runtime.ts";
import { runToEnd } from "../e2e/harness/run-to-end.ts";
import { userName } from "../platform/user-name.ts";
import { placeScript } from "./testing/machine-folder.ts";

const KEEPER = 65_534;
const CALLER = 12_345;

const box = boxForEachTest();

/** A machine whose journal says that. */
function journal(...lines: readonly string[]): void {
  placeScript(join(box.folder, "bin/journalctl"), ["#!/bin/sh", ...lines, ""].join("\n"));
}
const run = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runToEnd([box.program, ...words], {
    ...{ cwd: box.folder, env: { PATH: `${join(box.folder, "bin")}:/usr/bin:/bin`, ...env } },
  });
const REFUSES = [
  "echo 'No journal files were opened due to insufficient permissions.' >&2; exit 1",
];
/** To who has lines of their own. */
const HIDES = [
  "echo 'Hint: You are currently not seeing messages from other users and the system.' >&2",
];

describe("of who may not read the journal", () => {
  test.each([
    ["nothing at all", REFUSES],
    ["nothing of the service", HIDES],
  ])("logs, shown %s, names sudo", async (_, lines) => {
    journal(...lines);
    for (const more of [[], ["--follow"]]) {
      const { err, code } = await run(["logs", "--level", "warn", ...more]);
      expect(code).toBe(3);
      expect(err).toMatch(/^fiscald: \S+ may not read the journal: sudo \S+ logs --level warn/);
      expect(err).toEndWith(` ${["warn", ...more].join(" ")}\n`);
    }
  });

  test("diagnostics says that it lacks the log, and how to make one with it", async () => {
    journal(...REFUSES);
    const words = ["diagnostics", "--to", "shop.json", "--state-dir", "state"];
    const { out, err, code } = await run(words);
    expect([code, out]).toEqual([0, "wrote shop.json: read it before you send it\n"]);
    expect(err).toContain(`shop.json has no log, for ${userName()} may not read the journal`);
    const line = "diagnostics --to shop-with-log.json --state-dir state\n";
    expect(err).toMatch(new RegExp(`\\n  sudo \\S+ ${line}$`));
    const { log } = JSON.parse(readFileSync(join(box.folder, "shop.json"), "utf8"));
    expect(log).toContain("may not read the journal");
    journal(`echo '{"level":"info","msg":"listening"}'`);
    const again = await run(["diagnostics", "--to", "other.json", "--state-dir", "state"]);
    expect([again.code, again.err]).toEqual([0, ""]);
  });
});

test.each(asRoot("diagnostics by sudo"))(
  "diagnostics by sudo is the caller's to read, and leaves nothing of root in the state",
  async () => {
    const as = ["setpriv", `--reuid=${KEEPER}`, "--clear-groups"];
    chmodSync(box.folder, 0o755);
    for (const folder of [box.stateDir, `${box.stateDir}-starts`]) {
      mkdirSync(folder, { mode: 0o700 });
      chownSync(folder, KEEPER, KEEPER);
    }
    const migrate = [...as, box.program, "migrate", "--state-dir", box.stateDir];
    expect((await runToEnd(migrate)).code).toBe(0);
    journal(`echo '{"level":"info","msg":"listening"}'`);
    const words = ["diagnostics", "--to", "shop.json", "--state-dir", box.stateDir];
    const sudo = { SUDO_UID: String(CALLER), SUDO_GID: String(CALLER), SUDO_USER: "ann" };
    expect(await run(words, sudo)).toMatchObject({ code: 0, err: "" });
    const { uid, mode } = lstatSync(join(box.folder, "shop.json"));
    expect([uid, mode & 0o777]).toEqual([CALLER, 0o600]);
    const owners = readdirSync(box.stateDir).map((name) => lstatSync(join(box.stateDir, name)).uid);
    expect(new Set(owners)).toEqual(new Set([KEEPER]));
  },
);
