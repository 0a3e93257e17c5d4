/** The gateway as a process: how soon it answers, how much memory it takes. */

import { join } from "node:path";
import { registerDevice, registerShop, startGateway } from "../../src/e2e/harness/gateway.ts";
import { executable } from "../../src/e2e/harness/program.ts";
import { startPrinter } from "../../src/e2e/harness/simulator.ts";
import { bareMemory } from "./ceilings.ts";
import {
  Durations,
  type MemoryUse,
  measure,
  memoryOf,
  ms,
  processorMsOf,
  show,
  title,
} from "./measure.ts";
import { RawHttp } from "./raw-http.ts";
import { booksFile, printOne } from "./receipts.ts";

const STARTS = 15;
const RECEIPTS = 10_000;
const CLIENTS = 8;

/** From the start of the process to its first answer, on a state that exists. */
export async function startToAnswer(folder: string): Promise<void> {
  title("Start");
  const state = join(folder, "start");
  await (await startGateway(state)).stop();
  const durations = new Durations();
  const processor = new Durations();
  for (let start = 0; start < STARTS; start++) {
    const begin = performance.now();
    const gateway = await startGateway(state);
    const answer = await fetch(`${gateway.url}/livez`);
    if (!answer.ok) throw new Error(`/livez: ${answer.status}`);
    durations.add(performance.now() - begin);
    processor.add(await processorMsOf(gateway.pid));
    await gateway.stop();
  }
  show(
    "start of the process to the first answer",
    ms(durations.percentile(0.5)),
    `p99 ${ms(durations.percentile(0.99))} of ${STARTS} starts, aim 150 ms; ` +
      `processor time ${ms(processor.percentile(0.5))}`,
  );
}

/** Idle, and after many receipts. */
export async function memoryUse(folder: string, receipt: string): Promise<void> {
  title("Memory");
  const bare = await bareMemory(receipt, { workers: CLIENTS, count: 2 * RECEIPTS });
  showMemory("bare Bun.serve with grouped commits, idle", bare.idle);
  showMemory(`bare, after ${(2 * RECEIPTS).toLocaleString("en")} requests`, bare.after);
  const gateway = await startGateway(join(folder, "memory"), { args: ["--log-level=warn"] });
  const printer = await startPrinter({ stateFile: booksFile("memory") });
  try {
    const shop = await registerShop(gateway.url);
    showMemory("idle", await memoryOf(gateway.pid));
    const { host, port } = printer;
    const id = await registerDevice(shop.till, { driver: "vendorA.isl", host, port });
    const clients = await Promise.all(
      Array.from({ length: CLIENTS }, () => RawHttp.open(gateway.url, shop.key)),
    );
    await measure({ workers: clients.length, count: RECEIPTS }, async (_, worker) => {
      const client = clients[worker];
      if (client) await printOne(client, `/api/v1/devices/${id}/commands`, receipt);
    });
    for (const client of clients) client.close();
    showMemory(`after ${RECEIPTS.toLocaleString("en")} receipts`, await memoryOf(gateway.pid));
  } finally {
    await Promise.all([gateway.kill(), printer.kill()]);
  }
}

/** A busy shop's 24 hours on simulated time, then how soon the executable starts and how large it is. */
export async function busyDay(folder: string): Promise<void> {
  title("A busy shop's day, simulated");
  const words = [process.execPath, join(import.meta.dir, "day.ts")];
  // The time of its backup is by the machine's clock.
  const env = { ...process.env, TZ: "UTC" };
  const child = Bun.spawn(words, { env, stdout: "inherit", stderr: "inherit" });
  if ((await child.exited) !== 0) throw new Error("the day went wrong");
  const bytes = await Bun.file(await executable()).bytes();
  const megabytes = (count: number): string => `${(count / 1_048_576).toFixed(0)} MB`;
  show(
    "the executable",
    megabytes(bytes.length),
    `${megabytes(Bun.gzipSync(bytes).length)} packed`,
  );
  await startToAnswer(folder);
}

function showMemory(when: string, { resident, anonymous }: MemoryUse): void {
  const beside = `${anonymous.toFixed(0)} MB of it its own, the rest the executable's pages`;
  show(when, `${resident.toFixed(0)} MB`, beside);
}
