/** A log that is kept in a file, however long it has become, and what is named as one. */

import { beforeEach, describe, expect, test } from "bun:test";
import { appendFileSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { boxForEachTest } from "../e2e/harness/box-for-each-test.ts";
import { type Ended, runToEnd } from "../e2e/harness/run-to-end.ts";
import { withinMemory } from "../e2e/harness/within-memory.ts";
import { placeScript } from "./testing/machine-folder.ts";

/** Whoever holds the file whole needs more. */
const MEMORY_MEBIBYTES = 400;
const FILE_BYTES = 20_000_000_000;
const NEWEST = ["the newest but one", "the newest"].map((msg) =>
  JSON.stringify({ time: "2026-03-01T08:00:00.000Z", level: "info", msg }),
);

const box = boxForEachTest();

const run = (...words: readonly string[]): Promise<Ended> =>
  runToEnd(withinMemory(MEMORY_MEBIBYTES, [box.program, ...words]), { cwd: box.folder });
/** What a shell makes of that line, in which `logs` is the command. */
const shell = (line: string): Promise<Ended> => {
  const script = `logs() { "$0" logs "$@"; }; ${line}`;
  const words = withinMemory(MEMORY_MEBIBYTES, ["/bin/sh", "-c", script, box.program]);
  return runToEnd(words, { cwd: box.folder, env: { PATH: "/usr/bin:/bin" } });
};
const diagnose = async (file: string): Promise<Ended & { readonly log: unknown }> => {
  const words = ["diagnostics", "--to", "shop.json", "--state-dir", "state", "--file", file];
  const ended = await run(...words);
  return { ...ended, log: JSON.parse(readFileSync(join(box.folder, "shop.json"), "utf8")).log };
};

describe("of a log longer than the memory", () => {
  beforeEach(() => {
    const file = join(box.folder, "long.log");
    // A hole takes no room on the disk.
    writeFileSync(file, "");
    truncateSync(file, FILE_BYTES);
    appendFileSync(file, `\n${NEWEST.join("\n")}\n`);
  });

  test("logs shows the newest lines, and keeps still about what nobody asked for", async () => {
    expect(await run("logs", "--file", "long.log", "--lines", "2")).toEqual({
      ...{ code: 0, err: "" },
      out: "2026-03-01T08:00:00.000Z INFO  the newest but one\n2026-03-01T08:00:00.000Z INFO  the newest\n",
    });
  });

  test("logs says that older lines are left out", async () => {
    const { out, err, code } = await run("logs", "--file", "long.log", "--json");
    expect([code, out]).toEqual([0, `${NEWEST.join("\n")}\n`]);
    expect(err).toBe(
      "fiscald: only the newest 32 MiB of long.log were read: they have 2 of the 100 lines, " +
        "what is older is left out\n",
    );
  });

  test("diagnostics says so to who makes the file and to who reads it", async () => {
    const { code, err, log } = await diagnose("long.log");
    const leftOut =
      "only the newest 8 MiB of long.log were read: they have 2 of the 2000 lines, " +
      "what is older is left out";
    expect([code, err]).toEqual([0, `fiscald: ${leftOut}\n`]);
    expect(log).toEqual([leftOut, ...NEWEST.map((line) => JSON.parse(line))]);
  });
});

test("a pipe is read to its end, and its newest lines shown", async () => {
  const long = "yes 'a line that is no record of the log' | head -n 10000000";
  const line = `{ ${long}; echo '${NEWEST[1]}'; } | logs --file /dev/stdin --lines 2`;
  expect(await shell(line)).toMatchObject({
    ...{ code: 0, err: "" },
    out: "a line that is no record of the log\n2026-03-01T08:00:00.000Z INFO  the newest\n",
  });
});

describe("of a journal longer than the memory", () => {
  const shown = (lines: number, output: string): Promise<Ended> => {
    const script = `#!/bin/sh\n${output}\necho '${NEWEST[1]}'\n`;
    placeScript(join(box.folder, "bin/journalctl"), script);
    const words = [box.program, "logs", "--lines", String(lines)];
    return runToEnd(withinMemory(MEMORY_MEBIBYTES, words), {
      ...{ cwd: box.folder, env: { PATH: `${join(box.folder, "bin")}:/usr/bin:/bin` } },
    });
  };

  test("logs shows the newest lines", async () => {
    const output = "yes 'a line that is no record of the log' | head -n 10000000";
    expect(await shown(2, output)).toEqual({
      ...{ code: 0, err: "" },
      out: "a line that is no record of the log\n2026-03-01T08:00:00.000Z INFO  the newest\n",
    });
  });

  test("logs says that older lines are left out", async () => {
    const output = "head -c 40000000 /dev/zero | tr '\\0' x | fold -w 1000000; echo";
    const { out, err, code } = await shown(100, output);
    expect([code, out]).toEqual([0, expect.stringMatching(/INFO {2}the newest\n$/)]);
    expect(err).toBe(
      "fiscald: only the newest 32 MiB of the journal were read: they have 34 of the 100 lines, " +
        "what is older is left out\n",
    );
  });
});

test.each([
  ["a device without an end", "/dev/zero", "/dev/zero is neither file nor pipe"],
  ["a folder", ".", ". is neither file nor pipe"],
  ["a file without lines", "no-lines", "no-lines is no log: its newest \\d+ bytes have no end"],
])("%s is refused as a log", async (_, file, reason) => {
  writeFileSync(join(box.folder, "no-lines"), "");
  truncateSync(join(box.folder, "no-lines"), FILE_BYTES);
  const { out, err, code } = await run("logs", "--file", file);
  expect([code, out]).toEqual([3, ""]);
  expect(err).toMatch(new RegExp(`^fiscald: the log cannot be read: ${reason}[^;]*\n$`));
  const { log, ...made } = await diagnose(file);
  expect([made.code, log]).toEqual([0, expect.stringMatching(new RegExp(reason))]);
});
