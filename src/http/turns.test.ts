import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { until } from "../e2e/harness/until.ts";
import { systemClock } from "../platform/clock.ts";
import { publicRoutes } from "./access.ts";
import { type RunningHttp, startHttp } from "./listen.ts";
import { bareServer } from "./testing/bare-server.ts";
import { exchange } from "./testing/raw-exchange.ts";
import { Turns } from "./turns.ts";

const FLOOD = join(import.meta.dir, "testing/send-ahead.ts");
/** A turn takes no more connections after so many requests. */
const REQUESTS_MAX = 64;
const PIPELINED_MAX = 8;

let http: RunningHttp;
/** What was answered, in order. */
let answered: string[];

beforeEach(() => {
  answered = [];
  const route = (name: string) => () => {
    answered.push(name);
    return { name };
  };
  const app = bareServer({
    limits: { globalMax: 100_000, authMax: 1, commandsMax: 1, windowSeconds: 600 },
    groups: [publicRoutes("Test").get("/flood", route("flood")).get("/till", route("till"))],
  });
  http = startHttp(app, { hostname: "127.0.0.1", port: 0, clock: systemClock });
});
afterEach(() => http.stop(0));

const get = (name: string) => `GET /api/v1/${name} HTTP/1.1\r\nHost: x\r\n\r\n`;

/** A till's connection, over which it has had an answer. */
async function connectTill(): Promise<Socket> {
  const socket = connect(Number(new URL(http.url).port), "127.0.0.1");
  socket.write(get("till"));
  await until("the till's first answer", () => answered.includes("till") || undefined);
  answered = [];
  return socket;
}

/** Has so many requests wait for the server before it looks at any of them. */
function floodAtOnce(connections: number, requests: number): void {
  const { port } = new URL(http.url);
  const args = [port, String(connections), String(requests), "/api/v1/flood"];
  const { exitCode } = Bun.spawnSync([process.execPath, FLOOD, ...args]);
  expect(exitCode).toBe(0);
}

describe("a till beside a flood", () => {
  // Its request is heard in the turn that follows, should it come too late for this one.
  const BEFORE_MAX = 2 * REQUESTS_MAX + PIPELINED_MAX;

  test.each([
    { connections: 400, requests: 1 },
    { connections: 400, requests: 50 },
  ])("has its turn: %o", async ({ connections, requests }) => {
    const till = await connectTill();
    floodAtOnce(connections, requests);
    till.write(get("till"));
    await until("the till's answer", () => answered.includes("till") || undefined);
    expect(answered.indexOf("till")).toBeLessThanOrEqual(BEFORE_MAX);
    await until("the others' answers", () => answered.length > connections || undefined);
    till.destroy();
  });
});

test("answers a few requests that were sent ahead, and says that it reads no more", async () => {
  const answers = String(await exchange(http.url, get("flood").repeat(400)));
  const heads = answers.split("HTTP/1.1 ").slice(1);
  expect(heads.map((head) => head.slice(0, 3))).toEqual(Array(PIPELINED_MAX).fill("200"));
  expect(heads.map((head) => head.includes("Connection: close"))).toEqual([
    ...Array(PIPELINED_MAX - 1).fill(false),
    true,
  ]);
  expect(answered.length).toBe(PIPELINED_MAX);
});

test("counts what came in one turn, and of one connection in succession", () => {
  let endTurn = (): void => {};
  const turns = new Turns({
    clock: { elapsed: () => 0 },
    afterTurn: (callback) => {
      endTurn = callback;
    },
  });
  const askedBy = (name: string, times: number) =>
    Array.from({ length: times }, () => turns.isLastOf(name));
  expect(askedBy("a", 7)).not.toContain(true);
  expect(askedBy("b", 8)).toEqual([...Array(7).fill(false), true]);
  expect(askedBy("a", 7)).not.toContain(true);
  endTurn();
  expect(askedBy("a", 8).indexOf(true)).toBe(7);
});
