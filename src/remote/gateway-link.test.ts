import { afterEach, beforeEach, expect, test } from "bun:test";
import type { ServerWebSocket } from "bun";
import type { ToController } from "#core/controller/messages.ts";
import type { TraceEntry } from "#core/device/trace.ts";
import { until } from "../e2e/harness/until.ts";
import { FakeClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { createAuthority, issueCertificate } from "../tls/authority.ts";
import { GatewayLink } from "./gateway-link.ts";
import { gatewayPlace } from "./gateway-place.ts";
import { refusalOf } from "./gateway-requests.ts";

const WELCOME: ToController = {
  ...{ type: "welcome", controllerId: "tablet", devices: [], heartbeatSeconds: 15 },
};

/** A gateway's end. It says nothing unless told to. */
let server: Bun.Server<undefined>;
/** What refuses the handshakes; undefined takes them. */
let refusal: (() => Response) | undefined;
let requests: Request[];
let sockets: ServerWebSocket<undefined>[];
let heard: string[];
let clock: FakeClock;
let lines: string[];
let told: ToController[];
let link: GatewayLink;

beforeEach(() => {
  [requests, sockets, heard, lines, told] = [[], [], [], [], []];
  refusal = undefined;
  clock = new FakeClock();
  server = Bun.serve({
    ...{ hostname: "127.0.0.1", port: 0 },
    fetch(request, self) {
      requests.push(request);
      const isSocket = request.headers.has("upgrade");
      if (refusal) return refusal();
      if (isSocket && self.upgrade(request)) return undefined;
      return Response.json({ error: { code: "BAD_REQUEST", message: "x" } }, { status: 400 });
    },
    websocket: {
      open: (socket) => void sockets.push(socket),
      message: (_, text) => void heard.push(String(text)),
    },
  });
  link = new GatewayLink({
    place: gatewayPlace({
      url: new URL(`ws://127.0.0.1:${server.port}/`),
      ...{ key: "fdk_x", controllerId: "tablet", about: { name: "Bar" } },
    }),
    clock,
    log: createLog({ level: "info", clock, sink: { write: (text) => lines.push(text) } }),
    random: () => 0,
  });
  link.listen((message) => told.push(message));
  link.start();
});
afterEach(async () => {
  link.stop();
  await server.stop(true);
});

const connection = (count: number) =>
  until(`connection ${count}`, () => (sockets.length >= count ? sockets.at(-1) : undefined));
async function welcomed(count = 1): Promise<ServerWebSocket<undefined>> {
  const socket = await connection(count);
  const before = told.length;
  socket.send(JSON.stringify(WELCOME));
  await until("the welcome", () => told.length > before);
  return socket;
}
const said = (reason: string) =>
  until(`"${reason}" in the log`, () => lines.some((line) => line.includes(reason)));

const entry = (number: number): TraceEntry => ({
  ...{ kind: "line", number, times: 1, event: "opened", text: "" },
  ...{ at: "2026-01-15T10:00:00.000Z", lastAt: "2026-01-15T10:00:00.000Z" },
});
/** Numbers of the entries in each message about a line. */
const shown = () =>
  heard.map((text) => JSON.parse(text).entries.map((one: TraceEntry) => one.number));

test("tells together what passes on a line within a tenth of a second, and all of it in order", async () => {
  await welcomed();
  const show = (number: number, ended = false) =>
    link.send({ type: "trace.entries", requestId: "req_1", entries: [entry(number)], ended });
  for (let number = 1; number <= 10; number += 1) show(number);
  clock.advance(100);
  await until("what waited", () => heard.length > 0);
  show(11);
  show(12, true);
  await until("the end", () => heard.length > 1);
  expect(shown()).toEqual([
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    [11, 12],
  ]);
});

test("holds back no more of a line than one message takes", async () => {
  await welcomed();
  for (let number = 1; number <= 100; number += 1) {
    link.send({
      ...{ type: "trace.entries", requestId: "req_1", entries: [entry(number)], ended: false },
    });
  }
  await until("the first of it", () => heard.length > 0);
  clock.advance(100);
  await until("the rest", () => heard.length > 1);
  expect(shown().map((numbers) => numbers.length)).toEqual([64, 36]);
});

test("connects as what it is, and speaks once it is welcome", async () => {
  const socket = await connection(1);
  link.send({ type: "pong" });
  await welcomed();
  link.send({ type: "device.announce", deviceId: "dev_1", link: "up" });
  await until("the announcement", () => heard.length > 0);
  expect(heard.map((text) => JSON.parse(text).type)).toEqual(["device.announce"]);
  const [request] = requests;
  expect(request?.headers.get("authorization")).toBe("Bearer fdk_x");
  expect(request?.headers.get("sec-websocket-protocol")).toBe("fdg.v1");
  const url = new URL(request?.url ?? "");
  expect(url.pathname).toBe("/api/v1/controllers/connect");
  expect(Object.fromEntries(url.searchParams)).toEqual({
    ...{ controllerId: "tablet", marks: "1", name: "Bar" },
  });
  expect(socket.readyState).toBe(1);
});

test("connects again when the connection ends, and waits longer each time it fails", async () => {
  const socket = await welcomed();
  socket.close(1001, "The gateway stops");
  await said("The gateway stops");
  expect(link.isConnected).toBe(false);
  refusal = () => new Response("", { status: 503 });
  for (const ms of [250, 500, 1_000]) {
    await until(`a wait of ${ms} ms`, () => clock.nextTimerMs === ms);
    const count = requests.length;
    await clock.advanceAsync(ms);
    await until("the attempt", () => requests.length > count);
  }
  await until("a wait of 2 s", () => clock.nextTimerMs === 2_000);
  refusal = undefined;
  await clock.advanceAsync(2_000);
  await welcomed(2);
  expect(link.isConnected).toBe(true);
});

test("gives a connection up on which nothing is heard", async () => {
  await welcomed();
  await clock.advanceAsync(44_999);
  expect(link.isConnected).toBe(true);
  await clock.advanceAsync(1);
  expect(link.isConnected).toBe(false);
  await said("Nothing was heard of the gateway");
});

test("leaves its place to another controller of the same name, and tells the person", async () => {
  const socket = await welcomed();
  socket.close(4409, "replaced");
  await said("each needs its own");
  await until("the wait", () => clock.nextTimerMs === 30_000);
  await clock.advanceAsync(29_999);
  expect(sockets).toHaveLength(1);
  await clock.advanceAsync(1);
  await connection(2);
});

test("says why it is refused", async () => {
  const socket = await welcomed();
  const error = { code: "UNAUTHORIZED", message: "The key is unknown" };
  refusal = () => Response.json({ error }, { status: 401 });
  socket.close(1001);
  await until("the wait", () => clock.nextTimerMs === 250);
  await clock.advanceAsync(250);
  await said("The gateway refuses: The key is unknown. Look at the API key of this controller");
});

test("passes over what it does not know", async () => {
  const socket = await welcomed();
  socket.send('{"type":"later.version"}');
  socket.send('{"type":"ping"}');
  await until("the ping", () => told.length === 2);
  expect(told.at(-1)).toEqual({ type: "ping" });
});

test("a gateway of its own authority is told with the option that names that", async () => {
  const validity = { notBefore: Date.now() - 60_000, notAfter: Date.now() + 3_600_000 };
  const authority = await createAuthority({ name: "Shop", domains: ["localhost"], validity });
  const names = { domains: ["localhost"], addresses: [], validity };
  const { key, certificate: cert } = await issueCertificate(authority, names);
  using secure = Bun.serve({ port: 0, tls: { key, cert }, fetch: () => new Response() });
  const place = (host: string, ca?: string) =>
    gatewayPlace({
      ...{ url: new URL(`https://${host}:${secure.port}`), key: "fdk_x", controllerId: "tablet" },
      ...{ about: {}, authority: ca },
    });
  expect(await refusalOf(place("localhost"))).toContain("give that with --ca; fiscald tls --ca");
  const other = await refusalOf(place("127.0.0.1", authority.certificate));
  expect(other).toContain("call the gateway by a name of its certificate");
});
