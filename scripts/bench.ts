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
import { registerShop, startGateway } from "../src/e2e/harness/gateway.ts";
import { executable } from "../src/e2e/harness/program.ts";
import { bareCommits, bareCommittingServer, bareServer, post } from "./bench/ceilings.ts";
import { connections } from "./bench/connections.ts";
import { decoders } from "./bench/decoders.ts";
import { deliveries } from "./bench/deliveries.ts";
import { growth } from "./bench/growth.ts";
import { lineUse } from "./bench/line-use.ts";
import { ms, percent, perSecond, show, type Throughput, title } from "./bench/measure.ts";
import { portal } from "./bench/portal.ts";
import { busyDay, memoryUse, startToAnswer } from "./bench/process.ts";
import { benchReceipts } from "./bench/receipts.ts";

const CLIENTS = 32;
/** A tenth more goes before as a warm-up; so many may wait in all, and on each of the devices. */
const SUBMISSIONS = 8_000;
const DEVICES = 10;
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

async function submissions(folder: string): Promise<void> {
  title(`Submissions: POST /commands, durable when answered, ${CLIENTS} clients`);
  const load = { workers: CLIENTS, count: SUBMISSIONS };
  const server = await bareServer(RECEIPT, load);
  show("bare Bun.serve, reads and answers the JSON", perSecond(server.perSecond), p(server));
  const { single, rowsGrouped } = bareCommits(CLIENTS);
  show("bare SQLite commits of one row, synchronous=FULL", perSecond(single));
  show(`bare SQLite rows, ${CLIENTS} in a commit`, perSecond(rowsGrouped));
  const ceiling = await bareCommittingServer(RECEIPT, load, "one-row");
  show("bare Bun.serve with grouped commits of one row", perSecond(ceiling.perSecond), p(ceiling));
  const sameRows = await bareCommittingServer(RECEIPT, load, "gateway-rows");
  show("  of the rows that the gateway writes", perSecond(sameRows.perSecond), p(sameRows));

  const beside = (figures: Throughput): string => {
    const ofOneRow = percent(figures.perSecond, ceiling.perSecond);
    const ofSameRows = percent(figures.perSecond, sameRows.perSecond);
    return `${ofOneRow} of grouped commits (${ofSameRows} of the same rows), ${p(figures)}`;
  };
  const plain = await submit(join(folder, "plain"), { load });
  show("fiscald", perSecond(plain.perSecond), beside(plain));
  const keyed = await submit(join(folder, "keyed"), { load, keyed: true });
  show("fiscald, each with an Idempotency-Key", perSecond(keyed.perSecond), beside(keyed));
  const alone = await submit(join(folder, "alone"), { load: { workers: 1, count: 2_000 } });
  show("fiscald, one client", perSecond(alone.perSecond), p(alone));
}

/** Submits to a new gateway, evenly to devices that nobody drives: nothing else is measured. */
async function submit(
  state: string,
  options: { load: { workers: number; count: number }; keyed?: boolean },
): Promise<Throughput> {
  const gateway = await startGateway(state, {
    args: ["--log-level=warn", "--commands-push-wait-seconds=86400"],
  });
  try {
    const shop = await registerShop(gateway.url);
    const bodies: string[] = [];
    for (let device = 1; device <= DEVICES; device++) {
      const { id } = await shop.till.expect<{ id: string }>("POST", "/devices", {
        name: `Nobody's ${device}`,
        driver: "vendorA.isl",
        transport: "tcp",
        locationId: "bench",
        managedBy: "remote",
        connectionParams: { host: "127.0.0.1", port: device },
      });
      bodies.push(JSON.stringify({ deviceId: id, ...JSON.parse(RECEIPT) }));
    }
    return await post(gateway.url, "/api/v1/commands", { ...options, bodies, key: shop.key });
  } finally {
    await gateway.kill();
  }
}

function p({ p50Ms, p99Ms }: { p50Ms: number; p99Ms: number }): string {
  return `p50 ${ms(p50Ms)}, p99 ${ms(p99Ms)}`;
}

const folder = mkdtempSync(join(tmpdir(), "fiscald-bench-"));

/** The parts of the bench by name, in the order in which they run when none is named. */
const PARTS: Readonly<Record<string, () => Promise<void> | void>> = {
  // First, while nothing else of ours has run: these two are timed to microseconds.
  decoders,
  line: lineUse,
  submissions: () => submissions(folder),
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
