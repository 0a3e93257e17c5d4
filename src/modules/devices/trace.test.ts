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
let deviceId: string;
let path: string;
let trace: LineTrace;
const traces = new Map<string, LineTrace>();

beforeEach(async () => {
  bench = createApiBench({ registration: "open", watchLine });
  ({ client: owner, orgId } = await bench.owner());
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

/** Resolves when so many follow the line. */
async function followed(count = 1): Promise<void> {
  const deadline = performance.now() + 5_000;
  while (trace.followerCount < count) {
    if (performance.now() > deadline) throw new Error("nobody follows");
    await new Promise((resolve) => setImmediate(resolve));
  }
}
