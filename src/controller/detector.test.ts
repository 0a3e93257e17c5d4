import { beforeEach, describe, expect, test } from "bun:test";
import type {
  DetectionProgress,
  DetectionRequest,
  DeviceAddress,
  FoundDevice,
} from "#core/device/detection.ts";
import type { SerialPortInfo } from "#core/device/serial-port.ts";
import type { Driver, DriverSession, Line } from "#core/driver.ts";
import type { DriverId } from "#core/driver-id.ts";
import { FiscalError, UnknownDevice } from "#core/errors.ts";
import { DETECTION_LIMIT_MS } from "#core/limits.ts";
import { type MemoryLine, memoryLinePair } from "#drivers/transport/memory.ts";
import { FakeClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { detectDevices } from "./detector.ts";
import type { DetectorEnvironment, RegisteredDevice } from "./detector-environment.ts";
import { PROBE_LIMIT_MS, SILENCE_LIMIT_MS } from "./probe.ts";

const INFO = {
  serialNumber: "S1",
  fiscalMemorySerialNumber: "F1",
  firmwareVersion: "1.0",
  manufacturer: "M",
  model: "X",
};

/** What a fake driver makes of the first thing it hears; a session where it is undefined. */
type Judge = (heard: string) => FiscalError | undefined;
type Judges = Record<string, Judge>;

/** A driver that greets, and judges what it hears then. */
function driver(
  id: DriverId,
  judge: Judge,
  traits: Partial<Driver> & { protocol?: string; frames?: true; tcpPorts?: number[] } = {},
): Driver {
  const { protocol = id, frames, tcpPorts = [1], ...rest } = traits;
  return {
    id,
    commands: new Set(),
    detection: { protocol, opensWith: frames ? "frame" : "control_byte", tcpPorts },
    ...rest,
    connect: (line) =>
      new Promise<DriverSession>((resolve, reject) => {
        line.listen({
          data(chunk) {
            const fault = judge(Buffer.from(chunk).toString());
            if (fault) reject(fault);
            else if (chunk.length > 0) resolve(session(line));
          },
          closed: reject,
        });
        line.write(Buffer.from(id));
      }),
  };
}

function session(line: Line): DriverSession {
  const never = () => Promise.reject(new Error("only asked who it is"));
  const close = () => line.close();
  return { info: INFO, execute: never, resolve: never, readStatus: never, close };
}

const speeds =
  (...speedsBaud: number[]) =>
  () =>
    speedsBaud.map((baudRate) => ({ baudRate }));
const knows = (name: string): Judge => {
  const stranger = new FiscalError("E200", "not this protocol");
  return (heard) => (heard === name ? undefined : stranger);
};

let clock: FakeClock;
/** What answers at an address; nobody where there is none. */
let devices: Map<string, (line: MemoryLine, question: string) => void>;
/** The addresses of the lines that were opened, in order, and how many are open. */
let opened: string[];
let open: number;
let environment: DetectorEnvironment;
let registered: RegisteredDevice[];
let portUsers: Map<string, string>;

beforeEach(() => {
  clock = new FakeClock();
  devices = new Map();
  [opened, registered, open] = [[], [], 0];
  portUsers = new Map();
  environment = {
    clock,
    log: createLog({ level: "silent", clock }),
    random: () => 0,
    drivers: [driver("vendorA.isl", knows("a"))],
    openLine: (address) => Promise.resolve(lineTo(address)),
    listPorts: () => [],
    addressKeys: (address) => Promise.resolve([addressText(address).split("?", 1)[0] ?? ""]),
    portUser: (path) => portUsers.get(path),
    registered: () => registered,
  };
});

function addressText({ connectionParams: params }: DeviceAddress): string {
  return "host" in params ? `${params.host}:${params.port}` : params.address;
}

function lineTo(address: DeviceAddress): Line {
  const text = addressText(address);
  opened.push(text);
  open += 1;
  const [host, device] = memoryLinePair();
  const answer = devices.get(text) ?? devices.get(text.split("?", 1)[0] ?? "");
  device.listen({
    data: (chunk) => answer?.(device, Buffer.from(chunk).toString()),
    closed() {},
  });
  let isOpen = true;
  return {
    write: (bytes) => host.write(bytes),
    listen: (listener) => host.listen(listener),
    close() {
      host.close();
      if (isOpen) open -= 1;
      isOpen = false;
    },
  };
}

const says = (text: string) => (line: MemoryLine) => line.write(Buffer.from(text));
const at = (address: string) => ({ transport: "serial", address }) as const;
const port = (path: string, byId: string | null = null): SerialPortInfo => ({
  path,
  byId,
  vendorId: null,
  productId: null,
  serialNumber: null,
  manufacturer: null,
  product: null,
  location: null,
});

/** Searches, letting as much time pass as it takes. */
async function detect(
  request: Partial<DetectionRequest> & Pick<DetectionRequest, "target">,
  limitMs = DETECTION_LIMIT_MS + 1_000,
) {
  const { signal } = new AbortController();
  let report: Awaited<ReturnType<typeof detectDevices>> | undefined;
  const search = detectDevices({ signal, ...request }, environment).then((found) => {
    report = found;
  });
  const startedAt = clock.elapsed();
  while (!report && clock.elapsed() - startedAt < limitMs) await clock.advanceAsync(250);
  if (!report) throw new Error("the search goes on");
  await search;
  expect({ timers: clock.pendingTimers, open }).toEqual({ timers: 0, open: 0 });
  return { ...report, tookMs: clock.elapsed() - startedAt };
}

describe("a device that answers", () => {
  test("is told with what registering it takes", async () => {
    devices.set("/dev/a", says("a"));
    const { found, tried } = await detect({ target: at("/dev/a") });
    const connectionParams = { address: "/dev/a?baud=115200" };
    expect(found).toEqual([
      {
        driver: "vendorA.isl",
        transport: "serial",
        connectionParams,
        serialNumber: "S1",
        fiscalMemorySerialNumber: "F1",
        model: "X",
        firmwareVersion: "1.0",
      },
    ]);
    expect(tried).toEqual([
      {
        transport: "serial",
        connectionParams: { address: "/dev/a" },
        outcome: "found",
        reason: "A device of vendorA.isl answered",
        probes: 1,
      },
    ]);
  });

  test("is found at its own speed and parity, and asked no further", async () => {
    environment = {
      ...environment,
      drivers: [driver("vendorA.isl", knows("a"), { serialSettings: speeds(9_600, 4_800, 2_400) })],
    };
    devices.set("/dev/a?baud=4800&parity=odd", says("a"));
    const { found } = await detect({ target: at("/dev/a?parity=odd") });
    expect(found).toMatchObject([{ connectionParams: { address: "/dev/a?baud=4800&parity=odd" } }]);
    expect(opened).toEqual(["/dev/a?baud=9600&parity=odd", "/dev/a?baud=4800&parity=odd"]);
  });

  test("is one device when it answers at two addresses", async () => {
    devices.set("/dev/a", says("a"));
    devices.set("/dev/b", says("a"));
    environment = { ...environment, listPorts: () => [port("/dev/a"), port("/dev/b")] };
    const { found, tried } = await detect({ target: { transport: "serial" } });
    expect(found).toHaveLength(1);
    expect(tried.map(({ reason }) => reason)).toEqual([
      "A device of vendorA.isl answered",
      "The same device as /dev/a",
    ]);
  });

  test("is asked by its lasting name", async () => {
    environment = {
      ...environment,
      listPorts: () => [port("/dev/ttyUSB0", "/dev/serial/by-id/u")],
    };
    const { tried } = await detect({ target: { transport: "serial" } });
    expect(tried).toMatchObject([{ connectionParams: { address: "/dev/serial/by-id/u" } }]);
  });
});

describe("drivers of one protocol", () => {
  const isl = { protocol: "isl", frames: true } as const;
  const siblings = (a: Judge, b: Judge) => [
    driver("vendorA.isl", a, isl),
    driver("vendorB.isl", b, isl),
  ];

  test("ask after each other only where the first one heard its protocol", async () => {
    const unknown: Judge = (heard) => (heard === "isl" ? new UnknownDevice("DX") : LOST);
    environment = { ...environment, drivers: siblings(unknown, knows("isl")) };
    devices.set("/dev/a", says("isl"));
    expect((await detect({ target: at("/dev/a") })).found).toMatchObject([
      { driver: "vendorB.isl" },
    ]);
    devices.set("/dev/a", says("noise"));
    opened = [];
    const { tried } = await detect({ target: at("/dev/a") });
    expect(tried).toMatchObject([{ outcome: "unrecognized", probes: 1 }]);
    devices.clear();
    expect((await detect({ target: at("/dev/a") })).tried).toMatchObject([
      { outcome: "silent", reason: "Nothing answered", probes: 1 },
    ]);
  });

  test("tell of a device that none of them knows", async () => {
    const unknown: Judge = () => new UnknownDevice("DX-1");
    environment = { ...environment, drivers: siblings(unknown, unknown) };
    devices.set("/dev/a", says("isl"));
    const { found, tried } = await detect({ target: at("/dev/a") });
    expect(found).toEqual([]);
    expect(tried).toMatchObject([{ outcome: "unknown_device", probes: 2 }]);
    expect(tried[0]?.reason).toContain("DX-1");
  });
});

const LOST = new FiscalError("E102", "lost");

describe("an address where nothing is found", () => {
  const two: Driver[] = [driver("vendorA.isl", knows("a")), driver("vendorB.isl", knows("b"))];

  test("that is silent is given up soon", async () => {
    environment = { ...environment, drivers: two };
    const { tried, tookMs } = await detect({ target: at("/dev/a") });
    expect(tried).toMatchObject([{ outcome: "silent", probes: 2 }]);
    expect(tookMs).toBeLessThanOrEqual(2 * SILENCE_LIMIT_MS + 250);
  });

  test("that never stops talking is given up in time", async () => {
    const deaf: Judge = () => undefined;
    const endless: Driver = {
      ...driver("vendorA.isl", deaf),
      connect: (line) =>
        new Promise<never>((_, reject) => {
          line.listen({ data: () => line.write(Buffer.from("what?")), closed: reject });
          line.write(Buffer.from("who?"));
        }),
    };
    environment = { ...environment, drivers: [endless] };
    devices.set("/dev/a", (line) => {
      clock.setTimer(100, () => line.write(Buffer.from("noise")));
    });
    const { tried, tookMs } = await detect({ target: at("/dev/a") });
    expect(tried).toMatchObject([{ outcome: "unrecognized" }]);
    expect(tookMs).toBeLessThanOrEqual(PROBE_LIMIT_MS + 250);
  });

  test("that speaks another protocol, or hangs up, does not keep others from asking", async () => {
    environment = { ...environment, drivers: two };
    devices.set("/dev/a", (line, question) => {
      if (question === "vendorA.isl") line.close();
      else line.write(Buffer.from("b"));
    });
    expect((await detect({ target: at("/dev/a") })).found).toMatchObject([
      { driver: "vendorB.isl" },
    ]);
  });

  test("does not stop for a driver that stumbles", async () => {
    const clumsy: Judge = () => {
      throw new RangeError("off by one");
    };
    const stumbling: Driver = {
      ...driver("vendorA.isl", clumsy),
      connect: (line) =>
        new Promise<never>((_, reject) => {
          line.listen({ data: () => reject(new RangeError("off by one")), closed: reject });
          line.write(Buffer.from("a"));
        }),
    };
    environment = { ...environment, drivers: [stumbling, driver("vendorB.isl", knows("b"))] };
    devices.set("/dev/a", says("b"));
    expect((await detect({ target: at("/dev/a") })).found).toHaveLength(1);
  });

  test("tells what the device said when it turned the driver away", async () => {
    const refuses: Judge = () => new FiscalError("E100", "The device wants a TCP password");
    environment = { ...environment, drivers: [driver("vendorA.isl", refuses), ...two.slice(1)] };
    devices.set("/dev/a", says("x"));
    expect((await detect({ target: at("/dev/a") })).tried).toMatchObject([
      { outcome: "unknown_device", reason: "The device wants a TCP password", probes: 1 },
    ]);
  });

  test("tells why it could not be opened", async () => {
    const fault = new FiscalError("E103", "There is no port /dev/a");
    environment = { ...environment, drivers: two, openLine: () => Promise.reject(fault) };
    expect((await detect({ target: at("/dev/a") })).tried).toEqual([
      {
        ...{ transport: "serial", connectionParams: { address: "/dev/a" } },
        ...{ outcome: "not_opened", reason: "There is no port /dev/a", probes: 0 },
      },
    ]);
  });

  test("is opened again when it does not take the next connection at once", async () => {
    const refusals = [undefined, new FiscalError("E100", "refused"), undefined];
    environment = {
      ...environment,
      drivers: two,
      openLine: (address) => {
        const refusal = refusals.shift();
        return refusal ? Promise.reject(refusal) : Promise.resolve(lineTo(address));
      },
    };
    devices.set("/dev/a", says("b"));
    expect((await detect({ target: at("/dev/a") })).found).toHaveLength(1);
  });
});

describe("a port of a host", () => {
  const isl = { protocol: "isl", frames: true } as const;
  const three = [
    driver("vendorA.isl", knows("a"), isl),
    driver("vendorE.zfp", knows("b")),
    driver("custom.serial", knows("c"), { frames: true }),
  ];
  const target = { transport: "tcp", host: "h", port: 1 } as const;
  const refused = new FiscalError("E100", "Cannot connect to h:1: ECONNREFUSED");

  test("is asked by all drivers on one connection, which stays open while it is silent", async () => {
    environment = { ...environment, drivers: three };
    devices.set("h:1", (line, question) => {
      if (question === "custom.serial") line.write(Buffer.from("c"));
    });
    const { found } = await detect({ target });
    expect(found).toMatchObject([{ driver: "custom.serial" }]);
    expect(opened).toEqual(["h:1"]);
  });

  test("is connected to again, by the same driver, after it hung up without a word", async () => {
    environment = { ...environment, drivers: three };
    const hangUps = [1, 1, 1];
    devices.set("h:1", (line, question) => {
      if (hangUps.pop()) line.close();
      else if (question === "vendorE.zfp") line.write(Buffer.from("b"));
    });
    expect((await detect({ target })).found).toMatchObject([{ driver: "vendorE.zfp" }]);
    expect(opened).toHaveLength(4);
  });

  test("that refuses is tried four times in a second and a half, and told so", async () => {
    let attempts = 0;
    environment = {
      ...environment,
      drivers: three,
      openLine: () => {
        attempts += 1;
        return Promise.reject(refused);
      },
    };
    const { tried, tookMs } = await detect({ target });
    expect(tried).toMatchObject([{ outcome: "not_opened", reason: refused.message, probes: 0 }]);
    expect({ attempts, isBounded: tookMs <= 1_750 }).toEqual({ attempts: 4, isBounded: true });
  });

  test.each([
    ["h:1 is silent", (limitMs: number) => limitMs, 3_500 + 3 * 500],
    // Which the engine tells of an address that nobody has, as the system looks for it in vain.
    ["nobody has that address", (limitMs: number) => Math.min(3_000, limitMs), 3_000 + 3 * 500],
    ["there is no such host", () => 0, 0],
  ])("is asked once, in some seconds for all of them, where %s", async (reason, after, mostMs) => {
    const silent = new FiscalError("E101", reason);
    let attempts = 0;
    environment = {
      ...environment,
      drivers: [driver("vendorA.isl", knows("a"), { tcpPorts: [1, 2, 3, 4] })],
      openLine: (_, { connectTimeoutMs }) => {
        attempts += 1;
        return new Promise((_, reject) => {
          clock.setTimer(after(connectTimeoutMs), () => reject(silent));
        });
      },
    };
    const { tried, tookMs } = await detect({ target: { transport: "tcp", host: "h" } });
    const told = { outcome: "not_opened", reason, probes: 0 };
    expect(tried).toMatchObject([1, 2, 3, 4].map(() => told));
    expect({ attempts, isBounded: tookMs <= mostMs + 1_000 }).toEqual({
      ...{ attempts: 4, isBounded: true },
    });
  });

  test("that takes a connection and no other is told so", async () => {
    environment = {
      ...environment,
      drivers: three,
      openLine: (address) =>
        opened.length > 0 ? Promise.reject(refused) : Promise.resolve(lineTo(address)),
    };
    devices.set("h:1", (line) => line.close());
    const { tried } = await detect({ target });
    expect(tried).toMatchObject([{ outcome: "not_opened" }]);
    expect(tried[0]?.reason).toStartWith(
      "Cannot connect to h:1: ECONNREFUSED after it had taken a connection: ",
    );
  });
});

describe("an address in use", () => {
  const device = (orgId: string, address: string): RegisteredDevice => ({
    id: "dev_1",
    orgId,
    name: "Counter",
    managedBy: "builtin",
    transport: "serial",
    connectionParams: { address },
  });

  test("by a registered device is not touched, and the device is named to its owner", async () => {
    registered = [device("org1", "/dev/a?baud=9600")];
    const ask = async (orgId: string | undefined) => {
      const { tried } = await detect({ target: at("/dev/a"), orgId });
      return tried.map(({ outcome, reason, probes }) => `${outcome} ${probes} ${reason}`);
    };
    expect(await ask("org1")).toEqual(["in_use 0 The registered device Counter (dev_1) uses it"]);
    expect(await ask(undefined)).toEqual([
      "in_use 0 The registered device Counter (dev_1) uses it",
    ]);
    expect(await ask("org2")).toEqual(["in_use 0 Something else uses it"]);
    expect(opened).toEqual([]);
  });

  test("by a device that the asker names is not touched, whoever serves that", async () => {
    const named = { id: "dev_7", name: "Bar", ...{ transport: "serial" as const } };
    const asked = { target: at("/dev/a"), orgId: "org1" };
    const { tried } = await detect({
      ...asked,
      registered: [{ ...named, connectionParams: { address: "/dev/a?parity=even" } }],
    });
    expect(tried).toMatchObject([
      { outcome: "in_use", reason: "The registered device Bar (dev_7) uses it", probes: 0 },
    ]);
    expect(opened).toEqual([]);
  });

  test("by a device that is registered while the search goes on is not asked again", async () => {
    const drivers = [driver("vendorA.isl", knows("a")), driver("vendorB.isl", knows("b"))];
    environment = { ...environment, drivers };
    devices.set("/dev/a", () => {
      registered = [device("org1", "/dev/a")];
    });
    const { tried } = await detect({ target: at("/dev/a") });
    expect(tried).toMatchObject([{ outcome: "in_use", probes: 1 }]);
    expect(opened).toHaveLength(1);
  });

  test("by another program is not touched", async () => {
    portUsers.set("/dev/a", "minicom (process 12)");
    const { tried } = await detect({ target: at("/dev/a?baud=9600") });
    expect(tried).toMatchObject([{ outcome: "in_use", reason: "minicom (process 12) uses it" }]);
    expect(opened).toEqual([]);
  });

  test("at another controller is none of this machine's ports", async () => {
    registered = [{ ...device("org1", "/dev/a"), managedBy: "remote" }];
    devices.set("/dev/a", says("a"));
    expect((await detect({ target: at("/dev/a") })).found).toHaveLength(1);
  });
});

describe("a search", () => {
  test("asks at the ports of the drivers on a host, one after another", async () => {
    const judges: Judges = { one: knows("1"), two: knows("2") };
    environment = {
      ...environment,
      drivers: [
        driver("vendorA.isl", judges.one ?? knows(""), { tcpPorts: [3999, 9100], frames: true }),
        driver("vendorE.zfp", judges.two ?? knows(""), { tcpPorts: [8000, 9100] }),
      ],
    };
    devices.set("h:9100", says("1"));
    const { found, tried } = await detect({ target: { transport: "tcp", host: "h" } });
    expect(found).toMatchObject([
      { driver: "vendorA.isl", connectionParams: { host: "h", port: 9100 } },
    ]);
    expect(
      tried.map(({ connectionParams, outcome }) => ({ ...connectionParams, outcome })),
    ).toEqual([
      { host: "h", port: 3999, outcome: "silent" },
      { host: "h", port: 9100, outcome: "found" },
      { host: "h", port: 8000, outcome: "silent" },
    ]);
  });

  test("uses only the drivers that were named", async () => {
    environment = {
      ...environment,
      drivers: [driver("vendorA.isl", knows("a")), driver("vendorB.isl", knows("b"))],
    };
    devices.set("/dev/a", says("a"));
    expect((await detect({ target: at("/dev/a"), drivers: ["vendorB.isl"] })).found).toEqual([]);
  });

  test("says so when none of the drivers can look", async () => {
    const { detection: _detection, ...blind } = driver("vendorA.isl", knows("a"));
    environment = { ...environment, drivers: [blind] };
    expect((await detect({ target: at("/dev/a") })).tried).toMatchObject([
      { outcome: "not_tried", reason: "No driver can look there" },
    ]);
  });

  test("tells how far it is before each question", async () => {
    environment = {
      ...environment,
      drivers: [
        driver("vendorA.isl", knows("a"), { serialSettings: speeds(1_200, 2_400) }),
        driver("vendorB.isl", knows("b"), { serialSettings: speeds(1_200) }),
      ],
    };
    const steps: DetectionProgress[] = [];
    await detect({ target: at("/dev/a"), onProgress: (step) => steps.push(step) });
    expect(
      steps.map((step) => `${step.done}/${step.total} ${step.driver} ${addressText(step)}`),
    ).toEqual([
      "0/3 vendorA.isl /dev/a?baud=1200",
      "1/3 vendorB.isl /dev/a?baud=1200",
      "2/3 vendorA.isl /dev/a?baud=2400",
    ]);
  });

  test("tells of a device as soon as it answers, and once for its two ports", async () => {
    const paths = ["/dev/a", "/dev/b", "/dev/silent"];
    environment = { ...environment, listPorts: () => paths.map((path) => port(path)) };
    devices.set("/dev/a", says("a"));
    devices.set("/dev/b", says("a"));
    const begin = clock.now();
    const told: { readonly found: FoundDevice; readonly afterMs: number }[] = [];
    const { found, tookMs } = await detect({
      target: { transport: "serial" },
      onProgress(step) {
        if (step.found) told.push({ found: step.found, afterMs: clock.now() - begin });
      },
    });
    expect(told.map((one) => one.found)).toEqual([...found]);
    expect(found).toHaveLength(1);
    expect(tookMs - (told[0]?.afterMs ?? tookMs)).toBeGreaterThan(100);
  });

  test("asks at no more than sixteen addresses at a time", async () => {
    const paths = Array.from({ length: 40 }, (_, index) => `/dev/tty${index}`);
    environment = { ...environment, listPorts: () => paths.map((path) => port(path)) };
    let most = 0;
    const { openLine } = environment;
    environment = {
      ...environment,
      async openLine(address, options) {
        const line = await openLine(address, options);
        most = Math.max(most, open);
        return line;
      },
    };
    const { tried } = await detect({ target: { transport: "serial" } });
    expect(most).toBe(16);
    expect(new Set(tried.map(({ outcome }) => outcome))).toEqual(new Set(["silent"]));
    expect(tried).toHaveLength(40);
  });

  test("ends in time and says what it did not get to", async () => {
    const paths = Array.from({ length: 1_200 }, (_, index) => `/dev/tty${index}`);
    environment = { ...environment, listPorts: () => paths.map((path) => port(path)) };
    const { tried, tookMs } = await detect({ target: { transport: "serial" } });
    expect(tookMs).toBeLessThanOrEqual(DETECTION_LIMIT_MS + 250);
    const outcomes = Map.groupBy(tried, ({ outcome }) => outcome);
    expect([...outcomes.keys()].toSorted()).toEqual(["not_tried", "silent"]);
    expect(tried).toHaveLength(1_200);
  });

  test.each(["while a line is opened", "while a device is waited for"])(
    "ends at once %s when its caller goes",
    async (when) => {
      const hangUp = new AbortController();
      let late: ((line: Line) => void) | undefined;
      if (when === "while a line is opened") {
        environment = {
          ...environment,
          openLine: () =>
            new Promise((resolve) => {
              late = resolve;
            }),
        };
      }
      const search = detectDevices({ target: at("/dev/a"), signal: hangUp.signal }, environment);
      await clock.advanceAsync(500);
      hangUp.abort();
      await clock.advanceAsync(0);
      expect((await search).tried).toMatchObject([{ outcome: "not_tried" }]);
      late?.(lineTo({ ...at("/dev/a"), connectionParams: { address: "/dev/a" } }));
      await clock.advanceAsync(0);
      expect({ open, timers: clock.pendingTimers }).toEqual({ open: 0, timers: 0 });
    },
  );

  test("does not begin for a caller that is gone", async () => {
    const { tried } = await detect({ target: at("/dev/a"), signal: AbortSignal.abort() });
    expect(tried).toMatchObject([{ outcome: "not_tried" }]);
    expect(opened).toEqual([]);
  });

  test("gives drivers numbers that are no letters", async () => {
    const drawn: number[] = [];
    environment = {
      ...environment,
      random(bound) {
        drawn.push(bound);
        return bound - 1;
      },
      drivers: [
        {
          ...driver("vendorA.isl", knows("a")),
          connect(_line, { random }) {
            drawn.push(0x20 + random(0x60));
            return Promise.reject(LOST);
          },
        },
      ],
    };
    await detect({ target: at("/dev/a") });
    expect(drawn).toEqual([16, 0x2f]);
  });
});
