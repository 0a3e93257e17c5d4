/**
 * A gateway in the test's own process, on a clock that the test sets, with its state on disk: the
 * executable's commands find it there as they find any other.
 */

import { expect } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "#db/connection.ts";
import { stateFiles } from "../../config/state-files.ts";
import { executable } from "../../e2e/harness/program.ts";
import { runToEnd } from "../../e2e/harness/run-to-end.ts";
import { createAccessTokens } from "../../modules/auth/access-tokens.ts";
import { tokenSecret } from "../../modules/auth/token-secret.ts";
import { createCommandsBench } from "../../modules/commands/testing/commands-bench.ts";
import { FakeClock } from "../../platform/clock.ts";
import { lockStateDirectory } from "../../platform/lock.ts";
import { createRandom } from "../../platform/random.ts";

/** So far behind the machine's clock begins the gateway's, which tests then set forward. */
const BEHIND_MS = 120_000;

export type TerminalBench = Awaited<ReturnType<typeof createTerminalBench>>;

/** Builds the shop and opens its port. Call `close` at the end. */
export async function createTerminalBench() {
  const stateDir = mkdtempSync(join(tmpdir(), "fiscald-terminal-"));
  const program = await executable();
  const lock = lockStateDirectory(stateDir);
  // The terminal goes by the machine's own.
  const clock = new FakeClock(Date.now() - BEHIND_MS);
  const database = openDatabase(stateFiles(stateDir).database);
  const bench = await createCommandsBench({ after: { database, clock } });
  const tokens = createAccessTokens(
    tokenSecret(bench.stores.appliance, createRandom(clock)),
    clock,
  );
  /** On a machine both go by one clock, and to the gateway the terminal's token is not of the future. */
  const asOfNow = async (request: Request): Promise<Request> => {
    const [, claims] = (request.headers.get("authorization") ?? "").split(".");
    if (claims === undefined) return request;
    const { org: orgId, scope } = JSON.parse(Buffer.from(claims, "base64url").toString());
    const token = await tokens.issueForBox({ orgId, scope });
    request.headers.set("authorization", `Bearer ${token}`);
    return request;
  };
  const server = Bun.serve({
    ...{ hostname: "127.0.0.1", port: 0 },
    fetch: async (request) => bench.client.app.handle(await asOfNow(request)),
  });
  writeFileSync(stateFiles(stateDir).address, `${server.url.origin}\n`);

  const stop = async () => {
    await server.stop(true);
    lock.release();
  };
  return {
    ...bench,
    stateDir,

    /** The gateway is there no more. */
    stop,

    /** Runs a command to its end, and sees that what it prints fits a terminal of 80 columns. */
    async run(words: string, ...more: readonly string[]) {
      const args = [...words.split(" "), ...more, "--state-dir", stateDir];
      const ended = await runToEnd([program, ...args]);
      // Lines to be pasted are as long as their paths, and JSON as its values.
      const rows = ended.out.split("\n").filter((row) => !/--state-dir|":? ?"/.test(row));
      for (const row of rows) expect(row.length).toBeLessThanOrEqual(80);
      return { ...ended, text: ended.out.replaceAll(/\s+/g, " ") };
    },

    async close() {
      await stop();
      bench.close();
      rmSync(stateDir, { recursive: true });
    },
  };
}
