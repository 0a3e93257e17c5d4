import { expect, test } from "bun:test";
import type { PortLine } from "#drivers/simulator/port/port.ts";
import { DEADLINE_MS } from "#src/platform/testing/deadline.ts";
import { bitsOf, type LineSettings, PacedLine } from "./paced-line.ts";

const EIGHT_N_ONE: LineSettings = {
  baudRate: 115_200,
  dataBits: 8,
  hasParity: false,
  stopBits: 1,
};
const BYTE_MS = 10_000 / 115_200;

/** A device that answers everything it hears with as many bytes. */
async function echoing(line: PacedLine): Promise<void> {
  await line.openPort({
    setTimer: () => () => undefined,
    connect: (port: PortLine) => (chunk) => port.send(chunk),
  });
}

/** Writes bytes and waits until as many came back. @returns when each of them came */
async function exchange(line: PacedLine, bytes: Uint8Array): Promise<number[]> {
  const host = line.host();
  const arrivals: number[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => reject(new Error("no answer")), DEADLINE_MS);
  host.listen({
    data(chunk) {
      for (const _ of chunk) arrivals.push(performance.now());
      if (arrivals.length === bytes.length) resolve();
    },
    closed: reject,
  });
  host.write(bytes);
  await promise;
  clearTimeout(timer);
  return arrivals;
}

test.each([
  [EIGHT_N_ONE, 10],
  [{ ...EIGHT_N_ONE, dataBits: 7, hasParity: true } as const, 10],
  [{ ...EIGHT_N_ONE, hasParity: true } as const, 11],
  [{ ...EIGHT_N_ONE, stopBits: 2 } as const, 11],
])("a byte at %p takes %d bits", (settings, bits) => {
  expect(bitsOf(settings)).toBe(bits);
});

test("no byte arrives before its time on the line", async () => {
  const line = new PacedLine(EIGHT_N_ONE);
  await echoing(line);
  const begin = performance.now();
  const arrivals = await exchange(line, new Uint8Array(40));
  // The first byte comes back when it has gone both ways, each further one a byte's time later.
  for (const [index, at] of arrivals.entries()) {
    expect(at - begin).toBeGreaterThanOrEqual((index + 2) * BYTE_MS);
  }
});

test("the line's use adds up to the whole span where the ends take turns", async () => {
  const line = new PacedLine(EIGHT_N_ONE);
  let heard = 0;
  await line.openPort({
    setTimer: () => () => undefined,
    connect: (port) => (chunk) => {
      heard += chunk.length;
      if (heard === 20) port.send(new Uint8Array(20));
    },
  });
  await exchange(line, new Uint8Array(20));
  const { bytes, turns, spanMs, wireMs, waitedForMs } = line.use;
  expect([bytes, turns]).toEqual([40, 1]);
  expect(wireMs).toBeCloseTo(40 * BYTE_MS, 6);
  expect(waitedForMs.host).toBe(0);
  expect(waitedForMs.device).toBeGreaterThan(0);
  expect(wireMs + waitedForMs.device).toBeCloseTo(spanMs, 6);
});
