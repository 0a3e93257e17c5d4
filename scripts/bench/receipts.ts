/** A receipt end to end: from its submission to the final state that the client sees. */

import { rmSync } from "node:fs";
import { join } from "node:path";
import { registerDevice, registerShop, startGateway } from "../../src/e2e/harness/gateway.ts";
import { type SimulatedPrinter, startPrinter } from "../../src/e2e/harness/simulator.ts";
import { bareWire, type WireReceipt } from "./ceilings.ts";
import { driverAlone } from "./driver-alone.ts";
import { measure, ms, percent, perSecond, show, type Throughput, title } from "./measure.ts";
import { RawHttp } from "./raw-http.ts";

/** The device commands of the bench's receipt, with the readings that printed once wants. */
const WIRE_RECEIPT: WireReceipt = [
  { command: 76, data: "" },
  { command: 48, data: "1\t0000\tDT123456-0001-0000001\t1\t\t" },
  { command: 49, data: "Bread\t2\t1.50\t2.000\t\t\t0\t" },
  { command: 49, data: "Milk\t2\t2.30\t\t\t\t0\t" },
  { command: 49, data: "Bag\t1\t0.50\t\t\t\t0\t" },
  { command: 76, data: "" },
  { command: 53, data: "0\t5.80\t\t" },
  { command: 56, data: "" },
];

interface Scene {
  readonly devices: number;
  readonly clients: number;
  readonly count: number;
  /** The printers are at serial ports (pseudo-terminals), not on the network. */
  readonly serial?: true;
}

const SCENES: readonly Scene[] = [
  { devices: 1, clients: 1, count: 1_000 },
  { devices: 1, clients: 32, count: 3_000 },
  { devices: 8, clients: 32, count: 4_000 },
  { devices: 1, clients: 32, count: 3_000, serial: true },
];
const SLOW_SCENES: readonly Scene[] = [
  { devices: 1, clients: 1, count: 60 },
  { devices: 1, clients: 32, count: 96 },
  { devices: 8, clients: 32, count: 400 },
];

/**
 * Where the printers keep their books: in memory, because a real printer has a memory of its own,
 * and on one disk its writes would be flushed together with each commit of the gateway.
 */
const BOOKS = "/dev/shm";

/** Measures receipts on printers without any delay, and on such that take 10 ms a command. */
export async function benchReceipts(folder: string, receipt: string): Promise<void> {
  for (const [delayMs, scenes] of [
    [0, SCENES],
    [10, SLOW_SCENES],
  ] as const) {
    title(`Receipts of three lines, printers that take ${delayMs} ms a device command`);
    const count = delayMs === 0 ? 1_000 : 50;
    const wire = await atPrinter(delayMs, (printer) => bareWire(printer, WIRE_RECEIPT, count));
    show("bare wire exchange, one printer", perSecond(wire.perSecond), `p50 ${ms(wire.p50Ms)}`);
    const { payload } = JSON.parse(receipt);
    for (const [what, marks] of [
      ["the driver alone", "free"],
      ["  with its two marks stored", "stored"],
    ] as const) {
      const alone = await atPrinter(delayMs, (printer) =>
        driverAlone(printer, { payload, count, marks }),
      );
      show(what, perSecond(alone.perSecond), `p50 ${ms(alone.p50Ms)}`);
    }
    for (const scene of scenes) {
      const at = scene.serial ? ", serial" : "";
      const result = await runScene(folder, { scene, delayMs, receipt });
      const ceiling = wire.perSecond * Math.min(scene.devices, scene.clients);
      show(
        `fiscald, ${scene.clients} client(s), ${scene.devices} device(s)${at}`,
        perSecond(result.perSecond),
        `${percent(result.perSecond, ceiling)} of the wire, ` +
          `p50 ${ms(result.p50Ms)}, p99 ${ms(result.p99Ms)}` +
          (scene.clients === 1 ? `, ${ms(result.p50Ms - wire.p50Ms)} over the wire` : ""),
      );
    }
  }
}

/** A new file for a printer's books; it goes with the machine's memory at the latest. */
export function booksFile(name: string): string {
  const file = join(BOOKS, `fiscald-bench-${process.pid}-${name}.state`);
  process.on("exit", () => rmSync(file, { force: true }));
  return file;
}

async function atPrinter(
  delayMs: number,
  use: (printer: SimulatedPrinter) => Promise<Throughput>,
): Promise<Throughput> {
  const printer = await startPrinter({ stateFile: booksFile(`alone-${delayMs}`), delayMs });
  try {
    return await use(printer);
  } finally {
    await printer.kill();
  }
}

async function runScene(
  folder: string,
  options: { scene: Scene; delayMs: number; receipt: string },
): Promise<Throughput> {
  const { scene, delayMs, receipt } = options;
  const place = scene.serial ? "serial" : "tcp";
  const name = `${scene.clients}-${scene.devices}-${delayMs}-${place}`;
  const gateway = await startGateway(join(folder, name), { args: ["--log-level=warn"] });
  const printers: SimulatedPrinter[] = [];
  try {
    const shop = await registerShop(gateway.url);
    const deviceIds: string[] = [];
    for (let index = 0; index < scene.devices; index++) {
      const stateFile = booksFile(`${name}-${index}`);
      const serialPort = join(folder, `${name}-${index}.port`);
      const printer = await startPrinter({
        ...{ stateFile, delayMs },
        ...(scene.serial ? { serialPort } : {}),
      });
      printers.push(printer);
      const { host, port } = printer;
      const target = scene.serial ? { serialPort } : { host, port };
      deviceIds.push(await registerDevice(shop.till, { driver: "vendorA.isl", ...target }));
    }
    const clients = await Promise.all(
      Array.from({ length: scene.clients }, () => RawHttp.open(gateway.url, shop.key)),
    );
    const print = async (run: number, worker: number): Promise<void> => {
      const client = clients[worker];
      const deviceId = deviceIds[run % deviceIds.length];
      if (client) await printOne(client, `/api/v1/devices/${deviceId}/commands`, receipt);
    };
    const warmUp = Math.max(scene.clients, scene.devices, Math.ceil(scene.count / 10));
    await measure({ workers: scene.clients, count: warmUp }, print);
    const result = await measure({ workers: scene.clients, count: scene.count }, print);
    for (const client of clients) client.close();
    return result;
  } finally {
    await Promise.all([gateway.kill(), ...printers.map((printer) => printer.kill())]);
  }
}

/** Submits a receipt and waits until it is completed. @throws Error when it is not */
export async function printOne(client: RawHttp, path: string, receipt: string): Promise<void> {
  const submitted = await client.request("POST", path, { body: receipt });
  if (submitted.status !== 201) throw new Error(`${submitted.status} ${submitted.body}`);
  const { id } = JSON.parse(submitted.body);
  const finished = await client.request("GET", `/api/v1/commands/${id}?wait=60`);
  const { command } = JSON.parse(finished.body);
  if (command.status !== "completed") throw new Error(finished.body);
}
