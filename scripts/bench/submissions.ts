/** Submissions: commands that are on disk when they are answered. */

import { join } from "node:path";
import { registerDevice, registerShop, startGateway } from "../../src/e2e/harness/gateway.ts";
import { bareCommits, bareCommittingServer, bareServer, post } from "./ceilings.ts";
import { ms, percent, perSecond, show, type Throughput, title } from "./measure.ts";

const CLIENTS = 32;
/** A tenth more goes before as a warm-up; so many may wait in all, and on each of the devices. */
const SUBMISSIONS = 8_000;
const DEVICES = 10;

/** Measures a gateway of which nobody drives the devices, beside bare servers and commits. */
export async function submissions(folder: string, receipt: string): Promise<void> {
  title(`Submissions: POST /commands, durable when answered, ${CLIENTS} clients`);
  const load = { workers: CLIENTS, count: SUBMISSIONS };
  const server = await bareServer(receipt, load);
  show("bare Bun.serve, reads and answers the JSON", perSecond(server.perSecond), p(server));
  const { single, rowsGrouped } = bareCommits(CLIENTS);
  show("bare SQLite commits of one row, synchronous=FULL", perSecond(single));
  show(`bare SQLite rows, ${CLIENTS} in a commit`, perSecond(rowsGrouped));
  const ceiling = await bareCommittingServer(receipt, load, "one-row");
  show("bare Bun.serve with grouped commits of one row", perSecond(ceiling.perSecond), p(ceiling));
  const sameRows = await bareCommittingServer(receipt, load, "gateway-rows");
  show("  of the rows that the gateway writes", perSecond(sameRows.perSecond), p(sameRows));

  const beside = (figures: Throughput): string => {
    const ofOneRow = percent(figures.perSecond, ceiling.perSecond);
    const ofSameRows = percent(figures.perSecond, sameRows.perSecond);
    return `${ofOneRow} of grouped commits (${ofSameRows} of the same rows), ${p(figures)}`;
  };
  const plain = await submit(join(folder, "plain"), { load, receipt });
  show("fiscald", perSecond(plain.perSecond), beside(plain));
  const keyed = await submit(join(folder, "keyed"), { load, receipt, keyed: true });
  show("fiscald, each with an Idempotency-Key", perSecond(keyed.perSecond), beside(keyed));
  const alone = await submit(join(folder, "alone"), {
    load: { workers: 1, count: 2_000 },
    receipt,
  });
  show("fiscald, one client", perSecond(alone.perSecond), p(alone));
}

/** Submits to a new gateway, evenly to devices that nobody drives: nothing else is measured. */
async function submit(
  state: string,
  options: { load: { workers: number; count: number }; receipt: string; keyed?: boolean },
): Promise<Throughput> {
  const gateway = await startGateway(state, {
    args: ["--log-level=warn", "--commands-push-wait-seconds=86400"],
  });
  try {
    const { key, devices } = await shopOf(gateway.url);
    const bodies = devices.map((deviceId) =>
      JSON.stringify({ deviceId, ...JSON.parse(options.receipt) }),
    );
    return await post(gateway.url, "/api/v1/commands", { ...options, bodies, key });
  } finally {
    await gateway.kill();
  }
}

/** Registers a shop with a key, and devices that nobody drives. */
export async function shopOf(
  url: string,
): Promise<{ readonly key: string; readonly devices: readonly string[] }> {
  const { key, till } = await registerShop(url);
  const devices: string[] = [];
  for (let device = 1; device <= DEVICES; device++) {
    const target = { driver: "vendorA.isl", managedBy: "remote", host: "127.0.0.1" } as const;
    devices.push(await registerDevice(till, { ...target, port: device }, `Nobody's ${device}`));
  }
  return { key, devices };
}

function p({ p50Ms, p99Ms }: { p50Ms: number; p99Ms: number }): string {
  return `p50 ${ms(p50Ms)}, p99 ${ms(p99Ms)}`;
}
