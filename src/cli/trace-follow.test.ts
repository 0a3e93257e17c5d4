import { afterEach, beforeEach, expect, test } from "bun:test";
import type { TracedFrame } from "#core/device/trace.ts";
import { LineTrace } from "../controller/line-trace.ts";
import { frameSaying } from "../controller/testing/frame-saying.ts";
import { until } from "../e2e/harness/until.ts";
import { type ApiBench, createApiBench } from "../modules/testing/api-bench.ts";
import { CliFailure, EXIT } from "./exit.ts";
import { followLine, type LineReading, showKept } from "./trace-follow.ts";
import type { ShownLine } from "./trace-text.ts";

const KEPT_MAX = 250;
const WORKING: TracedFrame = {
  ...{ direction: "in", name: "SYN", text: "working", hex: "16", byteCount: 1, isDamaged: false },
};

let bench: ApiBench;
let trace: LineTrace;
let shown: ShownLine[];
let asked: number;
let isServed: boolean;
let reading: LineReading;

beforeEach(async () => {
  bench = createApiBench({
    watchLine(_, viewer) {
      const leave = isServed ? trace.follow(viewer) : undefined;
      if (leave) viewer.begin(trace.entries());
      else viewer.ended();
      return leave ?? (() => undefined);
    },
  });
  const { client: owner, orgId } = await bench.owner();
  const device = await owner.post("/api/v1/devices", {
    ...{ name: "Counter", driver: "vendorA.isl", transport: "tcp", locationId: "shop" },
    connectionParams: { host: "192.168.1.20", port: 9100 },
  });
  const path = `/api/v1/devices/${device.field("id")}/trace`;
  trace = new LineTrace(bench.clock);
  shown = [];
  asked = 0;
  isServed = true;
  reading = {
    async ask({ follow, last }) {
      const token = await bench.tokens.issueForBox({ orgId, scope: "devices:write" });
      const headers = { authorization: `Bearer ${token}` };
      const url = `http://localhost${path}?follow=${follow}&last=${last}`;
      const answer = await bench.client.app.handle(new Request(url, { headers }));
      if (!answer.ok) throw new CliFailure(EXIT.usage, await answer.text());
      if (follow) asked += 1;
      return answer;
    },
    show: (line) => shown.push(line) > 0,
    clock: bench.clock,
  };
});
afterEach(() => bench.close());

/** Begins to follow. @returns its end, and what it failed with */
async function begin(last: number): Promise<{ readonly end: Promise<unknown> }> {
  const from = await showKept(reading, last);
  if (!from) throw new Error("nobody reads");
  const end = followLine(reading, { from, keptMax: KEPT_MAX }).catch((error) => error);
  await followed(1);
  return { end };
}

/** Resolves when so many answers were asked for, and the last one is under way. */
const followed = (times: number) =>
  until("somebody who follows", () => asked === times && trace.followerCount === 1);

/** The token's minute passes. */
const passMinute = () => bench.clock.advance(60_000);

const texts = () => shown.map((line) => ("text" in line ? line.text : line.kind));
const seen = (text: string) => until(text, () => texts().includes(text));

test("goes on with a new token when the minute of one is over, and shows each entry once", async () => {
  trace.event("opened", "before");
  await begin(KEPT_MAX);
  trace.event("closed", "in the first minute");
  await seen("in the first minute");
  trace.event("failed", "not read yet");
  passMinute();
  trace.event("failed", "between two tokens");
  await followed(2);
  trace.event("failed", "in the second minute");
  await seen("in the second minute");
  passMinute();
  await followed(3);
  trace.event("opened", "in the third minute");
  await seen("in the third minute");
  expect(texts()).toEqual([
    "before",
    "in the first minute",
    "not read yet",
    "between two tokens",
    "in the second minute",
    "in the third minute",
  ]);
});

test("shows the count of an entry that repeats across two tokens once", async () => {
  await begin(KEPT_MAX);
  trace.frames([frameSaying(WORKING)]);
  await seen("working");
  trace.frames([frameSaying(WORKING)]);
  passMinute();
  await followed(2);
  await until("the count so far", () => shown.length === 2);
  trace.frames([frameSaying(WORKING)]);
  trace.event("closed", "the end");
  await seen("the end");
  expect(shown.map((line) => ("times" in line ? line.times : 0))).toEqual([1, 2, 3, 1]);
});

test("shows nothing of before when it is to begin with none, however long the line is quiet", async () => {
  trace.event("opened", "before");
  await begin(0);
  passMinute();
  await followed(2);
  trace.event("closed", "after");
  await seen("after");
  expect(texts()).toEqual(["after"]);
});

test("ends with code 3 when the line ends before the token, and when nobody serves it after", async () => {
  const over = { exitCode: EXIT.state, message: expect.stringContaining("the gateway stopped") };
  const first = await begin(0);
  trace.end();
  expect(await first.end).toMatchObject(over);
  asked = 0;
  const second = await begin(0);
  isServed = false;
  passMinute();
  expect(await second.end).toMatchObject(over);
});
