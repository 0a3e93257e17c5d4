import { afterEach, describe, expect, test } from "bun:test";
import { createServer, type Server, type Socket } from "node:net";
import type { DriverEnvironment, Line } from "#core/driver.ts";
import { openLine } from "./index.ts";
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
