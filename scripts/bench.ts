/**
 * What the gateway does, each figure beside its ceiling measured in the same run: bun run bench
 *
 * `bun run bench line decoders` runs these parts alone; the parts are named at the end. The longer
 * of the two histories that `growth` compares has ten million commands and as many receipts; it is
 * made once, in dist/bench, and `--rows=1000000` makes one of a tenth beside it.
 *
 * The load generator, the gateway and the simulated printers share this machine's cores. Ratios
 * mean something; the absolute figures are this machine's alone.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { executable } from "../src/e2e/harness/program.ts";
import { connections } from "./bench/connections.ts";
import { decoders } from "./bench/decoders.ts";
import { deliveries } from "./bench/deliveries.ts";
import { growth } from "./bench/growth.ts";
import { ladder } from "./bench/ladder.ts";
import { lineUse } from "./bench/line-use.ts";
import { portal } from "./bench/portal.ts";
import { busyDay, memoryUse, startToAnswer } from "./bench/process.ts";
import { benchReceipts } from "./bench/receipts.ts";
import { submissions } from "./bench/submissions.ts";

const RECEIPT = JSON.stringify({
  type: "print_receipt",
  payload: {
    uniqueSaleNumber: "DT123456-0001-0000001",
    items: [
      { name: "Bread", quantity: 2, price: 1.5, vatGroup: "VAT2" },
      { name: "Milk", quantity: 1, price: 2.3, vatGroup: "VAT2" },
      { name: "Bag", quantity: 1, price: 0.5, vatGroup: "VAT1" },
    ],
    payments: [{ method: "cash", amount: 5.8 }],
  },
});

const folder = mkdtempSync(join(tmpdir(), "fiscald-bench-"));

/** The parts of the bench by name, in the order in which they run when none is named. */
const PARTS: Readonly<Record<string, () => Promise<void> | void>> = {
  // First, while nothing else of ours has run: these two are timed to microseconds.
  decoders,
  line: lineUse,
  submissions: () => submissions(folder, RECEIPT),
  ladder: () => ladder(folder, RECEIPT),
  receipts: () => benchReceipts(folder, RECEIPT),
  start: () => startToAnswer(folder),
  memory: () => memoryUse(folder, RECEIPT),
  day: () => busyDay(folder),
  connections: () => connections(folder),
  deliveries: () => deliveries(folder),
  portal: () => portal(folder, RECEIPT),
  growth: () => growth(RECEIPT, rows),
};

const { values, positionals: named } = parseArgs({
  options: { rows: { type: "string", default: "10000000" } },
  allowPositionals: true,
});
const rows = Number(values.rows);
const unknown = named.filter((name) => !Object.hasOwn(PARTS, name));
try {
  if (unknown.length > 0) {
    throw new Error(`no part ${unknown.join(", ")}; there are ${Object.keys(PARTS).join(", ")}`);
  }
  if (!Number.isSafeInteger(rows) || rows < 10_000) throw new Error("--rows takes 10000 or more");
  console.log(`fiscald bench, Bun ${Bun.version}, ${cpus().length} cores: ${cpus()[0]?.model}`);
  await executable();
  for (const name of named.length > 0 ? named : Object.keys(PARTS)) await PARTS[name]?.();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
