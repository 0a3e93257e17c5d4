import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { until } from "../e2e/harness/until.ts";
import { systemClock } from "../platform/clock.ts";
import { createLog, silentLog } from "../platform/log.ts";
import { publicRoutes } from "./access.ts";
import { isLoopback } from "./client-address.ts";
import { ConnectionLimits, totalConnectionsMax } from "./connection-limits.ts";
import { type RunningHttp, startHttp } from "./listen.ts";
import { bareServer } from "./testing/bare-server.ts";

describe("a port", () => {
  const PER_ADDRESS_MAX = 8;
  let lines: string[];
  let http: RunningHttp;
  const sockets: Socket[] = [];

  function start(isExempt: (address: string) => boolean): void {
    const app = bareServer({
      groups: [publicRoutes("Test").get("/open", () => ({ open: true }))],
    });
    const log = createLog({
      level: "info",
      clock: systemClock,
      sink: { write: (line) => lines.push(line) },
    });
    const connections = { perAddressMax: PER_ADDRESS_MAX, isExempt, log };
    http = startHttp(app, { hostname: "127.0.0.1", port: 0, clock: systemClock, connections });
  }

  beforeEach(() => {
    lines = [];
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await http.stop(0);
  });

  /** A connection that begins a request and never ends it. */
  function hold(localAddress: string): Promise<Socket> {
    const port = Number(new URL(http.url).port);
    return new Promise((resolve, reject) => {
      const socket = connect({ host: "127.0.0.1", port, localAddress }, () => {
        socket.write("GET /api/v1/open HTTP/1.1\r\nHost: x\r\n");
        resolve(socket);
      });
      socket.on("error", reject);
      sockets.push(socket);
    });
  }
  const holdMany = async (count: number, localAddress: string): Promise<Socket[]> => {
    const held: Socket[] = [];
    for (let index = 0; index < count; index++) held.push(await hold(localAddress));
    return held;
  };
  const areOpen = (held: readonly Socket[]) => held.map((socket) => !socket.closed);
  const surplusEnds = (held: readonly Socket[]) =>
    until("the surplus is ended", () => {
      const open = areOpen(held).filter((isOpen) => isOpen);
      return open.length === PER_ADDRESS_MAX || undefined;
    });

  test("ends what one address holds too many of, the last that came, and no other's", async () => {
    start(() => false);
    const other = await holdMany(PER_ADDRESS_MAX, "127.0.0.3");
    const held = await holdMany(PER_ADDRESS_MAX + 5, "127.0.0.2");
    await surplusEnds(held);
    expect(areOpen(held)).toEqual(held.map((_, index) => index < PER_ADDRESS_MAX));
    expect(areOpen(other)).not.toContain(false);
    const [line = "{}"] = lines;
    expect(JSON.parse(line)).toMatchObject({
      msg: "too many connections ended",
      address: "127.0.0.2",
    });
    // What was let in goes on as if nothing had been.
    const answer = await new Promise((resolve) => {
      held[0]?.once("data", (chunk) => resolve(String(chunk).split("\r\n")[0]));
      held[0]?.write("\r\n");
    });
    expect(answer).toBe("HTTP/1.1 200 OK");
  });

  test("lets an exempt address hold more", async () => {
    start((address) => address === "127.0.0.2");
    const exempt = await holdMany(2 * PER_ADDRESS_MAX, "127.0.0.2");
    const held = await holdMany(PER_ADDRESS_MAX + 1, "127.0.0.3");
    await surplusEnds(held);
    expect(areOpen(exempt)).not.toContain(false);
  });
});

describe("all connections together", () => {
  const ended: string[] = [];
  let counts: Record<string, number>;
  const limits = new ConnectionLimits({
    connections: {
      list: () =>
        Object.entries(counts).flatMap(([address, count]) =>
          Array.from({ length: count }, (_, index) => ({
            id: `${address} ${index}`,
            address,
            descriptor: index,
          })),
        ),
      end: ({ id }) => ended.push(id),
    },
    perAddressMax: 50,
    totalMax: 100,
    isExempt: isLoopback,
    clock: { elapsed: () => 0 },
    log: silentLog,
  });
  /** How many are ended of each address. */
  const sweep = (change: Record<string, number>): Record<string, number> => {
    ended.length = 0;
    counts = change;
    limits.sweep();
    return Object.fromEntries(
      Object.keys(change).map((address) => [
        address,
        ended.filter((id) => id.startsWith(`${address} `)).length,
      ]),
    );
  };

  test("keep within the total: who holds most gives way", () => {
    const few = { "10.0.0.1": 10, "10.0.0.2": 40, "10.0.0.3": 40 };
    expect(sweep(few)).toEqual({ "10.0.0.1": 0, "10.0.0.2": 0, "10.0.0.3": 0 });
    const many = { "10.0.0.1": 10, "10.0.0.2": 50, "127.0.0.1": 300 };
    expect(sweep(many)).toEqual({ "10.0.0.1": 0, "10.0.0.2": 5, "127.0.0.1": 255 });
  });

  test("count an IPv6 network as one address", () => {
    const counted = sweep({ "2001:db8:0:0:0:0:0:1": 40, "2001:db8:0:0:0:0:0:2": 40 });
    expect(Object.values(counted)).toEqual([0, 30]);
  });

  test("stay below the descriptors there are", () => {
    expect([undefined, 524_288, 1_024, 256].map(totalConnectionsMax)).toEqual([
      4_096, 4_096, 768, 128,
    ]);
  });
});
