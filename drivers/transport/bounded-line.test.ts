/** Devices that send without end, over real sockets; the event loop is measured in its turns. */

import { afterEach, describe, expect, test } from "bun:test";
import { FiscalError } from "#core/errors.ts";
import { DRIVERS } from "../registry.ts";
import { FakeEnvironment } from "../testing/fake-environment.ts";
import { boundedLine, TURN_BYTES_MAX, UNASKED_BYTES_MAX } from "./bounded-line.ts";
import { openLine } from "./index.ts";
import { memoryLinePair } from "./memory.ts";

/** Sends what it is given on the command line, again and again, as fast as it is taken. */
const FLOOD = `
  const block = Buffer.alloc(1 << 20, Buffer.from(process.argv[1], "hex"));
  const server = require("node:net").createServer((socket) => {
    socket.on("error", () => {});
    const send = () => { while (socket.writable && socket.write(block)); };
    socket.on("drain", send);
    send();
  });
  server.listen(0, "127.0.0.1", () => console.log(server.address().port));
`;

const children: { kill(): void }[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill();
});

/** A process of its own that floods whoever connects. @returns its port */
async function flood(hex: string): Promise<number> {
  const child = Bun.spawn([process.execPath, "-e", FLOOD, hex], { stdout: "pipe" });
  children.push(child);
  const { value } = await child.stdout.getReader().read();
  return Number(new TextDecoder().decode(value));
}

const setTimer = (ms: number, callback: () => void) => {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
};
const open = (port: number) =>
  openLine({ transport: "tcp", connectionParams: { host: "127.0.0.1", port } }, { setTimer });

/** Noise, frames that begin and never end, signs that the device is busy, refusals. */
const FLOODS = ["41", "0141", "16", "15", "0e", "02", "06"];

describe("a line that is flooded", () => {
  test.each(FLOODS)("with %s takes its share of each turn, and is given up", async (hex) => {
    const line = await open(await flood(hex));
    let bytes = 0;
    let inTurn = 0;
    let most = 0;
    let isOver = false;
    const lost = new Promise<Error>((closed) => {
      line.listen({
        data(chunk) {
          bytes += chunk.length;
          inTurn += chunk.length;
          most = Math.max(most, inTurn);
        },
        closed,
      });
    });
    const turn = () => {
      inTurn = 0;
      if (!isOver) setImmediate(turn);
    };
    turn();
    const error = await lost;
    isOver = true;
    expect(error).toMatchObject({ code: "E102" });
    expect(error.message).toContain("floods the line");
    expect(most).toBeLessThanOrEqual(TURN_BYTES_MAX);
    expect(bytes).toBeLessThanOrEqual(UNASKED_BYTES_MAX);
    line.close();
  });

  test.each([...DRIVERS.keys()])("is a fault of the line to %s", async (id) => {
    const driver = DRIVERS.get(id);
    const line = await open(await flood("0141"));
    const told = await driver
      ?.connect(line, new FakeEnvironment())
      .catch((error: unknown) => error);
    expect(told).toBeInstanceOf(FiscalError);
    // Which of the two depends on what comes first: the driver's next question, or 64 KiB.
    expect(["E101", "E102"]).toContain(told instanceof FiscalError ? told.code : "");
    line.close();
  });
});

describe("a bounded line", () => {
  const turns = async (count: number) => {
    for (let turn = 0; turn < count; turn += 1) await new Promise((next) => setImmediate(next));
  };

  test("carries what a device answers, however much that is in all", async () => {
    const [host, device] = memoryLinePair();
    const line = boundedLine(host);
    let heard = 0;
    let isLost = false;
    line.listen({
      data: (chunk) => {
        heard += chunk.length;
      },
      closed: () => {
        isLost = true;
      },
    });
    const answer = new Uint8Array(60_000);
    device.listen({ data: () => device.write(answer), closed() {} });
    for (let asked = 1; asked <= 5; asked += 1) {
      line.write(Uint8Array.of(5));
      await turns(40);
      expect({ asked, heard, isLost }).toEqual({ asked, heard: asked * 60_000, isLost: false });
    }
  });

  test("tells of its end after all that came before it, and once", async () => {
    const [host, device] = memoryLinePair();
    const line = boundedLine(host);
    const told: (number | string)[] = [];
    line.listen({
      data: (chunk) => told.push(chunk.length),
      closed: () => told.push("closed"),
    });
    device.write(new Uint8Array(TURN_BYTES_MAX + 10));
    device.close();
    await turns(4);
    expect(told).toEqual([TURN_BYTES_MAX, 10, "closed"]);
  });

  test("says nothing after it was closed", async () => {
    const [host, device] = memoryLinePair();
    const line = boundedLine(host);
    const told: unknown[] = [];
    line.listen({
      data: (chunk) => {
        told.push(chunk.length);
        line.close();
      },
      closed: () => told.push("closed"),
    });
    device.write(new Uint8Array(3 * TURN_BYTES_MAX));
    await turns(6);
    expect(told).toEqual([TURN_BYTES_MAX]);
  });
});
