import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { TracedFrame, WatchLine } from "#core/device/trace.ts";
import { LineTrace } from "../../controller/line-trace.ts";
import { frameSaying } from "../../controller/testing/frame-saying.ts";
import type { ApiClient } from "../../http/testing/api-client.ts";
import { follow } from "../../http/testing/openapi-faults.ts";
import { type ApiBench, createApiBench } from "../testing/api-bench.ts";
import { TraceAnswer, TraceLine } from "./trace-schema.ts";

const FRAME: TracedFrame = {
  direction: "out",
  name: "48 open sale #2Ch",
  text: '"1,****"',
  hex: "01****",
  byteCount: 3,
  isDamaged: false,
};

/** As a controller shows a line over its link. */
const watchLine: WatchLine = (id, viewer) => {
  const trace = traces.get(id);
  const leave = trace?.follow(viewer);
  if (!trace || !leave) {
    viewer.ended();
    return () => undefined;
  }
  viewer.begin(trace.entries());
  return leave;
};

let bench: ApiBench;
let owner: ApiClient;
let orgId: string;
let password: string;
let deviceId: string;
let path: string;
let trace: LineTrace;
const traces = new Map<string, LineTrace>();

beforeEach(async () => {
  bench = createApiBench({ registration: "open", watchLine });
  ({ client: owner, orgId, password } = await bench.owner());
  const device = await owner.post("/api/v1/devices", {
    name: "Till 1",
    driver: "vendorA.isl",
    transport: "tcp",
    locationId: "shop-1",
    connectionParams: { host: "192.168.1.20", port: 9100 },
  });
  deviceId = device.field("id");
  path = `/api/v1/devices/${deviceId}/trace`;
  trace = new LineTrace(bench.clock);
  traces.clear();
  traces.set(deviceId, trace);
});
afterEach(() => bench.close());

describe("GET /devices/{id}/trace", () => {
  test("answers what is kept, as documented", async () => {
    trace.event("opened", "192.168.1.20:9100");
    bench.clock.advance(5);
    trace.frames([frameSaying(FRAME)]);
    const answer = await owner.get(path);
    expect(answer.as(TraceAnswer)).toEqual({
      deviceId,
      entries: [
        {
          kind: "line",
          number: 1,
          at: "2026-01-15T10:00:00.000Z",
          lastAt: "2026-01-15T10:00:00.000Z",
          times: 1,
          event: "opened",
          text: "192.168.1.20:9100",
        },
        {
          kind: "frame",
          number: 2,
          at: "2026-01-15T10:00:00.005Z",
          lastAt: "2026-01-15T10:00:00.005Z",
          times: 1,
          ...FRAME,
        },
      ],
    });
    const last = (await owner.get(`${path}?last=1`)).as(TraceAnswer);
    expect(last.entries.map(({ number }) => number)).toEqual([2]);
    expect((await owner.get(`${path}?last=0`)).as(TraceAnswer).entries).toEqual([]);
    const wrong = await owner.get(`${path}?last=251&follow=maybe`);
    expect([wrong.refusal, ...wrong.issuePaths]).toEqual([
      "400 VALIDATION_ERROR",
      "follow",
      "last",
    ]);
  });

  test("is for those who look after the device, not for everybody who may see it", async () => {
    const operator = await bench.member(orgId, "operator");
    expect((await operator.client.get(path)).refusal).toBe("403 FORBIDDEN");
    expect((await bench.client.get(path)).refusal).toBe("401 UNAUTHORIZED");
    const { client: stranger } = await bench.owner("other@example.com");
    expect((await stranger.get(path)).refusal).toBe("404 NOT_FOUND");
    const admin = await bench.member(orgId, "admin");
    expect((await admin.client.get(path)).status).toBe(200);
  });

  test("says so when the line is elsewhere", async () => {
    traces.clear();
    expect((await owner.get(path)).refusal).toBe("409 CONFLICT");
    expect((await owner.get(`${path}?follow=true`)).refusal).toBe("409 CONFLICT");
  });

  test("follows the line from what is kept until the device goes", async () => {
    trace.frames([frameSaying(FRAME)]);
    const answering = owner.get(`${path}?follow=true&last=1`);
    await followed();
    trace.frames([frameSaying({ ...FRAME, name: "next" })]);
    trace.event("closed", "pulled");
    trace.end();
    const answer = await answering;
    expect(answer.headers.get("content-type")).toContain("application/x-ndjson");
    const lines = answer.text.split("\n").filter(Boolean);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ number: 1, name: FRAME.name }),
      expect.objectContaining({ number: 2, name: "next" }),
      expect.objectContaining({ number: 3, event: "closed", text: "pulled" }),
    ]);
  });

  test("follows no longer once the gateway stops", async () => {
    const answering = owner.get(`${path}?follow=true`);
    await followed();
    bench.stopAnswers();
    expect((await answering).status).toBe(200);
    expect(trace.followerCount).toBe(0);
  });

  test("lets a few follow one line, and takes others when they are gone", async () => {
    const answers = Array.from({ length: 8 }, () => owner.get(`${path}?follow=true`));
    await followed(8);
    expect((await owner.get(`${path}?follow=true`)).refusal).toBe("409 CONFLICT");
    trace.end();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(8).fill(200));
  });

  test("answers HEAD at once, and lets it take nobody's place", async () => {
    const answer = await owner.call("HEAD", `${path}?follow=true`);
    expect([answer.status, answer.text, trace.followerCount]).toEqual([200, "", 0]);
    expect(answer.headers.get("content-length")).toBeNull();
    expect(answer.headers.get("content-type")).toStartWith("application/x-ndjson");
  });

  test("is in the OpenAPI document, both ways", async () => {
    const { body } = await owner.get("/api/v1/openapi.json");
    const content = "#/paths/~1api~1v1~1devices~1{deviceId}~1trace/get/responses/200/content";
    expect(follow(body, `${content}/application~1json/schema/required`)).toEqual([
      "deviceId",
      "entries",
    ]);
    const schema: unknown = follow(body, `${content}/application~1x-ndjson/schema`);
    expect(schema).toEqual(JSON.parse(JSON.stringify(TraceLine)));
  });
});

