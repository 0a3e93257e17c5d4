/** Refusals: what a number means, a device that is busy, numbers of three digits. */

import { describe, expect, test } from "bun:test";
import { FakeEnvironment } from "../testing/fake-environment.ts";
import { memoryLinePair } from "../transport/memory.ts";
import { CustomDevice } from "./device.ts";
import { ACK, encodeFrame, FrameDecoder } from "./frame.ts";
import { ProfileSet } from "./profile-set.ts";
import { CustomSession } from "./session.ts";
import { readZNumber } from "./z-number.ts";

/** As long as the built-in profile lets a device be busy. */
const BUSY_MS = 30_000;

function setUp(answers: readonly string[]) {
  const profile = ProfileSet.of().initial?.profile;
  if (!profile) throw new Error("the built-in profile is faulty");
  const [host, wire] = memoryLinePair();
  const environment = new FakeEnvironment();
  const decoder = new FrameDecoder();
  const asked: string[] = [];
  const queue = [...answers];
  wire.listen({
    data(chunk) {
      for (const event of decoder.push(chunk)) {
        if (event.kind !== "frame") continue;
        asked.push(event.body);
        const body = event.body === "1016" ? "1016000" : (queue.shift() ?? "ERR01");
        wire.write(Uint8Array.of(ACK, ...encodeFrame({ counter: event.counter, body })));
      }
    },
    closed() {},
  });
  const session = new CustomSession(host, profile, environment);
  return { device: new CustomDevice(session, profile, environment), environment, asked };
}

describe("a refusal", () => {
  test.each([
    ["ERR16", "E306"],
    ["ERR64", "E307"],
    ["ERR51", "E300"],
    ["ERR61", "E303"],
    ["ERR21", "E301"],
    ["ERR05", "E305"],
    ["ERR54", "E303"],
    ["ERR01", "E201"],
    ["ERR41", "E304"],
    ["ERR88", "E305"],
    ["ERR", "E305"],
  ])("%s means %s", async (answer, code) => {
    const { device, environment } = setUp([answer]);
    const asking = device.send("drawer");
    await environment.advance(1_000);
    expect<string | undefined>((await asking).fault?.code).toBe(code);
  });

  test("with a number above 99 is asked for", async () => {
    const { device, environment, asked } = setUp(["ERR99", "1015ERR134 document open"]);
    const asking = device.send("drawer");
    await environment.advance(1_000);
    const { fault } = await asking;
    expect(fault).toMatchObject({ code: "E301", device: { code: "134" } });
    expect(asked).toEqual(["1016", "70081", "1015"]);
  });
});

describe("a device that is busy", () => {
  test("is given the command again under a new counter, until it takes it", async () => {
    const { device, environment, asked } = setUp(["ERR213", "ERR98", "7008"]);
    const asking = device.send("drawer");
    await environment.advance(2_000);
    expect((await asking).fault).toBeUndefined();
    expect(asked).toEqual(["1016", "70081", "70081", "70081"]);
  });

  test("for longer than it may be has refused the command", async () => {
    const { device, environment } = setUp(Array.from({ length: 200 }, () => "ERR213"));
    const asking = device.send("drawer");
    await environment.advance(60_000);
    expect((await asking).fault).toMatchObject({ code: "E305", device: { code: "213" } });
  });

  test("for as long is asked for its last Z report no second time", async () => {
    const { device, environment } = setUp(Array.from({ length: 200 }, () => "ERR213"));
    const asking = readZNumber(device);
    await environment.advance(BUSY_MS + 500);
    expect(environment.timers).toBe(0);
    expect(await asking).toBeNull();
  });
});

test("a device that has misunderstood the question is asked for its last Z report again", async () => {
  const { device, environment } = setUp(["ERR05", "110400120001"]);
  const asking = readZNumber(device);
  await environment.advance(1_000);
  expect(await asking).toBe(12);
});
