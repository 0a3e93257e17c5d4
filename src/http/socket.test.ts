import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { Elysia } from "elysia";
import { systemClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { publicRoutes, scopedRoutes, unauthorized } from "./access.ts";
import { type RunningHttp, startHttp } from "./listen.ts";
import { MESSAGE_BYTES_MAX, type Socket, takeSocket } from "./socket.ts";
import { bareServer } from "./testing/bare-server.ts";
import { exchange } from "./testing/raw-exchange.ts";

/** Frames that a peer may send at once. */
const FRAMES_BURST = 1_200;

let http: RunningHttp;
let heard: number;
let lines: string[];
let opened: PromiseWithResolvers<Socket>;
let isAsking: PromiseWithResolvers<void>;
let letIn: PromiseWithResolvers<void>;
let ended: PromiseWithResolvers<[code: number, reason: string]>;

const echo = () => ({
  opened: (socket: Socket) => opened.resolve(socket),
  message: async (text: string) => {
    heard += 1;
    (await opened.promise).send(`heard ${text}`);
  },
  closed: (code: number, reason: string) => ended.resolve([code, reason]),
});

beforeEach(() => {
  heard = 0;
  lines = [];
  opened = Promise.withResolvers();
  ended = Promise.withResolvers();
  const app = bareServer({
    log: createLog({
      level: "info",
      clock: systemClock,
      sink: { write: (line) => lines.push(line) },
    }),
    authenticate: () => {
      throw unauthorized();
    },
    groups: [
      new Elysia()
        .use(publicRoutes("Test").get("/echo", (context) => takeSocket(context, echo(), "echo.v1")))
        .use(
          publicRoutes("Test").get("/later", async (context) => {
            isAsking.resolve();
            await letIn.promise;
            takeSocket(context, echo());
          }),
        )
        .use(
          scopedRoutes("devices:read", "Test").get("/mine", (context) =>
            takeSocket(context, echo()),
          ),
        ),
    ],
  });
  letIn = Promise.withResolvers();
  isAsking = Promise.withResolvers();
  http = startHttp(app, { hostname: "127.0.0.1", port: 0, clock: systemClock });
});
afterEach(() => http.stop(0));

/** A client's end: what came, and how it ended. */
function open(path = "/echo", protocols: string[] = []) {
  const socket = new WebSocket(`${http.url.replace("http", "ws")}/api/v1${path}`, protocols);
  const first = Promise.withResolvers<string>();
  const isOpen = Promise.withResolvers<void>();
  const end = Promise.withResolvers<[code: number, reason: string]>();
  socket.addEventListener("open", () => isOpen.resolve());
  socket.addEventListener("message", ({ data }) => first.resolve(String(data)));
  socket.addEventListener("close", ({ code, reason }) => end.resolve([code, reason]));
  return { socket, isOpen: isOpen.promise, first: first.promise, end: end.promise };
}

describe("a WebSocket", () => {
  test("carries texts both ways, and both ends learn how it ended", async () => {
    const { socket, isOpen, first, end } = open();
    await isOpen;
    socket.send("one");
    expect(await first).toBe("heard one");
    socket.close(4000, "enough");
    expect(await ended.promise).toEqual([4000, "enough"]);
    expect(await end).toEqual([4000, "enough"]);
  });

  test("speaks the subprotocol that was offered, and none that was not", async () => {
    const offered = open("/echo", ["other", "echo.v1"]);
    await offered.isOpen;
    expect(offered.socket.protocol).toBe("echo.v1");
    const plain = open();
    await plain.isOpen;
    expect(plain.socket.protocol).toBe("");
    const answer = await fetch(`${http.url}/api/v1/echo`, {
      headers: {
        ...Object.fromEntries(HANDSHAKE.split("\r\n").map((line) => line.split(": "))),
        "Sec-WebSocket-Protocol": "other, echo.v2",
      },
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      error: { code: "BAD_REQUEST", message: "Open this path with subprotocol echo.v1" },
    });
  });

  test("is answered with the headers of every answer", async () => {
    const { port, hostname } = new URL(http.url);
    const head = `GET /api/v1/echo HTTP/1.1\r\nHost: x\r\nX-Request-Id: mine\r\n${HANDSHAKE}`;
    const peer = connect({ port: Number(port), host: hostname });
    peer.write(`${head}\r\n\r\n`);
    const answer = await new Promise<string>((resolve) =>
      peer.once("data", (piece) => resolve(String(piece))),
    );
    peer.destroy();
    expect(answer).toStartWith("HTTP/1.1 101 ");
    const names = answer.split("\r\n").map((line) => line.split(":")[0]?.toLowerCase());
    for (const name of ["limit", "remaining", "reset"]) {
      expect(names).toContain(`ratelimit-${name}`);
    }
    expect(answer.toLowerCase()).toContain("x-request-id: mine\r\n");
  });

  test("takes no binary frame, and no text beyond the bound", async () => {
    const binary = open();
    await binary.isOpen;
    binary.socket.send(new Uint8Array([1]));
    expect(await binary.end).toEqual([1003, "Only text frames are taken"]);
    opened = Promise.withResolvers();
    const long = open();
    await long.isOpen;
    long.socket.send("x".repeat(MESSAGE_BYTES_MAX));
    expect(await long.first).toHaveLength("heard ".length + MESSAGE_BYTES_MAX);
    long.socket.send("x".repeat(MESSAGE_BYTES_MAX + 1));
    expect((await long.end)[0]).toBe(1009);
  });

  test.each(["texts", "pings"])("of a peer that floods it with %s is ended", async (what) => {
    const peer = open();
    await peer.isOpen;
    for (let frame = 0; frame < 3 * FRAMES_BURST; frame++) {
      if (what === "texts") peer.socket.send("x");
      else peer.socket.ping();
    }
    expect(await peer.end).toEqual([4429, "Too many messages"]);
    expect(heard).toBeLessThan(2 * FRAMES_BURST);
  });

  test("of a peer that does not read is ended before messages are lost", async () => {
    const { port, hostname } = new URL(http.url);
    const peer = connect({ port: Number(port), host: hostname });
    peer.write(`GET /api/v1/echo HTTP/1.1\r\nHost: x\r\n${HANDSHAKE}\r\n\r\n`);
    peer.pause();
    const socket = await opened.promise;
    const piece = "x".repeat(64 * 1024);
    const overAfter = Promise.race([ended.promise, sendUntil(socket, piece, 1_000)]);
    expect((await overAfter)[0]).toBe(4408);
    peer.destroy();
  });

  test("is logged as what it is", async () => {
    await open().isOpen;
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ msg: "request", path: "/api/v1/echo", status: 101 }),
    );
  });

  test("ends with 1001 when the gateway stops, which does not wait for it", async () => {
    const { isOpen, end } = open();
    await isOpen;
    await http.stop(60_000);
    expect(await end).toEqual([1001, "The gateway stops"]);
    expect((await ended.promise)[0]).toBe(1001);
  });
});

