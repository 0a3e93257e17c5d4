/**
 * Detection at a real TCP server that takes one connection at a time, and for a second after each
 * refuses the next one or closes it at once, as printers on the network do.
 */

import { afterEach, describe, expect, test } from "bun:test";
import { createServer, type Server, type Socket } from "node:net";
import type { DetectionReport } from "#core/device/detection.ts";
import type { DriverId } from "#core/driver-id.ts";
import {
  encodeReply,
  RequestDecoder,
  type RequestEvent,
  STATUS_BYTES,
} from "#drivers/isl/frame.ts";
import { DRIVERS } from "#drivers/registry.ts";
import { openLine } from "#drivers/transport/index.ts";
import { systemClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { detectDevices } from "./detector.ts";

/** How long such a device needs before it takes the next connection. */
const PAUSE_MS = 1_000;
const IDENTITY = "0\tFP-700X\t1.00BG\t25OCT18\t1230\tFFFF\t00000000\tDT577430\t02577430\t";
/** The first two ask in vain, for two seconds each. */
const ASKED: readonly DriverId[] = ["vendorE.zfp", "custom.serial", "vendorA.isl"];

type Manner = "refuses" | "closes";

/** A printer of long ISL frames. */
class Printer {
  connections = 0;
  port = 0;
  readonly #manner: Manner;
  #server: Server | undefined;
  #socket: Socket | undefined;
  #isPausing = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(manner: Manner) {
    this.#manner = manner;
  }

  /** Begins in the pause after a connection that somebody else had. */
  async start(): Promise<void> {
    await this.#listen();
    this.#pause();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#socket?.destroy();
    this.#server?.close();
  }

  #listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      const server = createServer((socket) => this.#take(socket));
      this.#server = server;
      server.once("error", reject);
      server.listen(this.port, "127.0.0.1", () => {
        const address = server.address();
        this.port = typeof address === "object" && address ? address.port : 0;
        resolve();
      });
    });
  }

  #take(socket: Socket): void {
    socket.on("error", () => {});
    if (this.#isPausing || this.#socket) {
      socket.destroy();
      return;
    }
    this.connections += 1;
    this.#socket = socket;
    const decoder = new RequestDecoder("long");
    socket.on("data", (chunk) => {
      for (const event of decoder.push(Buffer.from(chunk))) this.#answer(event, socket);
    });
    socket.on("close", () => {
      this.#socket = undefined;
      this.#pause();
    });
  }

  #answer(event: RequestEvent, socket: Socket): void {
    if (event.kind !== "request") return;
    const { seq, command } = event;
    const data = Buffer.from(command === 90 ? IDENTITY : "-112000\t");
    const status = new Uint8Array(STATUS_BYTES.long).fill(0x80);
    socket.write(encodeReply("long", { seq, command, data, status }));
  }

  #pause(): void {
    this.#isPausing = true;
    if (this.#manner === "refuses") this.#server?.close();
    this.#timer = setTimeout(async () => {
      if (this.#manner === "refuses") await this.#listen();
      this.#isPausing = false;
    }, PAUSE_MS);
  }
}

const printers: Printer[] = [];
const servers: Server[] = [];
afterEach(() => {
  for (const printer of printers.splice(0)) printer.stop();
  for (const server of servers.splice(0)) server.close();
});

function detect(port: number): Promise<DetectionReport> {
  const { signal } = new AbortController();
  return detectDevices(
    { target: { transport: "tcp", host: "127.0.0.1", port }, drivers: ASKED, signal },
    {
      clock: systemClock,
      log: createLog({ level: "silent", clock: systemClock }),
      random: () => 0,
      drivers: [...DRIVERS.values()],
      openLine: (address) => openLine(address, systemClock),
      listPorts: () => [],
      addressKeys: () => Promise.resolve([]),
      portUser: () => undefined,
      registered: () => [],
    },
  );
}

describe("a device that takes one connection at a time", () => {
  test.each<Manner>(["refuses", "closes"])(
    "and %s the next one for a second is found on one connection",
    async (manner) => {
      const printer = new Printer(manner);
      printers.push(printer);
      await printer.start();
      const { found, tried } = await detect(printer.port);
      expect(found).toMatchObject([{ driver: "vendorA.isl", serialNumber: "DT577430" }]);
      expect(tried).toMatchObject([{ outcome: "found" }]);
      expect(printer.connections).toBe(1);
    },
  );

  test("and is in use for good is told so, and not that nothing answered", async () => {
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.destroy();
    });
    servers.push(server);
    const port = await new Promise<number>((resolve) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address();
        resolve(typeof address === "object" && address ? address.port : 0);
      });
    });
    const { found, tried } = await detect(port);
    expect(found).toEqual([]);
    expect(tried).toMatchObject([{ outcome: "silent" }]);
    expect(tried[0]?.reason).toMatch(/closed \d+ connections .* in use by another program/);
  });
});
