import { expect, test } from "bun:test";
import { rejection } from "#src/platform/testing/rejection.ts";
import type { PortLine } from "../simulator/port/port.ts";
import { SimulatedTime } from "./simulated-time.ts";
import { TcpWire } from "./tcp-wire.ts";

const START = Date.UTC(2026, 0, 1);
const HOUR_MS = 3_600_000;

test("time jumps from timer to timer while nothing else happens", async () => {
  const time = new SimulatedTime(START);
  const woken: number[] = [];
  const sleeper = async (ms: number) => {
    await time.sleep(ms);
    woken.push(time.now() - START);
  };
  await time.run(Promise.all([sleeper(HOUR_MS), sleeper(5), sleeper(24 * HOUR_MS)]));
  expect(woken).toEqual([5, HOUR_MS, 24 * HOUR_MS]);
});

test("time stands still while a call is answered", async () => {
  const time = new SimulatedTime(START);
  using server = Bun.serve({ port: 0, fetch: async (request) => new Response(request.body) });
  const seen: number[] = [];
  time.clock.setTimer(1, () => seen.push(-1));
  await time.run(
    time.standing(async () => {
      for (let call = 0; call < 5; call++) {
        await (await fetch(server.url, { method: "POST", body: "x" })).text();
        seen.push(time.now() - START);
      }
    }),
  );
  expect(seen).toEqual([0, 0, 0, 0, 0]);
});

test("a run fails when what is waited for cannot come", async () => {
  const time = new SimulatedTime(START);
  const never = new Promise<void>(() => undefined);
  expect((await rejection(time.run(never))).message).toContain("nothing will ever happen again");
});

test("a run fails with what failed in the background", async () => {
  const time = new SimulatedTime(START);
  time.clock.setTimer(HOUR_MS, () => time.inBackground(Promise.reject(new Error("printer fire"))));
  expect((await rejection(time.run(time.sleep(2 * HOUR_MS)))).message).toContain("printer fire");
});

/** A device that answers each chunk with two bytes, and what it was connected by. */
async function switchOn(wire: TcpWire) {
  const lines: PortLine[] = [];
  const port = await wire.openPort({
    setTimer: () => () => undefined,
    connect(line) {
      lines.push(line);
      return () => line.send(new Uint8Array(2));
    },
  });
  return { port, lines };
}

function connect(wire: TcpWire) {
  return wire.openLine(() => () => undefined);
}

test("time stands still while bytes, or the end of a connection, are on their way", async () => {
  const time = new SimulatedTime(START);
  const wire = new TcpWire();
  time.watch(wire);
  const { port, lines } = await switchOn(wire);
  const line = await connect(wire);
  let heard = 0;
  let ends = 0;
  line.listen({
    data(chunk) {
      heard += chunk.length;
      expect(time.now()).toBe(START);
    },
    closed() {
      ends += 1;
      expect(time.now()).toBe(START + HOUR_MS);
    },
  });
  line.write(new Uint8Array(3));
  expect(wire.isQuiet).toBe(false);
  await time.run(time.sleep(HOUR_MS));
  expect([heard, wire.bytes, wire.isQuiet]).toEqual([2, 5, true]);

  lines[0]?.cut();
  expect(wire.isQuiet).toBe(false);
  await time.run(time.sleep(1));
  expect([ends, wire.isQuiet]).toEqual([1, true]);
  await port.stop();
});

test("a host that was turned away leaves nothing on its way", async () => {
  const time = new SimulatedTime(START);
  const wire = new TcpWire();
  time.watch(wire);
  const { port } = await switchOn(wire);
  port.interrupt();
  const line = await connect(wire);
  const ended = new Promise<Error>((resolve) => {
    line.listen({ data: () => undefined, closed: resolve });
  });
  await time.run(time.sleep(1));
  expect(await ended).toBeInstanceOf(Error);
  expect(wire.isQuiet).toBe(true);
  await port.stop();
});
