import { afterEach, describe, expect, test } from "bun:test";
import { createServer, type Server, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import type { DriverEnvironment, Line } from "#core/driver.ts";
import { boundedLine } from "./bounded-line.ts";
import { openLine } from "./index.ts";
import { isLeftAt } from "./left-connections.ts";
import { openTcp } from "./tcp.ts";

const setTimer: DriverEnvironment["setTimer"] = (ms, callback) => {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
};

const servers: Server[] = [];
const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

/** A server that does as told with each connection. */
function serve(connected: (socket: Socket) => void): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer((socket) => {
      sockets.push(socket);
      socket.on("error", () => {});
      connected(socket);
    });
    servers.push(server);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : 0);
    });
  });
}

function firstChunk(line: Line): Promise<string> {
  return new Promise((resolve, reject) => {
    line.listen({ data: (chunk) => resolve(Buffer.from(chunk).toString()), closed: reject });
  });
}

function loss(line: Line): Promise<Error> {
  return new Promise((resolve) => {
    line.listen({ data() {}, closed: resolve });
  });
}

describe("a TCP line", () => {
  test("carries bytes both ways", async () => {
    const port = await serve((socket) => socket.on("data", (data) => socket.write(data)));
    const line = await openTcp({ host: "127.0.0.1", port }, { setTimer });
    const echoed = firstChunk(line);
    line.write(Buffer.from("ping"));
    expect(await echoed).toBe("ping");
    line.close();
  });

  test("is cut when the device takes nothing of what is sent", async () => {
    const port = await serve((socket) => socket.pause());
    const line = await openTcp({ host: "127.0.0.1", port }, { setTimer });
    const lost = loss(line);
    const part = Buffer.alloc(1_048_576);
    // The machine's own buffers take some of it first.
    for (let sent = 0; sent < 32; sent += 1) line.write(part);
    expect(await lost).toMatchObject({ code: "E102" });
    line.close();
  });

  test("keeps what came before anybody listened", async () => {
    let arrived = () => {};
    const sent = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const port = await serve((socket) => socket.write("early", () => arrived()));
    const line = await openTcp({ host: "127.0.0.1", port }, { setTimer });
    await sent;
    expect(await firstChunk(line)).toBe("early");
    line.close();
  });

  test("tells once, with E102, that the device hung up, even to a late listener", async () => {
    const port = await serve((socket) => socket.destroy());
    const line = await openTcp({ host: "127.0.0.1", port }, { setTimer });
    expect(await loss(line)).toMatchObject({ code: "E102" });
    expect(await loss(line)).toMatchObject({ code: "E102" });
    line.write(Buffer.from("nobody hears this"));
    line.close();
    line.close();
  });

  test("is refused with E100 where nobody listens", async () => {
    const port = await serve(() => {});
    await new Promise<void>((resolve) => {
      servers.pop()?.close(() => resolve());
    });
    const opened = openTcp({ host: "127.0.0.1", port }, { setTimer });
    expect(await opened.catch((error: unknown) => error)).toMatchObject({ code: "E100" });
  });

  test("is not found with E103 where there is no such host", async () => {
    const opened = openTcp({ host: "no-such-host.invalid", port: 1 }, { setTimer });
    expect(await opened.catch((error: unknown) => error)).toMatchObject({ code: "E103" });
  });

  test("times out with E101 when the limit is over before it is connected", async () => {
    // The timer fires at once: whatever the network does, it is too late.
    const opened = openTcp(
      { host: "127.0.0.1", port: await serve(() => {}) },
      {
        setTimer: (_ms, callback) => {
          callback();
          return () => {};
        },
      },
    );
    expect(await opened.catch((error: unknown) => error)).toMatchObject({ code: "E101" });
  });
});

/** More than a machine's buffers give to a device that does not read, less than a line may keep. */
const STALLED_BYTES = 3_900_000;

