/**
 * The line monitor of the executable: what a printer of each driver says and is told, over the API
 * and the command line, while printers come and go.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DriverId } from "#core/driver-id.ts";
import { SIMULATORS } from "#drivers/simulator/registry.ts";
import {
  type ApiClient,
  type Gateway,
  registerDevice,
  registerShop,
  startGateway,
} from "./harness/gateway.ts";
import { startOwnProcess } from "./harness/own-process.ts";
import { NO_POLLING } from "./harness/premises.ts";
import { executable } from "./harness/program.ts";
import { runToEnd } from "./harness/run-to-end.ts";
import { restartPrinter, type SimulatedPrinter, startPrinter } from "./harness/simulator.ts";
import { until } from "./harness/until.ts";

const SECRET = "739164";
/** As text in hexadecimal, and as the four-byte number of Shtrih-M. */
const SECRET_HEX = [Buffer.from(SECRET).toString("hex"), "5c470b00"];
/** A frame of a receipt by what each driver's tables call it. */
const RECEIPT_FRAMES: Readonly<Record<DriverId, string>> = {
  "vendorA.isl": "48 open sale",
  "vendorB.isl": "48 open sale",
  "vendorC.isl": "144 open sale",
  "vendorD.isl": "48 open sale",
  "vendorE.zfp": "30h open receipt",
  "vendorF.shtrih": "8Dh open",
  "custom.serial": "3301 sale",
};
const RECEIPT = {
  uniqueSaleNumber: "DT577430-0001-0000001",
  operatorId: 1,
  operatorPassword: SECRET,
  items: [{ name: "Coffee", quantity: 2, price: 1.5, vatGroup: "VAT2" }],
  payments: [{ method: "cash", amount: 3 }],
};

interface Trace {
  readonly entries: readonly {
    readonly kind: string;
    readonly name?: string;
    readonly hex?: string;
    readonly event?: string;
    readonly isDamaged?: boolean;
  }[];
}

const folder = mkdtempSync(join(tmpdir(), "fiscald-monitor-"));
const stateDir = join(folder, "state");
const printers = new Map<DriverId, SimulatedPrinter>();
const devices = new Map<DriverId, string>();
let gateway: Gateway;
let till: ApiClient;

beforeAll(async () => {
  gateway = await startGateway(stateDir, { args: [NO_POLLING, "--log-level=debug"] });
  ({ till } = await registerShop(gateway.url));
  await Promise.all(
    [...SIMULATORS.keys()].map(async (driver) => {
      const printer = await startPrinter({ driver, stateFile: join(folder, driver) });
      printers.set(driver, printer);
      const { host, port } = printer;
      devices.set(driver, await registerDevice(till, { driver, host, port }, driver));
    }),
  );
});

afterAll(async () => {
  await gateway.stop();
  await Promise.all([...printers.values()].map((printer) => printer.stop()));
  rmSync(folder, { recursive: true, force: true });
});

function deviceOf(driver: DriverId): string {
  const id = devices.get(driver);
  if (id === undefined) throw new Error(`no device of ${driver}`);
  return id;
}

async function commandLine(args: readonly string[]): Promise<string[]> {
  return [await executable(), "trace", ...args, "--state-dir", stateDir];
}

function expectNoSecret(text: string): void {
  expect(text).not.toContain(SECRET);
  const plain = text.replaceAll(" ", "");
  for (const hex of SECRET_HEX) expect(plain).not.toContain(hex);
}

describe.each([...SIMULATORS.keys()])("a receipt on %s", (driver) => {
  test("is shown frame by frame, over the API and at the box, without the password", async () => {
    const id = deviceOf(driver);
    const { id: commandId } = await till.submit(id, "print_receipt", RECEIPT);
    await till.wait(commandId);
    const trace = await till.expect<Trace>("GET", `/devices/${id}/trace`);
    const events = trace.entries.filter(({ kind }) => kind === "line").map(({ event }) => event);
    expect(events.slice(0, 2)).toEqual(["opened", "identified"]);
    const frames = trace.entries.filter(({ kind }) => kind === "frame");
    expect(frames.filter(({ isDamaged }) => isDamaged)).toEqual([]);
    expect(frames.map(({ name }) => name).join("\n")).toContain(RECEIPT_FRAMES[driver]);
    expectNoSecret(JSON.stringify(trace));

    const shown = await runToEnd(await commandLine([driver, "--no-follow", "--hex"]));
    expect([shown.code, shown.err]).toEqual([0, ""]);
    expect(shown.out).toContain(RECEIPT_FRAMES[driver]);
    expect(shown.out).toMatch(/^\d\d:\d\d:\d\d\.\d{3} → /m);
    expectNoSecret(shown.out);
    expectNoSecret(gateway.output());
  });
});

