/** What keeps a gateway small in memory; how small it stays is measured by `bun run bench memory`. */

import { beforeEach, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { boxForEachTest } from "./harness/box-for-each-test.ts";
import { type Gateway, startGateway } from "./harness/gateway.ts";
import { runToEnd } from "./harness/run-to-end.ts";

const box = boxForEachTest();
let gateway: Gateway;
beforeEach(async () => {
  gateway = box.keep(
    await startGateway(box.stateDir, { args: ["--log-level=warn"], engine: "own" }),
  );
});

test("is kept small by options that the process gives itself, and somebody else may set", async () => {
  const environment = readFileSync(`/proc/${gateway.pid}/environ`, "utf8");
  expect(environment).toContain("BUN_JSC_smallHeapGrowthFactor=");
  expect(environment).toContain("BUN_JSC_useFTLJIT=0");
  // The engine says so when it gets a value that is none.
  const { err, code } = await runToEnd([box.program, "serve"], {
    env: { BUN_JSC_useFTLJIT: "perhaps" },
  });
  expect(code).not.toBe(0);
  expect(err).toContain("useFTLJIT=perhaps");
});
