/**
 * Finding devices that nobody has registered: over HTTP and from the command line, at network and
 * serial ports, with a simulated device of every driver.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DetectionReport } from "#core/device/detection.ts";
import type { DriverId } from "#core/driver-id.ts";
import { DRIVERS } from "#drivers/registry.ts";
import { type Simulator, startSimulator } from "#drivers/simulator/host.ts";
import { SIMULATORS } from "#drivers/simulator/registry.ts";
import { openSerial } from "#drivers/transport/serial.ts";
import { systemClock } from "../platform/clock.ts";
import { type Gateway, registerShop, type Shop, startGateway } from "./harness/gateway.ts";
import { asRoot, hasPrograms } from "./harness/other-runtime.ts";
import { executable } from "./harness/program.ts";
import { runToEnd } from "./harness/run-to-end.ts";
import { until } from "./harness/until.ts";

let program: string;
beforeAll(async () => {
  program = await executable();
});
const FAMILIES = [...SIMULATORS.keys()].filter((driver) => DRIVERS.has(driver));

let folder: string;
let gateway: Gateway;
let shop: Shop;
/** What listens or runs until the end. */
const stops: (() => unknown)[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-detect-"));
  gateway = await startGateway(join(folder, "state"));
  shop = await registerShop(gateway.url);
});
afterAll(async () => {
  await gateway.kill();
  for (const stop of stops) await stop();
  rmSync(folder, { recursive: true, force: true });
});

async function simulate(driver: DriverId, pty?: string): Promise<Simulator> {
  const simulator = await startSimulator({
    driver,
    listen: pty === undefined ? { host: "127.0.0.1", port: 0 } : { pty },
    stateFile: join(folder, `${driver}${pty === undefined ? "" : "-pty"}.state`),
  });
  stops.push(() => simulator.stop());
  return simulator;
}

/** A server that does as told with each connection. @returns its port */
function listen(connected: Parameters<typeof createServer>[1]): Promise<number> {
  return new Promise((resolve) => {
    const server: Server = createServer(connected);
    stops.push(() => server.close());
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : 0);
    });
  });
}

const detect = (body: unknown) =>
  shop.owner.expect<DetectionReport>("POST", "/devices/detect", body);

async function run(...args: string[]) {
  const command = [program, "detect", ...args];
  return runToEnd(command, { cwd: folder, stdin: "" });
}

async function runJson(...args: string[]): Promise<DetectionReport> {
  const { out, err, code } = await run("--json", ...args);
  expect({ code, err }).toEqual({ code: 0, err: expect.any(String) });
  return JSON.parse(out);
}

describe("over HTTP", () => {
  test.each(FAMILIES)(
    "finds a device of %s at a host, takes it as told, and leaves it alone then",
    async (driver) => {
      const { port, books } = await simulate(driver);
      const before = books().documentNumber;
      const { found } = await detect({ host: "127.0.0.1", port, drivers: [driver] });
      expect(found).toEqual([
        {
          driver,
          transport: "tcp",
          connectionParams: { host: "127.0.0.1", port },
          model: expect.any(String),
          serialNumber: expect.any(String),
          fiscalMemorySerialNumber: expect.any(String),
          firmwareVersion: expect.any(String),
          ...UNTOLD[driver],
        },
      ]);
      expect(books().documentNumber).toBe(before);

      const [{ transport, connectionParams } = {}] = found;
      const { id } = await shop.owner.expect<{ id: string }>("POST", "/devices", {
        ...{ name: driver, locationId: "shop", driver, transport, connectionParams },
      });
      await until("the device to be online", async () => {
        const device = await shop.owner.expect<{ effectiveStatus: string }>(
          "GET",
          `/devices/${id}`,
        );
        return device.effectiveStatus === "online";
      });
      // By another name of the same host.
      expect((await detect({ host: "localhost", port })).tried).toMatchObject([
        {
          outcome: "in_use",
          reason: `The registered device ${driver} (${id}) uses it`,
          probes: 0,
        },
      ]);
    },
  );

  test("tells a device from something else and from nothing at all", async () => {
    const chatter = await listen((socket) => {
      socket.on("error", () => {});
      socket.on("data", () => socket.write("HTTP/1.1 400 Bad Request\r\n\r\n"));
    });
    const drivers = ["vendorB.isl"];
    const outcomes: string[] = [];
    for (const port of [chatter, 1]) {
      const { found, tried } = await detect({ host: "127.0.0.1", port, drivers });
      expect(found).toEqual([]);
      outcomes.push(...tried.map(({ outcome }) => outcome));
    }
    expect(outcomes).toEqual(["unrecognized", "not_opened"]);
  });
});

const NO_NETWORK = "detecting where there is no network";
const whom = hasPrograms(NO_NETWORK, ["unshare"]) ? asRoot(NO_NETWORK) : [];

/** What devices of a driver do not tell of themselves. */
const UNTOLD: Readonly<Partial<Record<DriverId, Record<string, null>>>> = {
  "vendorD.isl": { model: null },
  "vendorF.shtrih": { fiscalMemorySerialNumber: null },
  "custom.serial": { firmwareVersion: null },
};