/** A device whose network stalls: it reads nothing until it is told to. */
async function stalledDevice() {
  const met = Promise.withResolvers<Socket>();
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) => {
    sockets.push(socket);
    met.resolve(socket);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const line = await openTcp({ host: "127.0.0.1", port }, { setTimer });
  const socket = await met.promise;
  return {
    line,
    socket,
    /** Reads on. @returns how many bytes came, and how the connection ended */
    hear: () =>
      new Promise<{ bytes: number; end: string }>((resolve) => {
        let bytes = 0;
        socket.on("data", (chunk) => {
          bytes += chunk.length;
        });
        socket.on("end", () => resolve({ bytes, end: "in order" }));
        socket.on("error", () => resolve({ bytes, end: "reset" }));
        socket.resume();
      }),
  };
}

describe("what a TCP line has not delivered", () => {
  test("never arrives once it is closed", async () => {
    const { line, hear } = await stalledDevice();
    line.write(Buffer.alloc(STALLED_BYTES));
    line.close();
    const heard = await hear();
    expect(heard.end).toBe("reset");
    expect(heard.bytes).toBeLessThan(STALLED_BYTES);
  });

  test("never arrives once the device has hung up", async () => {
    const { line, socket, hear } = await stalledDevice();
    const lost = loss(line);
    line.write(Buffer.alloc(STALLED_BYTES));
    socket.end();
    await lost;
    const heard = await hear();
    expect(heard.end).toBe("reset");
    expect(heard.bytes).toBeLessThan(STALLED_BYTES);
  });
});

/** A gateway that has sent more than the device takes. */
const SENDER = `
import { connect } from "node:net";
const [, host, port] = process.argv;
const socket = connect({ host, port: Number(port) }, () => {
  socket.write(Buffer.alloc(${STALLED_BYTES}));
  console.log("sent");
});
`;

/** This machine's own addresses, of each kind that it has. */
const OWN = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .filter(({ internal }) => internal)
  .map(({ address }) => address);