/** Ways to end a credential, each with what the credential is. */
const ENDS: readonly {
  readonly what: string;
  /** Makes the credential. @returns its text, and what ends it */
  open(): Promise<{ readonly credential: string; readonly end: () => Promise<unknown> }>;
}[] = [
  {
    what: "its access token expires",
    async open() {
      const { token } = await admin();
      // Nobody has ended anything, but for time.
      return { credential: token, end: () => Promise.resolve(bench.clock.jumpTo(minutesOn(15))) };
    },
  },
  {
    what: "the token of the box expires",
    async open() {
      const token = await bench.tokens.issueForBox({ orgId, scope: "devices:write" });
      return { credential: token, end: () => Promise.resolve(bench.clock.jumpTo(minutesOn(1))) };
    },
  },
  {
    what: "its key expires",
    async open() {
      const { key } = await newKey({ expiresAt: new Date(minutesOn(5)).toISOString() });
      return { credential: key, end: () => Promise.resolve(bench.clock.jumpTo(minutesOn(5))) };
    },
  },
  {
    what: "its key is revoked",
    async open() {
      const { key, keyPath } = await newKey();
      return { credential: key, end: () => owner.delete(keyPath) };
    },
  },
  {
    what: "its key is deactivated",
    async open() {
      const { key, keyPath } = await newKey();
      return { credential: key, end: () => owner.patch(keyPath, { active: false }) };
    },
  },
  {
    what: "its key is rotated",
    async open() {
      const { key, keyPath } = await newKey();
      return { credential: key, end: () => owner.post(`${keyPath}/rotate`) };
    },
  },
  {
    what: "its session is logged out",
    async open() {
      const login = { email: "owner@example.com", password };
      const answer = await bench.client.post("/api/v1/auth/login", login);
      const body = { refreshToken: answer.field("refreshToken") };
      return {
        credential: answer.field("accessToken"),
        end: () => bench.client.post("/api/v1/auth/logout", body),
      };
    },
  },
  {
    what: "its user is deactivated",
    async open() {
      const { token, userId } = await admin();
      const memberPath = `/api/v1/org/members/${userId}`;
      return { credential: token, end: () => owner.patch(memberPath, { active: false }) };
    },
  },
  {
    what: "its user gets another role",
    async open() {
      const { token, userId } = await admin();
      const memberPath = `/api/v1/org/members/${userId}`;
      return { credential: token, end: () => owner.patch(memberPath, { role: "operator" }) };
    },
  },
  {
    what: "its user is removed",
    async open() {
      const { token, userId } = await admin();
      return { credential: token, end: () => owner.delete(`/api/v1/org/members/${userId}`) };
    },
  },
];

describe("whoever follows a line", () => {
  for (const { what, open } of ENDS) {
    test(`hears nothing more once ${what}, and is gone within a second`, async () => {
      const { credential, end } = await open();
      const answering = bench.client.as(credential).get(`${path}?follow=true`);
      await followed();
      trace.event("opened", "while it may");
      bench.clock.advance(2_000);
      expect(trace.followerCount).toBe(1);
      await end();
      trace.event("closed", "when it may not");
      bench.clock.advance(1_000);
      expect(trace.followerCount).toBe(0);
      const { status, text } = await answering;
      expect(status).toBe(200);
      expect(text).toContain("while it may");
      expect(text).not.toContain("when it may not");
    });
  }

  test("is cut off without anything to tell, and leaves no timer behind", async () => {
    const { key, keyPath } = await newKey();
    const before = bench.clock.pendingTimers;
    const answering = bench.client.as(key).get(`${path}?follow=true`);
    await followed();
    await owner.delete(keyPath);
    bench.clock.advance(1_000);
    expect((await answering).text).toBe("");
    expect(bench.clock.pendingTimers).toBe(before);
  });
});

/** An instant so many minutes after the clock's. */
function minutesOn(minutes: number): number {
  return bench.clock.now() + minutes * 60_000;
}

/** Another administrator of the shop. */
async function admin() {
  const { userId, sessionId } = await bench.member(orgId, "admin");
  const token = await bench.tokens.issue({ userId, orgId, role: "admin", sessionId });
  return { userId, token };
}

async function newKey(more: { readonly expiresAt?: string } = {}) {
  await bench.setPlan(orgId, "pro");
  const scopes = ["devices:write"];
  const made = await owner.post("/api/v1/org/api-keys", { label: "line", scopes, ...more });
  return { key: made.field("key"), keyPath: `/api/v1/org/api-keys/${made.field("id")}` };
}

/** Resolves when so many follow the line. */
async function followed(count = 1): Promise<void> {
  const deadline = performance.now() + 5_000;
  while (trace.followerCount < count) {
    if (performance.now() > deadline) throw new Error("nobody follows");
    await new Promise((resolve) => setImmediate(resolve));
  }
}
