import { afterEach, beforeEach, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { until } from "../e2e/harness/until.ts";
import { systemClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { publicRoutes } from "./access.ts";
import { attachment } from "./attachment.ts";
import { type RunningHttp, startHttp } from "./listen.ts";
import { createHttpServer } from "./server.ts";

const PIECES = 5_000;
const PIECE = "x".repeat(100_000);
/** What the buffers of both ends and of the server may hold: 30 MB of 500. */
const AHEAD_MAX = 300;

let http: RunningHttp;
let made: number;
let isOver: boolean;

function* pieces(): Generator<string, void> {
  try {
    for (made = 1; made <= PIECES; made += 1) yield PIECE;
  } finally {
    isOver = true;
  }
}

beforeEach(() => {
  made = 0;
  isOver = false;
  const app = createHttpServer({
    clock: systemClock,
    log: createLog({ level: "silent", clock: systemClock, sink: { write: () => undefined } }),
    limits: { globalMax: 10_000, authMax: 100, commandsMax: 100, windowSeconds: 600 },
    trustProxy: false,
    corsOrigins: [],
    version: "1.2.3",
    authenticate: () => {
      throw new Error("not used");
    },
    ready: () => true,
    groups: [
      publicRoutes("Test")
        .get("/file", () => attachment({ fileName: "x.txt", contentType: "text/plain" }, pieces()))
        .get("/quick", () => ({})),
    ],
  });
  http = startHttp(app, { hostname: "127.0.0.1", port: 0, clock: systemClock });
});
afterEach(() => http.stop(0));

/** Asks for the file and reads nothing of it. */
function askAndWait(): Socket {
  const socket = connect(Number(new URL(http.url).port), "127.0.0.1", () => {
    socket.write("GET /api/v1/file HTTP/1.1\r\nHost: x\r\n\r\n");
  });
  return socket.pause();
}

test("nothing is made for a client who does not read, nor after one who hangs up", async () => {
  const socket = askAndWait();
  await until("a piece", () => made > 0);
  // Others are served meanwhile, for long enough to make all of it.
  for (let turn = 0; turn < 500; turn += 1) await fetch(`${http.url}/api/v1/quick`);
  expect(made).toBeLessThan(AHEAD_MAX);
  socket.destroy();
  await until("the end", () => isOver);
  expect(made).toBeLessThan(AHEAD_MAX);
}, 30_000);

test("a client who reads gets all of it, as a file", async () => {
  const response = await fetch(`${http.url}/api/v1/file`);
  expect(response.headers.get("content-disposition")).toBe('attachment; filename="x.txt"');
  let length = 0;
  for await (const part of response.body ?? []) length += part.length;
  expect(length).toBe(PIECES * PIECE.length);
  expect(isOver).toBe(true);
}, 30_000);