describe("what a killed gateway has sent", () => {
  /** A device that takes several lines and reads none of them. */
  async function busyDevice(host: string) {
    const met: Socket[] = [];
    const server = createServer({ pauseOnConnect: true }, (socket) => {
      sockets.push(socket);
      socket.on("error", () => {});
      met.push(socket);
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    const address = server.address();
    const port = typeof address === "object" && address ? address.port : 0;
    return {
      port,
      open: () => openTcp({ host, port }, { setTimer }),
      /** @returns reads what it had sent, to its end */
      async killGateway(): Promise<() => Promise<void>> {
        const killed = Bun.spawn([process.execPath, "-e", SENDER, host, String(port)], {
          stdout: "pipe",
        });
        await killed.stdout.getReader().read();
        killed.kill("SIGKILL");
        await killed.exited;
        const old = met.at(-1);
        if (!old) throw new Error("it was not connected");
        return async () => {
          const arrived = new Promise<void>((resolve) => old.on("end", resolve));
          old.resume();
          await arrived;
        };
      },
    };
  }

  test.each(OWN)("keeps the next line to %s from opening until it has arrived", async (host) => {
    const { open, killGateway } = await busyDevice(host);
    const hear = await killGateway();
    expect(await open().catch((error: unknown) => error)).toMatchObject({ code: "E101" });
    await hear();
    (await open()).close();
  });

  test.each(OWN)("is told of where %s is another address of the printer", async (host) => {
    const { port, killGateway } = await busyDevice(host);
    const { port: other } = await busyDevice(host);
    const hear = await killGateway();
    expect([[port], [other, port], [other], []].map((ports) => isLeftAt(ports))).toEqual([
      ...[true, true, false, false],
    ]);
    await hear();
    expect(isLeftAt([port])).toBe(false);
  });

  test.each(OWN)("is told of by a line to %s that was open before", async (host) => {
    const { open, killGateway } = await busyDevice(host);
    const line = boundedLine(await open());
    line.lookBehind?.();
    const hear = await killGateway();
    expect(() => line.lookBehind?.()).toThrow("Waiting until");
    await hear();
    line.lookBehind?.();
    line.close();
  });
});

describe("the own port of a TCP line", () => {
  type Device = Awaited<ReturnType<typeof calledDevice>>;

  /** A device that tells where it was called from. */
  async function calledDevice() {
    let met = (_ownPort: number) => {};
    const listen = (port: number) =>
      new Promise<Server>((resolve) => {
        const server = createServer((socket) => {
          sockets.push(socket);
          socket.on("error", () => {});
          met(socket.remotePort ?? 0);
        });
        servers.push(server);
        server.listen(port, "127.0.0.1", () => resolve(server));
      });
    const server = await listen(0);
    const address = server.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const open = () => openTcp({ host: "127.0.0.1", port }, { setTimer });
    return {
      open,
      /** Opens a line that is reset on its way. @returns its own port */
      async callInVain(): Promise<number> {
        const called = new Promise<number>((resolve) => {
          met = resolve;
        });
        const line = await open();
        const lost = loss(line);
        const ownPort = await called;
        sockets.at(-1)?.resetAndDestroy();
        expect(await lost).toMatchObject({ code: "E102" });
        return ownPort;
      },
      /** Opens a line and closes it. @returns its own port */
      async call(): Promise<number> {
        const called = new Promise<number>((resolve) => {
          met = resolve;
        });
        const line = await open();
        const ownPort = await called;
        line.close();
        return ownPort;
      },
      switchOff: () => new Promise<void>((resolve) => server.close(() => resolve())),
      switchOn: () => listen(port),
    };
  }

  /**
   * A device, and an own port that its line has had. The system gives one port to several connections
   * that lead elsewhere, as all that tests make on this machine: a port that somebody else has too
   * cannot be had again, so another device is called then.
   * @param use ends a line with the device @returns its own port
   */
  async function alone(use: (device: Device) => Promise<number>) {
    for (const _ of Array.from({ length: 100 })) {
      const device = await calledDevice();
      const ownPort = await use(device);
      if (await isNobodys(ownPort)) return { ...device, ownPort };
    }
    throw new Error("each own port was somebody else's too");
  }

  async function isNobodys(port: number): Promise<boolean> {
    const server = createServer();
    const isHeld = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false));
      server.listen(port, "0.0.0.0", () => resolve(true));
    });
    if (isHeld) await new Promise((resolve) => server.close(resolve));
    return isHeld;
  }

  test("is that of the line before, which the device then ends if it still has it", async () => {
    const { call, ownPort } = await alone((device) => device.call());
    expect([await call(), await call()]).toEqual([ownPort, ownPort]);
  });

  test("is that of the line before where that ended in an error", async () => {
    const { call, ownPort } = await alone((device) => device.callInVain());
    expect(await call()).toBe(ownPort);
  });

  test("is another one when somebody has taken it since", async () => {
    const { call, ownPort } = await alone((device) => device.call());
    const taken = createServer();
    servers.push(taken);
    await new Promise<void>((resolve) => taken.listen(ownPort, "127.0.0.1", resolve));
    expect(await call()).not.toBe(ownPort);
  });

  test("is another one at every other attempt, should the device not answer to it", async () => {
    const { call, ownPort } = await alone(async (device) => {
      const first = await device.call();
      await device.switchOff();
      const refused = await device.open().catch((error: unknown) => error);
      expect(refused).toMatchObject({ code: "E100" });
      await device.switchOn();
      const second = await device.call();
      expect(second).not.toBe(first);
      return second;
    });
    expect(await call()).toBe(ownPort);
  });
});

describe("opening a line", () => {
  test.each([
    ["serial", "/dev/there-is-no-such-port", "E103"],
    ["serial", "/dev/ttyS0?baud=fast", "E103"],
    ["bluetooth", "nonsense", "E103"],
  ] as const)("to %s %s fails with %s", async (transport, address, code) => {
    const device = { transport, connectionParams: { address } };
    const opened = openLine(device, { setTimer });
    expect(await opened.catch((error: unknown) => error)).toMatchObject({ code });
  });

  test.each(["serial", "bluetooth"] as const)("needs an address for %s", async (transport) => {
    const device = { transport, connectionParams: { host: "printer", port: 1 } };
    const opened = openLine(device, { setTimer });
    expect(await opened.catch((error: unknown) => error)).toMatchObject({ code: "E103" });
  });

  test("needs a host and a port for tcp", async () => {
    const device = { transport: "tcp", connectionParams: { address: "x" } } as const;
    const opened = openLine(device, { setTimer });
    expect(await opened.catch((error: unknown) => error)).toMatchObject({ code: "E103" });
  });
});