describe("a handshake", () => {
  test("is refused when the gateway stops before it is through, which does not wait for it", async () => {
    const answer = exchange(
      http.url,
      `GET /api/v1/later HTTP/1.1\r\nHost: x\r\n${HANDSHAKE}\r\n\r\n`,
    );
    await isAsking.promise;
    const stopped = http.stop(60_000);
    letIn.resolve();
    expect(String(await answer)).toStartWith("HTTP/1.1 503 ");
    await stopped;
  });

  test("is refused in the envelope when the request asks for no WebSocket", async () => {
    const answer = await fetch(`${http.url}/api/v1/echo`);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: "BAD_REQUEST" } });
  });

  test("of another version is refused in the envelope", async () => {
    const handshake = HANDSHAKE.replace("Version: 13", "Version: 8");
    const bytes = await exchange(
      http.url,
      `GET /api/v1/echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${handshake}\r\n\r\n`,
    );
    const answer = bytes.toString();
    expect(answer).toStartWith("HTTP/1.1 400 ");
    expect(answer).toContain("Open this path as a WebSocket of version 13");
  });

  test("is refused before the connection changes over when the caller may not", async () => {
    const bytes = await exchange(
      http.url,
      `GET /api/v1/mine HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${HANDSHAKE}\r\n\r\n`,
    );
    const answer = bytes.toString();
    expect(answer).toStartWith("HTTP/1.1 401 ");
    expect(answer).toContain("UNAUTHORIZED");
  });
});

const HANDSHAKE =
  "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n" +
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";

/** Sends until the socket is over. @throws Error when so many pieces went out */
async function sendUntil(socket: Socket, piece: string, pieces: number): Promise<never> {
  for (let sent = 0; sent < pieces; sent += 1) {
    socket.send(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error("it took everything");
}