describe("fiscald trace", () => {
  test("goes on while the printer comes and goes, and ends when it is asked to", async () => {
    const driver = "vendorA.isl";
    const printer = printers.get(driver);
    if (!printer) throw new Error("no printer");
    const watching = startOwnProcess(await commandLine([deviceOf(driver), "--last=0"]));
    const seen = (pattern: RegExp, what: string): Promise<boolean> =>
      until(what, () => pattern.test(watching.output()));
    await until("its lines", async () => {
      await till.wait((await till.submit(deviceOf(driver), "get_date_time")).id);
      return watching.output().includes("62 get clock");
    });
    await printer.kill();
    await seen(/· closed .*lost/, "the end of the line");
    await seen(/· failed E100/, "an attempt without success");
    const stateFile = join(folder, driver);
    printers.set(driver, await restartPrinter(printer, { driver, stateFile }));
    await seen(
      /· failed.*· opened 127\.\d+\.\d+\.\d+:\d+.*· identified Datecs/s,
      "the device again",
    );
    expect(await watching.stop()).toBe(0);
  });

  test("prints JSON lines for programs, from where it is told to, past any proxy", async () => {
    const { out, code } = await runToEnd(
      await commandLine([deviceOf("vendorE.zfp"), "--no-follow", "--json", "--last", "3"]),
      { env: { HTTP_PROXY: "http://127.0.0.1:1", http_proxy: "http://127.0.0.1:1" } },
    );
    const lines = out.trim().split("\n");
    expect([code, lines.length]).toEqual([0, 3]);
    for (const line of lines) {
      expect(JSON.parse(line)).toEqual(
        expect.objectContaining({ number: expect.any(Number), at: expect.stringMatching(/Z$/) }),
      );
    }
  });

  test("makes no key, and knows no other devices", async () => {
    const other = await runToEnd(await commandLine(["Bar"]));
    expect([other.code, other.err]).toEqual([
      2,
      "fiscald: there is no device Bar: fiscald device list shows them\n",
    ]);
    const list = [await executable(), "key", "list", "--state-dir", stateDir];
    expect((await runToEnd(list)).out).not.toContain("fiscald trace");
    expect(readFileSync(join(stateDir, "fiscald.url"), "utf8").trim()).toBe(gateway.url);
  });
});

describe("following over the API", () => {
  test("makes room for others when the reader goes", async () => {
    const id = deviceOf("vendorF.shtrih");
    const follow = (signal: AbortSignal) =>
      fetch(`${gateway.url}/api/v1/devices/${id}/trace?follow=true`, {
        headers: { authorization: `Bearer ${till.credential}` },
        signal,
      });
    const readers = Array.from({ length: 8 }, () => new AbortController());
    // Held until the end: the runtime hangs up for an answer that nobody can read any more.
    const answers: Response[] = [];
    for (const { signal } of readers) answers.push(await follow(signal));
    expect(answers.map(({ status }) => status)).toEqual(readers.map(() => 200));
    const late = new AbortController();
    expect((await follow(late.signal)).status).toBe(409);
    for (const reader of readers) reader.abort();
    await until("room", async () => (await follow(late.signal)).status === 200);
    late.abort();
  });

  test("does not keep the gateway from stopping, and tells whoever follows", async () => {
    const watching = startOwnProcess(await commandLine(["vendorE.zfp"]));
    await until("the first line", () => watching.output().includes("identified"));
    expect(await gateway.stop()).toBe(0);
    expect(await watching.exited).toBe(3);
    expect(watching.output()).toContain("the gateway stopped");
    // As a gateway leaves it that was killed; somebody else may listen there by now.
    writeFileSync(join(stateDir, "fiscald.url"), gateway.url);
    const again = await runToEnd(await commandLine(["vendorE.zfp"]));
    expect([again.code, again.err]).toEqual([3, expect.stringContaining("no gateway runs on")]);
  });
});
