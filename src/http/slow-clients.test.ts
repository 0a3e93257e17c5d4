import { afterEach, beforeEach, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { Type } from "@sinclair/typebox";
import { systemClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { publicRoutes } from "./access.ts";
import { type RunningHttp, startHttp } from "./listen.ts";
import { json } from "./request-body.ts";
import { bareServer } from "./testing/bare-server.ts";
import { exchange } from "./testing/raw-exchange.ts";

/** The server counts in steps of four seconds. */
const ARRIVAL_SECONDS = 4;

let http: RunningHttp;
let lines: string[];
let release: () => void;
const sockets: Socket[] = [];

beforeEach(() => {
  lines = [];
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const app = bareServer({
    log: createLog({
      level: "info",
      clock: systemClock,
      sink: { write: (line) => lines.push(line) },
    }),
    arrivalSeconds: ARRIVAL_SECONDS,
    groups: [
      publicRoutes("Test")
        .post("/echo", ({ body }) => body, { body: json(Type.Object({})) })
        .post(
          "/wait",
          async () => {
            await gate;
            return { waited: true };
          },
          { body: json(Type.Object({})) },
        )
        .post("/unread", () => ({ done: true }))
        .get("/quick", () => Promise.resolve({ waited: false }))
        .get("/wait", async () => {
          await gate;
          return { waited: true };
        }),
    ],
  });
  http = startHttp(app, { hostname: "127.0.0.1", port: 0, clock: systemClock });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await http.stop(0);
});

const POST = "HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
const GET_QUICK = "GET /api/v1/quick HTTP/1.1\r\nHost: x\r\n\r\n";
const CHUNKED = `${POST}Transfer-Encoding: chunked\r\n\r\n`;

/** Sends a beginning, then a piece each quarter of a second until the server closes. */
function trickle(beginning: string, piece: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(http.url).port), "127.0.0.1", () => {
      socket.write(beginning);
    });
    sockets.push(socket);
    let answer = "";
    const timer = setInterval(() => socket.write(piece), 250);
    socket.on("data", (chunk) => {
      answer += String(chunk);
    });
    // Writing to a connection that the server has closed is how a client finds out.
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearInterval(timer);
      resolve(answer);
    });
  });
}

/** Clients that would hold their connection for as long as they like. */
const SLOW: readonly (readonly [beginning: string, piece: string])[] = [
  ["GET /api/v1/wait HTTP/1.1\r\nHost: x\r\nX-Filler: ", "x"],
  [`POST /api/v1/echo ${POST}Content-Length: 999\r\n\r\n`, " "],
  [`POST /api/v1/echo ${CHUNKED}`, "1\r\n \r\n"],
  [`POST /api/v1/unread ${POST}Content-Length: 999\r\n\r\n`, " "],
  [`POST /api/v1/nothing ${CHUNKED}`, "1\r\n \r\n"],
  // The connection had an answer that was long in coming before.
  [`${GET_QUICK}GET /livez HTTP/1.1\r\nHost: x\r\nX-Filler: `, "x"],
];

test("slow requests are cut off, and slow answers are waited for", async () => {
  const url = `${http.url}/api/v1/wait`;
  const body = { body: "{}", headers: { "content-type": "application/json" } };
  // Some clients send a body with whatever they ask, too; fetch itself cannot.
  const asked = `GET /api/v1/wait ${POST}Connection: close\r\nContent-Length: 2\r\n\r\n{}`;
  const withBody = exchange(http.url, asked);
  const slowAnswers = [fetch(url), fetch(url, { method: "POST", ...body })];
  // The last of them is cut off when the answers are late for a request three times over.
  const cut = await Promise.all(SLOW.map(([beginning, piece]) => trickle(beginning, piece)));
  const statuses = cut.map((text) => [...text.matchAll(/HTTP\/1.1 (\d+)/g)].map((m) => m[1]));
  expect(statuses).toEqual([[], [], [], [], ["404"], ["200"]]);
  // Being cut off is nothing that an operator has to look at.
  expect(lines.join()).not.toContain("request failed");
  release();
  expect(String(await withBody)).toEndWith('{"waited":true}');
  for (const answer of slowAnswers) expect(await (await answer).text()).toBe('{"waited":true}');
});