describe("a gateway that stops", () => {
  test("ends the search and answers what came of it", async () => {
    let asked = false;
    const mute = await listen((socket) => {
      socket.on("error", () => {});
      socket.on("data", () => {
        asked = true;
      });
    });
    const stopping = await startGateway(join(folder, "stopping"));
    const { owner } = await registerShop(stopping.url);
    const where = { host: "127.0.0.1", port: mute };
    const search = owner.expect<DetectionReport>("POST", "/devices/detect", where);
    await until("the first question", () => asked);
    expect(await stopping.stop()).toBe(0);
    expect((await search).tried).toMatchObject([{ outcome: "not_tried" }]);
  });
});

describe("from the command line", () => {
  test("finds a device of every driver at its serial port, with another one asking first", async () => {
    const searches = FAMILIES.map(async (driver) => {
      const port = join(folder, `${driver}-port`);
      const { books } = await simulate(driver, port);
      const before = books().documentNumber;
      const [first = driver] = FAMILIES.filter((id) => id !== driver).slice(-1);
      const { found } = await runJson("--port", port, "--driver", first, "--driver", driver);
      expect(books().documentNumber).toBe(before);
      return found.map(({ driver: id, connectionParams: params }) => ({
        driver: id,
        isOnItsPort: "address" in params && params.address.startsWith(`${port}?baud=`),
      }));
    });
    const expected = FAMILIES.map((driver) => [{ driver, isOnItsPort: true }]);
    expect(await Promise.all(searches)).toEqual(expected);
  });

  test("shows what was found and how to register it", async () => {
    const { port } = await simulate("vendorC.isl");
    const where = ["--host", `127.0.0.1:${port}`, "--driver", "vendorC.isl"];
    const { out, code } = await run(...where, "--driver", "vendorB.isl");
    expect(code).toBe(0);
    expect(out).toContain("ED311662");
    expect(out).toContain(
      `device add --name A1 --driver vendorC.isl --transport tcp --host 127.0.0.1 --port ${port}\n`,
    );
    expect(out).not.toContain("\u001b");
  });

  test("leaves a port alone that another program has locked", async () => {
    const port = join(folder, "locked-port");
    await simulate("vendorA.isl", port);
    const setTimer = systemClock.setTimer.bind(systemClock);
    const line = await openSerial({ path: port }, { setTimer });
    const { found, tried } = await runJson("--port", port);
    line.close();
    expect(found).toEqual([]);
    expect(tried).toMatchObject([{ outcome: "not_opened", probes: 0 }]);
    expect(tried[0]?.reason).toContain("in use");
  });

  test("leaves registered devices alone, whether or not their gateway runs", async () => {
    const { port } = await simulate("vendorB.isl");
    const { id } = await shop.owner.expect<{ id: string }>("POST", "/devices", {
      ...{ name: "Bar", locationId: "shop", driver: "vendorB.isl", transport: "tcp" },
      connectionParams: { host: "localhost", port },
    });
    const state = ["--state-dir", join(folder, "state")];
    const { tried } = await runJson("--host", `127.0.0.1:${port}`, ...state);
    expect(tried).toMatchObject([
      { outcome: "in_use", reason: `The registered device Bar (${id}) uses it` },
    ]);
  });

  test("leaves a device alone that is registered while it asks there", async () => {
    let registering: Promise<unknown> | undefined;
    const port = await listen((socket) => {
      socket.on("error", () => {});
      socket.on("data", () => {
        registering ??= shop.owner.expect("POST", "/devices", {
          ...{ name: "Door", locationId: "shop", driver: "vendorB.isl", transport: "tcp" },
          connectionParams: { host: "127.0.0.1", port },
        });
        void registering.then(() => socket.destroy());
      });
    });
    const state = ["--state-dir", join(folder, "state")];
    const { tried } = await runJson("--host", `127.0.0.1:${port}`, ...state);
    await registering;
    expect(tried).toMatchObject([
      { outcome: "in_use", reason: expect.stringContaining("The registered device Door (") },
    ]);
    expect(tried[0]?.probes).toBeGreaterThan(0);
  });

  test.each(whom)("as %s tells a machine without a network from a host that refuses", async () => {
    const command = [program, "detect", "--json", "--host", "192.0.2.9:9100"];
    const { out } = await runToEnd(["unshare", "--net", ...command], { cwd: folder, stdin: "" });
    const { tried }: DetectionReport = JSON.parse(out);
    expect(tried.map(({ reason }) => reason)).toEqual([
      "Cannot reach 192.0.2.9:9100: no way to that network",
    ]);
  });

  test("ends with 2 on what it does not understand", async () => {
    const wrong = [
      ["--driver", "vendorZ.isl"],
      ["--host", "h", "--port", "/dev/ttyS0"],
      ["--port", "ttyS0"],
      ["--host", "http://printer"],
      ["--bluetooth", "printer"],
    ];
    const ends = await Promise.all(wrong.map((args) => run(...args)));
    expect(ends.map(({ code, out }) => `${code}${out}`)).toEqual(wrong.map(() => "2"));
  });
});
