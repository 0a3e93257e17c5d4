/**
 * The gateway's own certificate over the years: made anew by itself at two thirds of its time, by the
 * same authority, while connections go on. Real sockets, and a clock that jumps.
 */

import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { connect, type TLSSocket } from "node:tls";
import { startApp } from "../app/runtime.ts";
import { loadConfig } from "../config/load-config.ts";
import { FakeClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { Box } from "./harness/box.ts";
import { until } from "./harness/until.ts";

const DAY_MS = 86_400_000;
/** Of 397 days, and a day that it is backdated. */
const TWO_THIRDS_MS = (397 * 2 * DAY_MS) / 3 - DAY_MS;
const LOOK_MS = 10_000;

/** A connection that was accepted, and the fingerprint that it was shown. */
interface Connected {
  readonly socket: TLSSocket;
  readonly fingerprint: string;
}

/** Connects, and checks the certificate. @throws the reason why it is refused */
function connected(port: number, ca: string): Promise<Connected> {
  const { promise, resolve, reject } = Promise.withResolvers<Connected>();
  const socket = connect({ host: "127.0.0.1", port, ca });
  socket.on("error", reject);
  socket.on("secureConnect", () => {
    resolve({ socket, fingerprint: socket.getPeerCertificate().fingerprint256 });
  });
  return promise;
}

/** Asks on a connection that stays. @returns the first line of the answer */
function ask({ socket }: Connected): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  socket.once("data", (data) => resolve(data.toString("latin1").split("\r\n")[0] ?? ""));
  socket.write("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n");
  return promise;
}

test("a certificate of the own authority is renewed at two thirds, and running connections go on", async () => {
  const box = new Box();
  mkdirSync(box.stateDir);
  // So long ago that what is renewed is valid by the machine's clock too, which clients check with.
  const clock = new FakeClock(Date.now() - 300 * DAY_MS);
  const lines: string[] = [];
  const log = createLog({ level: "info", clock, sink: { write: (line) => lines.push(line) } });
  const flags = new Map([
    ["state.dir", box.stateDir],
    ["http.listen", "127.0.0.1:0"],
    ["https.listen", "127.0.0.1:0"],
    ["https.certificate", "own"],
  ] as const);
  const { config } = loadConfig({ flags, file: undefined }, { environment: {}, pid: process.pid });
  const app = await startApp(config, { version: "0.0.0-test", log, clock });
  const sockets: TLSSocket[] = [];
  try {
    const port = await until("the port", () => {
      const line = lines.find((each) => each.includes("listening with TLS"));
      return line === undefined ? undefined : Number(/https:\/\/[^:"]*:(\d+)/.exec(line)?.[1]);
    });
    const caOf = async () => (await fetch(`${app.url}/ca.pem`)).text();
    const ca = await caOf();
    const open = async () => {
      const connection = await connected(port, ca);
      sockets.push(connection.socket);
      return connection;
    };
    const first = await open();
    expect(await ask(first)).toContain("200");

    // A moment before its time nothing happens, nor where the clock is set to 1970.
    const madeAt = clock.now();
    const made = () => lines.filter((line) => line.includes("certificate made")).length;
    for (const instant of [0, madeAt + TWO_THIRDS_MS - 2 * LOOK_MS]) {
      clock.jumpTo(instant);
      await clock.advanceAsync(LOOK_MS);
      expect(await ask(first)).toContain("200");
    }
    expect([made(), (await open()).fingerprint]).toEqual([1, first.fingerprint]);

    clock.jumpTo(madeAt + TWO_THIRDS_MS);
    await clock.advanceAsync(LOOK_MS);
    await until("the renewal", () => made() === 2);
    // The same connection as before the renewal.
    expect(await ask(first)).toContain("200");
    const second = await until("the new certificate", async () => {
      const now = await open();
      return now.fingerprint === first.fingerprint ? undefined : now;
    });
    expect(await ask(second)).toContain("200");
    // Whoever trusts the authority is not asked again.
    expect(await caOf()).toBe(ca);
    expect(second.socket.authorized).toBe(true);
  } finally {
    for (const socket of sockets) socket.destroy();
    const stopping = app.stop();
    await clock.advanceAsync(60_000);
    await stopping;
    await box.clear();
  }
});
