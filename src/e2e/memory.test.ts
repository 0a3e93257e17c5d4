/** The memory of a gateway that prints, as the system counts it. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryOf } from "../../scripts/bench/measure.ts";
import { SALE } from "./crash/documents.ts";
import { type Gateway, registerDevice, registerShop, startGateway } from "./harness/gateway.ts";
import { executable } from "./harness/program.ts";
import { runToEnd } from "./harness/run-to-end.ts";
import { type SimulatedPrinter, startPrinter } from "./harness/simulator.ts";

const TEST_MS = 120_000;
const RECEIPTS = 800;
const TILLS = 8;
/** What is the gateway's own after many more receipts; the aim, of which it uses four fifths. */
const OWN_MB_MAX = 50;

let folder: string;
let gateway: Gateway;
let printer: SimulatedPrinter;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-memory-"));
  gateway = await startGateway(join(folder, "state"), { args: ["--log-level=warn"] });
  printer = await startPrinter({ stateFile: join(folder, "printer") });
});
afterEach(async () => {
  await gateway.kill();
  await printer.kill();
  rmSync(folder, { recursive: true, force: true });
});

test(
  "does not grow beyond its aim while receipts are printed",
  async () => {
    const { till } = await registerShop(gateway.url);
    const { host, port } = printer;
    const id = await registerDevice(till, { driver: "vendorA.isl", host, port });
    let left = RECEIPTS;
    const sellAll = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        const { id: commandId } = await till.submit(id, SALE.type, SALE.payload);
        expect((await till.wait(commandId)).status).toBe("completed");
      }
    };
    await Promise.all(Array.from({ length: TILLS }, sellAll));
    expect((await memoryOf(gateway.pid)).anonymous).toBeLessThan(OWN_MB_MAX);
  },
  TEST_MS,
);

test("is kept small by options that the process gives itself, and somebody else may set", async () => {
  const environment = readFileSync(`/proc/${gateway.pid}/environ`, "utf8");
  expect(environment).toContain("BUN_JSC_smallHeapGrowthFactor=");
  expect(environment).toContain("BUN_JSC_useFTLJIT=0");
  // The engine says so when it gets a value that is none.
  const { err, code } = await runToEnd([await executable(), "serve"], {
    env: { BUN_JSC_useFTLJIT: "perhaps" },
  });
  expect(code).not.toBe(0);
  expect(err).toContain("useFTLJIT=perhaps");
});
