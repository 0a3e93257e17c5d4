import { afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { chownSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { Box } from "../e2e/harness/box.ts";
import { asRoot } from "../e2e/harness/other-runtime.ts";
import { executable } from "../e2e/harness/program.ts";
import { runToEnd } from "../e2e/harness/run-to-end.ts";
import { userName } from "../platform/user-name.ts";

const KEEPER = 65_534;
const THERE = "/var/lib/fiscald";

let program: string;
beforeAll(async () => {
  program = await executable();
});

let box: Box;
beforeEach(() => {
  box = new Box();
  mkdirSync(join(box.folder, "fiscald"), { mode: 0o700 });
  chownSync(join(box.folder, "fiscald"), KEEPER, KEEPER);
  mkdirSync(join(box.folder, "wrong"));
});
afterEach(() => box.clear());

/** Runs a command in a folder without a state, on a machine whose service has one. */
const run = (...words: readonly string[]) =>
  runToEnd(
    [
      ...["unshare", "--mount", "sh", "-ec", 'mount --bind "$0" /var/lib; exec "$@"', box.folder],
      ...[program, ...words],
    ],
    {
      ...{ cwd: join(box.folder, "wrong"), stdin: "a long password\n" },
      env: { PATH: "/usr/bin:/bin" },
    },
  );
const wrongState = () => join(box.folder, "wrong/state");

// It takes a machine of its own, by its folders.
const ROOT = asRoot("commands beside a service");
describe.each(ROOT)("in a folder without a state, beside a service, as %s", () => {
  test("a command names the service's state, and the line that looks there", async () => {
    for (const words of [["status"], ["alert", "list"], ["check"], ["address"]]) {
      const { out, err, code } = await run(...words);
      expect([words, out, code]).toEqual([words, "", 3]);
      expect(err).toContain(`keeps its state in ${THERE}: sudo -u ${userName(KEEPER)} `);
      expect(err).toEndWith(` ${words.join(" ")} --state-dir ${THERE}\n`);
      expect(err).not.toContain(" setup");
    }
    const tls = await run("tls");
    expect([tls.code, tls.err]).toEqual([2, expect.stringContaining(`tls --state-dir ${THERE}\n`)]);
    const config = await run("config");
    expect([config.code, config.err]).toEqual([
      0,
      expect.stringContaining(`keeps its state in ${THERE}`),
    ]);
    const chosen = await run("status", "--state-dir", "state");
    expect(chosen.err).not.toContain(THERE);
  });

  test("setup makes no second shop unless it is asked to", async () => {
    const words = [
      ...["setup", "--owner-name", "Ana", "--owner-email", "ana@shop.example", "--password-stdin"],
      ...["--shop", "Corner Shop", "--currency", "EUR", "--timezone", "Europe/Sofia"],
    ];
    const refused = await run(...words);
    expect([refused.code, refused.out, existsSync(wrongState())]).toEqual([2, "", false]);
    expect(refused.err).toContain(`\n  sudo -u ${userName(KEEPER)} `);
    expect(refused.err).toContain(`--timezone Europe/Sofia --state-dir ${THERE}\n`);
    expect(refused.err).toEndWith(` --timezone Europe/Sofia --state-dir ${wrongState()}\n`);
    for (const other of [["migrate"], ["restore", program]]) {
      expect(await run(...other)).toMatchObject({ code: 2, out: "" });
      expect(existsSync(wrongState())).toBe(false);
    }
    expect(await run(...words, "--state-dir", "state")).toMatchObject({ code: 0 });
    // It is there now, and means itself.
    expect(await run("setup")).toMatchObject({ code: 0 });
  });
});
