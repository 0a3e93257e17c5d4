/** How much of a serial line's speed a driver makes use of. */

import { rmSync } from "node:fs";
import type { DriverSession } from "#core/driver.ts";
import type { DriverId } from "#core/driver-id.ts";
import { findDriver } from "#drivers/registry.ts";
import { startSimulator } from "#drivers/simulator/host.ts";
import { SIMULATORS } from "#drivers/simulator/registry.ts";
import { measuredEnvironment, printWith } from "./driver-alone.ts";
import { ms, percent, show, title } from "./measure.ts";
import { type LineSettings, type LineUse, PacedLine } from "./paced-line.ts";
import { booksFile } from "./receipts.ts";

const ITEMS = 50;
const WARM_UPS = 20;
/** About what a receipt's frames are like. */
const BARE_FRAMES = 55;
const BARE_FRAME_BYTES = 35;
/** Receipts measured at each speed; the fastest is shown, as nothing can make one too fast. */
const SPEEDS: readonly { readonly baudRate: number; readonly receipts: number }[] = [
  { baudRate: 115_200, receipts: 9 },
  { baudRate: 9_600, receipts: 2 },
];
/** So fast that a warm-up takes no time. */
const UNPACED: LineSettings = { baudRate: 1e9, dataBits: 8, hasParity: false, stopBits: 1 };
/** Families whose lines are not 8N1 as delivered. */
const SETTINGS: Readonly<Partial<Record<DriverId, Omit<LineSettings, "baudRate">>>> = {
  "custom.serial": { dataBits: 7, hasParity: true, stopBits: 1 },
};
const EIGHT_N_ONE: Omit<LineSettings, "baudRate"> = { dataBits: 8, hasParity: false, stopBits: 1 };

/**
 * Measures a receipt of 50 items with every driver, at the speeds that devices are set to. Marks are
 * stored at once: what the gateway's disk takes is no part of the line.
 */
export async function lineUse(): Promise<void> {
  title(`A receipt of ${ITEMS} items on a serial line: the bytes' own time of the whole`);
  for (const { baudRate, receipts } of SPEEDS) {
    const uses: LineUse[] = [];
    for (let run = 0; run < receipts; run++) {
      uses.push(await bareTurns({ ...EIGHT_N_ONE, baudRate }));
    }
    showUse(`ceiling: bare turns, ${baudRate.toLocaleString("en")} baud`, fastest(uses));
  }
  for (const driver of SIMULATORS.keys()) {
    if (findDriver(driver)) await measureDriver(driver);
  }
}

async function measureDriver(driver: DriverId): Promise<void> {
  const line = new PacedLine(UNPACED);
  const stateFile = booksFile(`line-${driver}`);
  const simulator = await startSimulator({ driver, listen: { open: line.openPort }, stateFile });
  try {
    const session = await connect(driver, line);
    for (let run = 0; run < WARM_UPS; run++) await printWith(session, RECEIPT);
    for (const { baudRate, receipts } of SPEEDS) {
      line.set({ ...(SETTINGS[driver] ?? EIGHT_N_ONE), baudRate });
      const uses: LineUse[] = [];
      for (let run = 0; run < receipts; run++) {
        line.reset();
        await printWith(session, RECEIPT);
        uses.push(line.use);
      }
      line.set(UNPACED);
      showUse(`${driver}, ${baudRate.toLocaleString("en")} baud`, fastest(uses));
    }
    session.close();
  } finally {
    await simulator.stop();
    rmSync(stateFile, { force: true });
  }
}

function fastest(uses: readonly LineUse[]): LineUse {
  const [first, ...others] = uses;
  if (!first) throw new RangeError("nothing was measured");
  return others.reduce((best, use) => (use.spanMs < best.spanMs ? use : best), first);
}

/** What the paced line itself allows: two ends that answer whole frames with nothing to do. */
async function bareTurns(settings: LineSettings): Promise<LineUse> {
  const line = new PacedLine(settings);
  const frame = new Uint8Array(BARE_FRAME_BYTES);
  const { promise, resolve } = Promise.withResolvers<void>();
  const host = line.host();
  let frames = 0;
  const answering = (answer: () => void) => {
    let missing = BARE_FRAME_BYTES;
    return (chunk: Uint8Array) => {
      missing -= chunk.length;
      if (missing > 0) return;
      missing = BARE_FRAME_BYTES;
      answer();
    };
  };
  await line.openPort({
    setTimer: () => () => undefined,
    connect: (port) => answering(() => port.send(frame)),
  });
  const data = answering(() => {
    frames += 1;
    if (frames < BARE_FRAMES) host.write(frame);
    else resolve();
  });
  host.listen({ data, closed: () => undefined });
  host.write(frame);
  await promise;
  return line.use;
}

function showUse(what: string, use: LineUse): void {
  const { wireMs, spanMs, waitedForMs, turns, bytes } = use;
  const driverShare = percent(wireMs, wireMs + waitedForMs.host, 1);
  show(
    what,
    `${percent(wireMs, spanMs, 1)}, driver ${driverShare}`,
    `${bytes} bytes ${ms(wireMs)} of ${ms(spanMs)}; ${turns} turns, waited for the ` +
      `driver ${ms(waitedForMs.host)}, for the simulator ${ms(waitedForMs.device)}`,
  );
}

function connect(driver: DriverId, line: PacedLine): Promise<DriverSession> {
  const found = findDriver(driver);
  if (!found) throw new Error(`no driver ${driver}`);
  return found.connect(line.host(), measuredEnvironment());
}

const RECEIPT = {
  uniqueSaleNumber: "DT123456-0001-0000001",
  items: Array.from({ length: ITEMS }, (_, index) => ({
    name: `Article of the day ${index + 1}`,
    quantity: 2,
    price: 1.5,
    vatGroup: "VAT2",
  })),
  payments: [{ method: "cash", amount: 3 * ITEMS }],
};
