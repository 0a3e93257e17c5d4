/**
 * Prints docs/examples/receipt.json on a simulated device and draws its paper into
 * docs/receipt.svg: bun scripts/sample-receipt.ts
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findDriver } from "../drivers/registry.ts";
import { startSimulator } from "../drivers/simulator/host.ts";
import { RecordedProgress } from "../drivers/testing/fake-environment.ts";
import { openTcp } from "../drivers/transport/tcp.ts";
import type { CommandType } from "../src/core/command/catalogue.ts";
import type { DriverEnvironment } from "../src/core/driver.ts";

const DOCS = join(import.meta.dir, "..", "docs");
export const SAMPLE_FILE = join(DOCS, "receipt.svg");

const DRIVER = "vendorA.isl";
const NOW = Date.UTC(2026, 10, 20, 9, 41, 28);
const LOGO_WIDTH = 224;
const LOGO_HEIGHT = 96;
const HEADER = ["CORNER SHOP", "Sofia, 12 Main Street", "Shop 1"];

/** The paper of the example receipt, the same every time. @throws Error when it is not printed */
export async function sampleReceipt(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "fiscald-sample-"));
  const local = { host: "127.0.0.1", port: 0 };
  const simulator = await startSimulator({
    driver: DRIVER,
    listen: local,
    control: local,
    stateFile: join(folder, "printer.state"),
    now: () => NOW,
  });
  try {
    const { type, payload } = await Bun.file(join(DOCS, "examples", "receipt.json")).json();
    await carryOut(simulator.port, [
      ["set_header_footer", { header: HEADER, footer: ["Thank you, come again"] }],
      ["set_logo", { logo: logoFile().toString("base64") }],
      [type, payload],
    ]);
    const answer = await fetch(`http://127.0.0.1:${simulator.controlPort}/paper.svg?last=1`);
    return await answer.text();
  } finally {
    await simulator.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function carryOut(
  port: number,
  commands: readonly (readonly [CommandType, unknown])[],
): Promise<void> {
  const driver = findDriver(DRIVER);
  if (!driver) throw new Error(`no driver ${DRIVER}`);
  const line = await openTcp({ host: "127.0.0.1", port }, ENVIRONMENT);
  const session = await driver.connect(line, ENVIRONMENT);
  try {
    for (const [type, payload] of commands) {
      const command = { id: "cmd_sample", type, payload, original: undefined };
      await session.execute(command, new RecordedProgress());
    }
  } finally {
    session.close();
  }
}

const ENVIRONMENT: DriverEnvironment = {
  now: () => NOW,
  setTimer(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
  random: () => 0,
  timezone: "Europe/Sofia",
  currency: "EUR",
  remembered: new Map(),
  note() {},
  log() {},
};

/** A cup of coffee, as a black-and-white bitmap file. */
function logoFile(): Buffer {
  const stride = 4 * Math.ceil(LOGO_WIDTH / 32);
  const file = Buffer.alloc(62 + stride * LOGO_HEIGHT, 0xff);
  file.fill(0, 0, 62);
  file.write("BM");
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(62, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(LOGO_WIDTH, 18);
  file.writeInt32LE(LOGO_HEIGHT, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(1, 28);
  file.writeUInt32LE(0xffffff, 58);
  for (let y = 0; y < LOGO_HEIGHT; y += 1) {
    for (let x = 0; x < LOGO_WIDTH; x += 1) {
      if (!isInk(x - LOGO_WIDTH / 2, y)) continue;
      const at = 62 + stride * (LOGO_HEIGHT - 1 - y) + (x >> 3);
      file[at] = (file[at] ?? 0) & ~(0x80 >> (x & 7));
    }
  }
  return file;
}

/** @param x from the middle, @param y from the top */
function isInk(x: number, y: number): boolean {
  const isInCup = y >= 36 && y < 80 && Math.abs(x) < 34 - Math.max(0, y - 60) ** 2 / 28;
  const fromHandle = Math.hypot((x - 34) / 0.8, y - 52);
  const isHandle = x > 30 && fromHandle > 11 && fromHandle < 18;
  const isSaucer = y >= 84 && y < 91 && Math.abs(x) < 62 - (y - 84) * 3;
  const steam = [-16, 0, 16].some((from) => Math.abs(x - from - 4 * Math.sin(y / 5)) < 2.2);
  const shine = x > -26 && x < -20 && y > 42 && y < 66;
  return (isInCup && !shine) || isHandle || isSaucer || (steam && y >= 6 && y < 30);
}

if (import.meta.main) {
  await Bun.write(SAMPLE_FILE, await sampleReceipt());
  console.log(`drew ${SAMPLE_FILE}`);
}
