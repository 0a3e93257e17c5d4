import { beforeEach, expect, test } from "bun:test";
import type { AnyElysia } from "elysia";
import type { Principal } from "#core/access.ts";
import { FakeClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { publicRoutes, scopedRoutes, unauthorized } from "./access.ts";
import { bareServer } from "./testing/bare-server.ts";

const LINES_PER_ADDRESS = 60;
const LINES_MAX = 600;
const MINUTE_MS = 60_000;
const MORE = "more requests than are logged one by one";

const till: Principal = {
  ...{ kind: "key", orgId: "org0", keyId: "key_1" },
  ...{ scopes: ["devices:read"], expiresAt: null },
};

interface Line {
  readonly msg: string;
  readonly status?: number;
  readonly orgId?: string;
  readonly requests?: number;
}

let clock: FakeClock;
let lines: Line[];
let app: AnyElysia;

beforeEach(() => {
  clock = new FakeClock();
  lines = [];
  app = bareServer({
    ...{ clock, logClock: clock },
    log: createLog({
      ...{ level: "info", clock },
      sink: { write: (line) => lines.push(JSON.parse(line)) },
    }),
    limits: { globalMax: 200, authMax: 200, commandsMax: 200, windowSeconds: 600 },
    trustProxy: true,
    authenticate(credential) {
      if (credential.kind === "key" && credential.key.startsWith("svc_live_till")) return till;
      throw unauthorized();
    },
    groups: [
      publicRoutes("Test").get("/open", () => ({})),
      scopedRoutes("devices:read", "Test").get("/things", () => ({})),
    ],
  });
});

interface Asked {
  readonly path?: string;
  readonly key?: string;
}

/** Asks so many times from an address. */
async function ask(times: number, address: string, asked: Asked = {}): Promise<void> {
  const { path = "open", key } = asked;
  const headers = new Headers({ "x-forwarded-for": address });
  if (key !== undefined) headers.set("x-api-key", key);
  for (let index = 0; index < times; index++) {
    await app.handle(new Request(`http://localhost/api/v1/${path}`, { headers }));
  }
}
const requests = () => lines.filter(({ msg }) => msg === "request");
const told = () => lines.filter(({ msg }) => msg === MORE);

test("a stranger has some lines in a minute, and then one that counts the rest", async () => {
  await ask(250, "10.0.0.9", { path: "things", key: "svc_live_forged" });
  await ask(70, "10.0.0.8");
  await ask(3, "10.0.0.7");
  expect(requests()).toHaveLength(2 * LINES_PER_ADDRESS + 3);
  await clock.advance(MINUTE_MS);
  expect(told()).toMatchObject([
    {
      ...{ address: "10.0.0.9", requests: 190, seconds: 60 },
      statuses: { "401": 140, "429": 50 },
    },
    { address: "10.0.0.8", requests: 10, statuses: { "200": 10 } },
  ]);
  // Another minute, other lines.
  await ask(1, "10.0.0.8");
  await clock.advance(MINUTE_MS);
  expect([requests().length, told().length]).toEqual([2 * LINES_PER_ADDRESS + 4, 2]);
});

test("each request of a shop's own key has its line, until it is refused as one too many", async () => {
  await ask(100, "10.0.0.9", { path: "things", key: "svc_live_forged" });
  await ask(150, "10.0.0.9", { path: "things", key: "svc_live_till" });
  await ask(50, "10.0.0.9", { path: "nowhere", key: "svc_live_till" });
  await ask(300, "10.0.0.9", { path: "things", key: "svc_live_till" });
  const own = requests().filter(({ orgId }) => orgId !== undefined);
  const count = (status: number) => own.filter((line) => line.status === status).length;
  expect([count(200), count(404), count(429)]).toEqual([150, 50, 0]);
  await clock.advance(MINUTE_MS);
  expect(told()).toMatchObject([{ requests: 340, statuses: { "401": 40, "429": 300 } }]);
});

test("many addresses together have a bounded number of lines, and of counts", async () => {
  for (let index = 0; index < 400; index++) await ask(5, `10.1.${index >> 8}.${index & 255}`);
  expect(requests()).toHaveLength(LINES_MAX);
  await clock.advance(MINUTE_MS);
  // 120 had all their lines, 80 are told of by themselves, and the others as one.
  expect(told()).toHaveLength(81);
  expect(told().reduce((sum, line) => sum + (line.requests ?? 0), 0)).toBe(2_000 - LINES_MAX);
});
